package io.github.untaken.benchmarks;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Lets the measurements take turns in this JVM, each once a round, and keeps the median of each turn. On a shared machine the
 * same code is slower in one minute than in the next; only what was measured in the same round can be compared.
 */
final class Turns {
    /** A method of {@link SubjectBenchmark} and by how many threads it is called. */
    record Measurement(String method, int threads) {}

    private static final String GROUP = "besideWriter";

    private final Effort.Turn turn;
    private final Map<String, double[]> medians = new LinkedHashMap<>();
    private final Map<String, Double> fastest = new LinkedHashMap<>();

    Turns(Effort.Turn turn) {
        this.turn = turn;
    }

    /**
     * Measures. Afterwards {@link #nanos} knows them by name: the method, with {@code -2} for two threads; of the group {@code
     * reader} and {@code writer}.
     */
    void take(List<Measurement> measurements, int rounds, Runnable beforeEachRound) throws RunnerException {
        Map<String, List<Double>> seen = new LinkedHashMap<>();
        for (Measurement measurement : measurements) {
            run(measurement, 1, turn.warmUpMillis());
        }
        for (int round = 0; round < rounds; round++) {
            beforeEachRound.run();
            // The order turns too: nobody always comes after the one that emptied the cache.
            for (int i = 0; i < measurements.size(); i++) {
                Measurement measurement = measurements.get((i + round) % measurements.size());
                run(measurement, turn.iterations(), turn.iterationMillis()).forEach((name, nanos) -> {
                    seen.computeIfAbsent(name, ignored -> new ArrayList<>())
                            .add(median(nanos.stream()
                                    .mapToDouble(Double::doubleValue)
                                    .toArray()));
                    fastest.merge(name, Collections.min(nanos), Math::min);
                });
            }
        }
        seen.forEach((name, nanos) -> medians.put(
                name, nanos.stream().mapToDouble(Double::doubleValue).toArray()));
    }

    /** The medians of all rounds, in their order. */
    double[] nanos(String name) {
        double[] nanos = medians.get(name);
        if (nanos == null) {
            throw new IllegalStateException(name + " was not measured, only " + medians.keySet());
        }
        return nanos.clone();
    }

    /** The shortest of all iterations of all rounds: on a busy machine, what comes nearest to an idle one. */
    double fastest(String name) {
        return Objects.requireNonNull(fastest.get(name), name);
    }

    /** The quotient of the medians of two measurements. */
    double ratio(String name, String to) {
        return median(nanos(name)) / median(nanos(to));
    }

    private static Map<String, List<Double>> run(Measurement measurement, int iterations, int millis)
            throws RunnerException {
        OptionsBuilder options = new OptionsBuilder();
        options.include(SubjectBenchmark.class.getName().replace(".", "\\.") + "\\." + measurement.method() + "$")
                .forks(0)
                .shouldFailOnError(true)
                .warmupIterations(1)
                .warmupTime(TimeValue.milliseconds(Math.min(10, millis)))
                .measurementIterations(iterations)
                .measurementTime(TimeValue.milliseconds(millis))
                .verbosity(VerboseMode.SILENT);
        if (measurement.method().equals(GROUP)) {
            options.threadGroups(1, 1);
        } else {
            options.threads(measurement.threads());
        }
        Collection<RunResult> results = new Runner(options.build()).run();
        if (results.size() != 1) {
            throw new IllegalStateException(measurement + " found " + results.size() + " benchmarks instead of one");
        }
        return scores(measurement, results.iterator().next());
    }

    private static Map<String, List<Double>> scores(Measurement measurement, RunResult result) {
        Map<String, List<Double>> scores = new LinkedHashMap<>();
        for (IterationResult iteration : result.getAggregatedResult().getIterationResults()) {
            if (measurement.method().equals(GROUP)) {
                for (Map.Entry<String, Result> part :
                        iteration.getSecondaryResults().entrySet()) {
                    scores.computeIfAbsent(part.getKey(), ignored -> new ArrayList<>())
                            .add(part.getValue().getScore());
                }
            } else {
                String name = measurement.method() + (measurement.threads() == 1 ? "" : "-" + measurement.threads());
                scores.computeIfAbsent(name, ignored -> new ArrayList<>())
                        .add(iteration.getPrimaryResult().getScore());
            }
        }
        return scores;
    }

    static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }
}
