package io.github.untaken.http.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.servlet.Json;
import io.github.untaken.testkit.Seed;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class JsonTextTest {

    private static String written(String text) {
        return utf8(new JsonText().open('{').name("v").value(text).close('}'));
    }

    private static String utf8(JsonText json) {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(json.bytes()).toString();
        } catch (CharacterCodingException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void commasDoNotDependOnWhatTextsEndWith() {
        JsonText json = new JsonText();
        json.open('{')
                .name("[")
                .value("{")
                .name(":")
                .value("[")
                .name("{")
                .value(":")
                .close('}');
        assertThat(Json.object(utf8(json))).isEqualTo(Map.of("[", "{", ":", "[", "{", ":"));
    }

    @Test
    void escapesWhateverCouldBreakATextOrAPage() {
        assertThat(written("\"\\")).isEqualTo("{\"v\":\"\\\"\\\\\"}");
        assertThat(written("</script>&")).isEqualTo("{\"v\":\"\\u003c/script\\u003e\\u0026\"}");
        assertThat(written("\n\0\u001f\u007f\u0085\u2028\u2029"))
                .isEqualTo("{\"v\":\"\\u000a\\u0000\\u001f\\u007f\\u0085\\u2028\\u2029\"}");
        assertThat(written("\u5f20\ud83d\ude00")).isEqualTo("{\"v\":\"\u5f20\ud83d\ude00\"}");
    }

    @Test
    void loneSurrogatesDoNotBreakIt() {
        for (String text : List.of("\ud800", "\udc00", "a\ud800b", "\udc00\ud800", "\ud83d\ud83d\ude00")) {
            assertThat(Json.object(written(text)).get("v")).isEqualTo(text);
        }
        assertThat(written("\ud800")).isEqualTo("{\"v\":\"\\ud800\"}");
    }

    @Test
    void anyTextComesBack() {
        long seed = Seed.of(JsonTextTest.class, 11);
        Random random = new Random(seed);
        for (int i = 0; i < 5_000; i++) {
            char[] text = new char[random.nextInt(200)];
            for (int c = 0; c < text.length; c++) {
                text[c] = (char) (random.nextBoolean() ? random.nextInt(128) : random.nextInt(0x10000));
            }
            assertThat(Json.object(written(new String(text))).get("v"))
                    .as("seed %d round %d", seed, i)
                    .isEqualTo(new String(text));
        }
    }
}
