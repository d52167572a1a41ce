package io.github.untaken.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BenchmarksTest {
    private static final int KEYS = 2_000;

    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final ByteArrayOutputStream progress = new ByteArrayOutputStream();

    @TempDir
    Path directory;

    private int run(String... arguments) {
        return Benchmarks.run(
                Arrays.asList(arguments),
                new PrintStream(printed, true, StandardCharsets.UTF_8),
                new PrintStream(progress, true, StandardCharsets.UTF_8));
    }

    @Test
    @Tag("ci")
    void measuresEveryFigureOfASubjectBesideTheLimit() throws Exception {
        Path file = directory.resolve("figures.jsonl");
        int exit = run("--smoke", "--subjects", "untaken-cuckoo", "--sizes", "" + KEYS, "--out", file.toString());
        assertThat(exit).as(progress.toString(StandardCharsets.UTF_8)).isZero();
        assertThat(Files.readAllLines(file))
                .allMatch(line -> line.startsWith("{\"figure\":\"") && line.endsWith("}"))
                .filteredOn(line -> line.contains("\"nanos\":"))
                .hasSize(8)
                .allMatch(line -> line.matches("\\{\"figure\":\"[a-z0-9-]+\",\"subject\":\"untaken-cuckoo\",\"n\":"
                        + KEYS + ",\"nanos\":[0-9.E+-]+,\"ratioToLimit\":[0-9.E+-]+,.*}"));

        Map<String, Figure> figures = Benchmarks.figures(file).stream()
                .collect(Collectors.toMap(figure -> figure.text("figure"), Function.identity()));
        assertThat(figures.keySet())
                .containsExactlyInAnyOrder(
                        "limit",
                        "lookup-negative",
                        "lookup-positive",
                        "insert",
                        "bits-per-key",
                        "error-rate",
                        "batch",
                        "growth",
                        "allocation",
                        "readers-2",
                        "reader-beside-writer");
        double limit = figures.get("limit").number("nanos");
        for (String timed : List.of("lookup-negative", "lookup-positive", "batch", "insert", "growth")) {
            Figure figure = figures.get(timed);
            assertThat(figure.number("nanos")).as(timed).isPositive();
            assertThat(figure.number("limitNanos")).as(timed).isEqualTo(limit);
            double ratio = figure.number("nanos") / limit;
            assertThat(figure.number("ratioToLimit")).as(timed).isCloseTo(ratio, within(ratio / 1_000));
        }
        assertThat(figures.get("reader-beside-writer").number("writerNanos")).isPositive();
        // No time, so it must be right even here: 16-bit fingerprints, and not one byte for a question.
        assertThat(figures.get("error-rate").number("rate")).isBetween(0.0, 1e-3);
        assertThat(figures.get("bits-per-key").number("bits")).isBetween(16.0, 400.0);
        assertThat(figures.get("allocation").number("bytes")).isLessThan(1);
        assertThat(figures.get("insert").number("refused")).isZero();
        assertThat(printed.toString(StandardCharsets.UTF_8)).contains("untaken-cuckoo", "x limit");
    }

    @Test
    void refusesBadOptionsInOneLine() {
        for (String[] bad : new String[][] {
            {"--quik"},
            {"--sizes", "12x"},
            {"--sizes"},
            {"--subjects", "no-such-filter"},
            {"--keys", "cars"},
            {"--heap", "much"},
            {"--java", "/no/such/java"},
            {"table", "no-such-file.jsonl"},
            {"plots"}
        }) {
            progress.reset();
            assertThat(run(bad)).as(String.join(" ", bad)).isEqualTo(2);
            assertThat(progress.toString(StandardCharsets.UTF_8).lines()).hasSize(1);
        }
        assertThat(printed.size()).isZero();
    }

    @Test
    void explainsItself() {
        assertThat(run("--help")).isZero();
        assertThat(printed.toString(StandardCharsets.UTF_8)).contains("--quick", "--subjects", "--java");
    }

    @Test
    void writesTheTableBetweenItsMarksAndNothingElse() throws Exception {
        Path file = directory.resolve("figures.jsonl");
        Files.writeString(file, """
                {"figure":"limit","subject":"one","n":1000000,"keys":"names","java":"17","nanos":20.0,"load":0.5}
                {"figure":"lookup-negative","subject":"one","n":1000000,"keys":"names","java":"17","nanos":25.0,"ratioToLimit":1.25,"ratioLow":1.2,"ratioHigh":1.31,"fastRatio":1.22,"load":0.5}
                {"figure":"error-rate","subject":"one","n":1000000,"keys":"names","java":"17","rate":1.1E-4,"load":0.5}
                """);
        Path page = directory.resolve("page.md");
        Files.writeString(page, "before\n" + FiguresTable.BEGIN + "\nold\n" + FiguresTable.END + "\nafter\n");
        assertThat(run("table", file.toString(), page.toString())).isZero();
        assertThat(Files.readString(page))
                .startsWith("before\n")
                .endsWith(FiguresTable.END + "\nafter\n")
                .contains("| one | 25 | 1.25 (1.20-1.31) | - | - | 1.1e-04 |", "limit 20.0 ns")
                .doesNotContain("old");
    }

    @Test
    void thePageHasTheFiguresOfItsFile() throws Exception {
        Path docs = Path.of("..", "docs");
        String page = Files.readString(docs.resolve("filter-measurements.md"));
        FiguresTable table = new FiguresTable(Benchmarks.figures(docs.resolve("figures/comparison.jsonl")));
        assertThat(page)
                .as("made anew by: benchmarks.jar table docs/figures/comparison.jsonl docs/filter-measurements.md")
                .isEqualTo(table.into(page));
    }

    @Test
    void makesDifferentKeysForDifferentNumbers() {
        for (Keys keys : Keys.values()) {
            List<String> made = new ArrayList<>();
            for (long number = 0; number < 20_000; number++) {
                made.add(keys.key(number * 1_009));
            }
            assertThat(made).doesNotHaveDuplicates();
            assertThat(made).allMatch(key -> key.length() >= 8 && key.length() <= 20);
        }
    }
}
