package io.github.untaken.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.untaken.sample.console.StartupException;
import io.github.untaken.sample.database.SampleDatabase;
import io.github.untaken.sample.pages.StatsServlet;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OptionsTest {

    @Test
    void hasDefaults() throws Exception {
        assertThat(Options.parse(List.of()))
                .isEqualTo(new Options(
                        new Options.Web(8080, OptionalInt.empty()),
                        new Options.Database(
                                Path.of("sample-data"), 1_000_000, false, new SampleDatabase.Tuning(1, false)),
                        new StatsServlet.Audits(64, Duration.ofSeconds(10)),
                        Duration.ofMinutes(1),
                        Optional.empty(),
                        false));
    }

    @Test
    void readsEachOption() throws Exception {
        List<String> arguments = List.of(
                "--port=0",
                "--users",
                "12",
                "--data",
                "/tmp/x",
                "--client-limit",
                "60",
                "--page-cache=16",
                "--direct-reads",
                "--audit-rows=0",
                "--audit-seconds=3",
                "--outage-seconds=90",
                "--headline=picture.svg");
        assertThat(Options.parse(arguments))
                .isEqualTo(new Options(
                        new Options.Web(0, OptionalInt.of(60)),
                        new Options.Database(Path.of("/tmp/x"), 12, true, new SampleDatabase.Tuning(16, true)),
                        new StatsServlet.Audits(0, Duration.ofSeconds(3)),
                        Duration.ofSeconds(90),
                        Optional.of(Path.of("picture.svg")),
                        false));
        assertThat(Options.parse(List.of("--help")).help()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--port=x",
                "--port=65536",
                "--port=-1",
                "--port=",
                "--port",
                "--users=1.5",
                "--users=99999999999",
                "--data=",
                "--data=a;TRACE_LEVEL_FILE=4",
                "--client-limit=0",
                "--colour=red",
                "--headline=",
                "--page-cache=0",
                "--page-cache=1025",
                "--direct-reads=yes",
                "--audit-rows=-1",
                "--audit-seconds=0",
                "--outage-seconds=3601",
                "port",
                "--help=yes"
            })
    void refusesWhatItDoesNotUnderstandInOneLine(String argument) {
        assertThatThrownBy(() -> Options.parse(List.of(argument)))
                .isInstanceOf(StartupException.class)
                .satisfies(e -> assertThat(e.getMessage().lines()).hasSize(1))
                .hasMessageContaining(argument.split("=", 2)[0]);
    }

    @Test
    void refusesAnOptionGivenTwice() {
        assertThatThrownBy(() -> Options.parse(List.of("--port=1", "--port", "2")))
                .hasMessageContaining("twice");
    }
}
