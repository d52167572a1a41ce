package io.github.untaken.benchmarks.large;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.untaken.benchmarks.BadOption;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ManyNamesTest {
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);

    @TempDir
    Path directory;

    /** It fails by itself if a taken name is answered available. */
    @Test
    @Tag("ci")
    void fillsAsksKeepsAndReadsAgain() throws Exception {
        ManyNames.run(List.of("20000", directory.toString()), out);
        assertThat(printed.toString(StandardCharsets.UTF_8))
                .contains("20000 names", "bytes a name", "in a loop", "without a scan: true");
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void saysHowMuchMemoryItNeeds() {
        assertThatThrownBy(() -> ManyNames.run(List.of("10000000000", directory.toString()), out))
                .isInstanceOf(BadOption.class)
                .hasMessageContaining("java -Xmx33g -jar benchmarks.jar many 10000000000");
        for (String bad : List.of("", "many", "12", "-1")) {
            assertThatThrownBy(() -> ManyNames.run(List.of(bad), out)).isInstanceOf(BadOption.class);
        }
        assertThat(directory).isEmptyDirectory();
    }
}
