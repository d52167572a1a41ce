package io.github.untaken.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What docs/http.md shows is what the code has. */
class DocumentedSettingsTest {
    private static final Path PAGE = Path.of("..", "docs", "http.md");
    private static final Path SPRING =
            Path.of("src/test/java/io/github/untaken/servlet/example/AvailabilityFilterConfiguration.java");

    @Test
    void theTableIsWhatTheSettingsSay() throws IOException {
        assertThat(Files.readString(PAGE))
                .contains(Stream.of(Setting.values()).map(Setting::row).collect(Collectors.joining("\n", "|\n", "\n")));
    }

    @Test
    void eachSettingIsAMethodOfTheBuilder() {
        assertThat(EndpointSettingsBuilder.class.getMethods())
                .extracting(Method::getName)
                .containsAll(Stream.of(Setting.values())
                        .filter(setting -> setting != Setting.AUTO_INSTALL)
                        .map(Setting::method)
                        .toList());
    }

    @Test
    void theSpringRegistrationIsTheOneThatIsTested() throws IOException {
        String source = Files.readString(SPRING);
        String shown = source.substring(source.indexOf("import "));
        assertThat(Files.readString(PAGE)).contains("```java\n" + shown + "```");
    }
}
