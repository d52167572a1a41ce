package io.github.untaken.sample.pages;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JsonTest {

    @Test
    void writesEachKindOfValue() {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("text", "a\"b\\c\n\u5f20");
        body.put("number", 12L);
        body.put("fraction", 1.5);
        body.put("unknown", Double.NaN);
        body.put("yes", true);
        body.put("list", List.of(1, Map.of(), List.of()));
        assertThat(Json.text(body))
                .isEqualTo("{\"text\":\"a\\\"b\\\\c\\u000a\u5f20\",\"number\":12,\"fraction\":1.5,\"unknown\":null,"
                        + "\"yes\":true,\"list\":[1,{},[]]}");
    }
}
