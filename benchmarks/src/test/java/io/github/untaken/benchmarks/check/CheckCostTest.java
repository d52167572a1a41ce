package io.github.untaken.benchmarks.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.untaken.benchmarks.BadOption;
import io.github.untaken.benchmarks.Figure;
import io.github.untaken.benchmarks.Keys;
import io.github.untaken.spi.RegisteredIdentifierStore.Presence;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckCostTest {
    private static final Duration LONG = Duration.ofMinutes(1);

    @TempDir
    Path directory;

    /** It fails by itself if a free name is not answered available, or a taken one is. */
    @Test
    @Tag("ci")
    void measuresEveryFigureInEachJvm() throws Exception {
        Path file = directory.resolve("figures.jsonl");
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        ByteArrayOutputStream progress = new ByteArrayOutputStream();
        boolean well = CheckCost.run(
                List.of("--sizes", "2000", "--jvms", "1", "--rounds", "1", "--out", file.toString()),
                new PrintStream(printed, true, StandardCharsets.UTF_8),
                new PrintStream(progress, true, StandardCharsets.UTF_8));
        assertThat(well).as(progress.toString(StandardCharsets.UTF_8)).isTrue();
        List<Figure> figures =
                Files.readAllLines(file).stream().map(Figure::parse).toList();
        assertThat(figures)
                .extracting(figure -> figure.text("figure"))
                .containsExactlyInAnyOrderElementsOf(
                        twice("check-alone", "check-loop", "check-all", "allocation", "key-phone", "key-email"));
        assertThat(figures).extracting(figure -> figure.text("store")).containsOnly("plain", "catalog");
        assertThat(figures)
                .filteredOn(figure -> figure.text("figure").startsWith("key-"))
                .allMatch(figure -> figure.number("nanos") > 0);
        // No times, so they must be right even here.
        assertThat(figures)
                .filteredOn(figure -> figure.text("figure").equals("allocation"))
                .allMatch(figure -> figure.number("bytes") >= 24 && figure.number("bytes") < 48);
        assertThat(printed.toString(StandardCharsets.UTF_8)).contains("check-alone", "x lookup");
    }

    private static List<String> twice(String... names) {
        List<String> all = new ArrayList<>(List.of(names));
        all.addAll(List.of(names));
        return all;
    }

    @Test
    void refusesBadOptions() {
        for (List<String> bad : List.of(
                List.of("--sizes"),
                List.of("--sizes", "12x"),
                List.of("--jvms", "0"),
                List.of("--java", "/no/such/java"),
                List.of("--rouns", "3"))) {
            assertThatThrownBy(() -> CheckOptions.parse(bad)).isInstanceOf(BadOption.class);
        }
    }

    @Test
    void theStoreHoldsWhatItsScanDeliversAndNothingElse() {
        for (Keys keys : Keys.values()) {
            NumberedKeys store = new NumberedKeys(keys, 20_000);
            List<String> scanned = new ArrayList<>();
            store.scan(scanned::add);
            assertThat(scanned)
                    .hasSize(20_000)
                    .allMatch(key -> store.exists(key, LONG).held());
            for (long number : new long[] {20_000, 999_999, 1_000_000_000L}) {
                assertThat(keys.number(keys.key(number))).isEqualTo(number);
                assertThat(store.exists(keys.key(number), LONG)).isEqualTo(Presence.ABSENT);
            }
            assertThat(List.of("", "alice", "Alice0000", "+1234567890123", "x" + scanned.get(7), scanned.get(7) + "0"))
                    .noneMatch(text -> store.exists(text, LONG).held());
        }
    }
}
