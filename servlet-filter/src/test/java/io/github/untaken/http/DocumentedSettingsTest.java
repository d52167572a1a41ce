package io.github.untaken.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What docs/http.md shows is what the code has. */
class DocumentedSettingsTest {
    private static final Path PAGE = Path.of("..", "docs", "http.md");
    private static final Path SPRING =
            Path.of("src/test/java/io/github/untaken/servlet/example/AvailabilityFilterConfiguration.java");

    /** A row of the table: a key, for some with the kind that follows, then the builder's method. */
    private static final Pattern ROW =
            Pattern.compile("(?m)^\\| `(untaken\\.[a-z0-9.-]+?)(?:<kind>)?` \\| `([a-zA-Z0-9]+|-)` \\|");

    @Test
    void theTableHasEveryKeyInTheirOrder() throws Exception {
        List<String> keys = new ArrayList<>();
        for (Field field : SettingKeys.class.getFields()) {
            if (!field.getName().equals("PREFIX")) {
                keys.add((String) field.get(null));
            }
        }
        List<String> documented = new ArrayList<>();
        Matcher rows = ROW.matcher(Files.readString(PAGE));
        while (rows.find()) {
            documented.add(rows.group(1));
        }
        assertThat(documented).isEqualTo(keys);
    }

    @Test
    void theTableNamesMethodsOfTheBuilder() throws IOException {
        List<String> methods = new ArrayList<>();
        for (var method : EndpointSettingsBuilder.class.getMethods()) {
            methods.add(method.getName());
        }
        Matcher rows = ROW.matcher(Files.readString(PAGE));
        while (rows.find()) {
            if (!rows.group(1).equals(SettingKeys.AUTO_INSTALL)) {
                assertThat(methods).contains(rows.group(2));
            }
        }
    }

    @Test
    void theSpringRegistrationIsTheOneThatIsTested() throws IOException {
        String source = Files.readString(SPRING);
        String shown = source.substring(source.indexOf("import "));
        assertThat(Files.readString(PAGE)).contains("```java\n" + shown + "```");
    }
}
