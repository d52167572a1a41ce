package io.github.untaken.benchmarks.http;

import io.github.untaken.benchmarks.BadOption;
import io.github.untaken.benchmarks.Figure;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.BiFunction;
import java.util.function.ToDoubleFunction;

/**
 * Compares the availability endpoint with an echo servlet, and with a servlet that reads the database each time, all in one
 * server. In each round each of them is measured once, in an order that changes; every ratio is to the echo of the same
 * round.
 */
public final class HttpRatios {
    private final HttpOptions options;
    private final PrintStream out;
    private final Map<Subject, List<Measured>> measured = new LinkedHashMap<>();

    private HttpRatios(HttpOptions options, PrintStream out) {
        this.options = options;
        this.out = out;
    }

    /** Ends with 2 where an option cannot be followed, with 1 where something fails. */
    public static void main(String[] arguments) {
        System.exit(run(Arrays.asList(arguments), System.out, System.err));
    }

    static int run(List<String> arguments, PrintStream out, PrintStream err) {
        try {
            if (arguments.contains("--help")) {
                out.print(HttpOptions.HELP);
            } else {
                new HttpRatios(HttpOptions.parse(arguments), out).measure();
            }
            return 0;
        } catch (BadOption e) {
            err.println(e.getMessage());
            return 2;
        } catch (Exception e) {
            e.printStackTrace(err);
            return 1;
        }
    }

    private void measure() throws Exception {
        try (CheckServer server = new CheckServer(options.engines(), options.rows());
                LoadProcess load = new LoadProcess(server.port(), options.connections(), options.rows())) {
            List<Subject> turns = new ArrayList<>(server.subjects());
            turns.forEach(subject -> measured.put(subject, new ArrayList<>()));
            for (int round = -1; round < options.rounds(); round++) { // the first one warms up
                Collections.shuffle(turns, new Random(round));
                for (Subject subject : turns) {
                    Measured one = Measured.of(subject, load, Math.round(options.seconds() * 1_000));
                    if (round >= 0) {
                        measured.get(subject).add(one);
                    }
                }
            }
        }
        print();
        save();
    }

    private Spread spread(Subject subject, ToDoubleFunction<Measured> figure) {
        return Spread.of(measured.get(subject).stream().mapToDouble(figure).toArray());
    }

    private Spread toEcho(Subject subject, BiFunction<Measured, Measured, Double> comparison) {
        List<Measured> echo = measured.values().iterator().next();
        List<Measured> ours = measured.get(subject);
        double[] values = new double[ours.size()];
        Arrays.setAll(values, round -> comparison.apply(ours.get(round), echo.get(round)));
        return Spread.of(values);
    }

    private Spread ratio(Subject subject) {
        return toEcho(subject, (ours, echo) -> ours.perSecond() / echo.perSecond());
    }

    private Spread moreBytes(Subject subject) {
        return toEcho(subject, (ours, echo) -> ours.bytesEach() - echo.bytesEach());
    }

    private void print() {
        out.printf(
                "%d rows, %d connections, %d rounds of %.1f s, %d processors, Java %s%n",
                options.rows(),
                options.connections(),
                options.rounds(),
                options.seconds(),
                Runtime.getRuntime().availableProcessors(),
                System.getProperty("java.version"));
        out.printf(
                "%-24s %10s %7s %13s %8s %8s %8s %9s %8s %8s%n",
                "", "requests/s", "x echo", "low - high", "p50 us", "p99 us", "cpu us", "bytes", "- echo", "reads");
        measured.keySet().forEach(subject -> {
            Spread ratio = ratio(subject);
            out.printf(
                    "%-24s %10.0f %7.3f %5.3f - %5.3f %8.0f %8.0f %8.1f %9.0f %8.0f %8.4f%n",
                    subject.name(),
                    spread(subject, Measured::perSecond).median(),
                    ratio.median(),
                    ratio.low(),
                    ratio.high(),
                    spread(subject, one -> one.load().p50Micros()).median(),
                    spread(subject, one -> one.load().p99Micros()).median(),
                    spread(subject, Measured::cpuMicrosEach).median(),
                    spread(subject, Measured::bytesEach).median(),
                    moreBytes(subject).median(),
                    spread(subject, Measured::readsEach).median());
        });
    }

    private void save() throws IOException {
        List<String> lines = new ArrayList<>();
        measured.keySet().forEach(subject -> lines.add(figure(subject).toJson()));
        if (options.out().toAbsolutePath().getParent() != null) {
            Files.createDirectories(options.out().toAbsolutePath().getParent());
        }
        Files.write(options.out(), lines, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        out.println("figures: " + options.out());
    }

    private Figure figure(Subject subject) {
        Figure figure = Figure.of("http", subject.name(), options.rows())
                .with("java", System.getProperty("java.version"))
                .with("connections", options.connections())
                .with("rounds", options.rounds())
                .with("seconds", options.seconds());
        add(figure, "requestsPerSecond", spread(subject, Measured::perSecond));
        add(figure, "ratioToEcho", ratio(subject));
        add(figure, "p50Micros", spread(subject, one -> one.load().p50Micros()));
        add(figure, "p99Micros", spread(subject, one -> one.load().p99Micros()));
        add(figure, "cpuMicros", spread(subject, Measured::cpuMicrosEach));
        add(figure, "bytes", spread(subject, Measured::bytesEach));
        add(figure, "bytesOverEcho", moreBytes(subject));
        add(figure, "reads", spread(subject, Measured::readsEach));
        return figure;
    }

    private static void add(Figure figure, String name, Spread spread) {
        figure.with(name, spread.median()).with(name + "Low", spread.low()).with(name + "High", spread.high());
    }
}
