package io.github.untaken.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServedFileTest {
    /** What docs/widget.md lists is what the script says, and all of it. */
    @Test
    void everyTextIsDocumented() throws Exception {
        String script = ServedFile.resource("untaken.js");
        String english = script.substring(script.indexOf("en: {"), script.indexOf("zh: {"));
        Map<String, String> said = new TreeMap<>();
        Matcher texts = Pattern.compile("(\\w+): '([^']*)'").matcher(english);
        while (texts.find()) {
            said.put(texts.group(1), texts.group(2).strip());
        }
        Map<String, String> documented = new TreeMap<>();
        Matcher rows = Pattern.compile("(?m)^\\| `(\\w+)` \\| (?:`\\w+`)? ?\\| ([^|]+) \\| [^|]*\\|$")
                .matcher(Files.readString(Path.of("..", "docs", "widget.md")));
        while (rows.find()) {
            documented.put(rows.group(1), rows.group(2).strip());
        }
        assertThat(said).hasSizeGreaterThan(15);
        assertThat(documented).isEqualTo(said);
    }

    @ParameterizedTest
    @CsvSource({
        "/untaken.js, /availability, ./availability",
        "/js/untaken.js, /availability, ../availability",
        "/a/b/untaken.js, /c/free, ../../c/free",
        "/untaken.js, /a'b:\\c d, ./a%27b%3A%5Cc%20d",
        "/untaken.js, /\u5f20, ./%E5%BC%A0",
    })
    void findsTheEndpointFromWhereItIs(String script, String endpoint, String relative) {
        assertThat(ServedFile.relative(script, endpoint)).isEqualTo(relative);
    }
}
