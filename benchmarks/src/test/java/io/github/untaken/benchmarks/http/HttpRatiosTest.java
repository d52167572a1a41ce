package io.github.untaken.benchmarks.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.github.untaken.benchmarks.Figure;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HttpRatiosTest {
    /** In milliseconds, for a first answer on a busy machine. */
    private static final int LONG_ENOUGH = 2_000;

    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final ByteArrayOutputStream complaints = new ByteArrayOutputStream();

    @TempDir
    Path directory;

    private int run(String... arguments) {
        return HttpRatios.run(
                Arrays.asList(arguments),
                new PrintStream(printed, true, StandardCharsets.UTF_8),
                new PrintStream(complaints, true, StandardCharsets.UTF_8));
    }

    @Test
    @Tag("ci")
    void measuresEveryEndpointInOneServer() throws Exception {
        Path file = directory.resolve("figures.jsonl");
        int exit = run(
                "--engines",
                "h2",
                "--rows",
                "2000",
                "--rounds",
                "1",
                "--seconds",
                "0.3",
                "--connections",
                "2",
                "--out",
                file.toString());
        assertThat(exit).as(complaints.toString(StandardCharsets.UTF_8)).isZero();

        Map<String, Figure> figures = Files.readAllLines(file).stream()
                .map(Figure::parse)
                .collect(Collectors.toMap(figure -> figure.text("subject"), Function.identity()));
        assertThat(figures.keySet())
                .containsExactlyInAnyOrder(
                        "echo", "echo again", "negative", "positive, h2", "read, free, h2", "read, taken, h2");
        double echo = figures.get("echo").number("requestsPerSecond");
        figures.forEach((name, figure) -> {
            assertThat(figure.number("requestsPerSecond")).as(name).isPositive();
            assertThat(figure.number("ratioToEcho") * echo)
                    .as(name)
                    .isCloseTo(figure.number("requestsPerSecond"), withinPercentage(0.1));
            assertThat(figure.number("p50Micros")).as(name).isPositive();
            assertThat(figure.number("p99Micros")).as(name).isGreaterThanOrEqualTo(figure.number("p50Micros"));
            assertThat(figure.number("bytes")).as(name).isPositive();
            assertThat(figure.number("cpuMicros")).as(name).isPositive();
        });
        assertThat(figures.get("echo").number("ratioToEcho")).isEqualTo(1);
        // No times, so they must be right even here: who reads the database, and how often for a request.
        assertThat(figures.get("echo").number("reads")).isZero();
        assertThat(figures.get("negative").number("reads")).isLessThan(0.01);
        assertThat(figures.get("positive, h2").number("reads"))
                .as("two connections may share one")
                .isBetween(0.49, 1.01);
        assertThat(figures.get("read, free, h2").number("reads")).isEqualTo(1);
        assertThat(figures.get("read, taken, h2").number("reads")).isEqualTo(1);
        assertThat(printed.toString(StandardCharsets.UTF_8)).contains("requests/s", "p99", "negative");
    }

    /** Else an endpoint could be quick because it errs. The echo calls every name available. */
    @Test
    @Tag("ci")
    void oneWrongAnswerEndsTheMeasurement() throws Exception {
        try (CheckServer server = new CheckServer(List.of(), 0);
                LoadProcess load = new LoadProcess(server.port(), 1, 1_000)) {
            Subject echo = server.subjects().get(0);
            assertThat(load.ask(echo, LONG_ENOUGH).requests()).isPositive();
            Subject wrong = new Subject("wrong", echo.path(), true, echo.reads());
            assertThatIOException()
                    .isThrownBy(() -> load.ask(wrong, LONG_ENOUGH))
                    .withMessageContaining("wrong");
        }
    }

    @Test
    void refusesBadOptionsInOneLine() {
        for (String[] bad : new String[][] {
            {"--round", "9"},
            {"--rounds"},
            {"--rounds", "0"},
            {"--seconds", "many"},
            {"--seconds", "NaN"},
            {"--connections", "1001"},
            {"--engines", "oracle"},
            {"--engines", "h2,h2"},
            {"--rows", "10"}
        }) {
            complaints.reset();
            assertThat(run(bad)).as(String.join(" ", bad)).isEqualTo(2);
            assertThat(complaints.toString(StandardCharsets.UTF_8).lines()).hasSize(1);
        }
        assertThat(printed.size()).isZero();
    }

    @Test
    void explainsItself() {
        assertThat(run("--help")).isZero();
        assertThat(printed.toString(StandardCharsets.UTF_8)).contains("--rounds", "--seconds", "--connections");
    }
}
