package io.github.untaken.benchmarks;

import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Runs {@link LookupBenchmark} in rounds in this JVM, each benchmark once a round, and prints for each the median
 * and the fastest tenth (its slowest member) with the ratios to the limit. In turns, since on a shared machine the same code is slower in one minute than in the next.
 */
public final class LookupRatios {
    /** Short and many: on a busy machine some of them then run undisturbed. */
    private static final int ITERATIONS = 20;

    private LookupRatios() {}

    /**
     * Prints the table.
     *
     * @param arguments the number of keys (default 1000000) and of rounds (default 20)
     */
    public static void main(String[] arguments) throws RunnerException {
        String keys = arguments.length > 0 ? arguments[0] : "1000000";
        int rounds = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 20;
        Map<String, double[]> times = new TreeMap<>();
        for (int round = 0; round < rounds; round++) {
            for (Map.Entry<String, double[]> entry : run(keys, round == 0).entrySet()) {
                times.merge(entry.getKey(), entry.getValue(), LookupRatios::join);
            }
        }
        double[] limit = sorted(times.get("limit"));
        System.out.printf(
                "%s keys, %d rounds of %d iterations, Java %s%n",
                keys, rounds, ITERATIONS, System.getProperty("java.version"));
        System.out.printf("%-22s %10s %8s %10s %8s%n", "", "median ns", "x limit", "fast ns", "x limit");
        times.forEach((name, all) -> {
            double[] sorted = sorted(all);
            System.out.printf(
                    "%-22s %10.1f %8.2f %10.1f %8.2f%n",
                    name, median(sorted), median(sorted) / median(limit), fast(sorted), fast(sorted) / fast(limit));
        });
        Subjects subjects = Subjects.of(Integer.parseInt(keys));
        double entries = Double.parseDouble(keys);
        System.out.printf(
                "bits per key: cuckoo %.2f, bloom %.2f%n",
                subjects.cuckoo.bytes() * 8 / entries, subjects.bloom.bytes() * 8 / entries);
    }

    private static Map<String, double[]> run(String keys, boolean first) throws RunnerException {
        Collection<RunResult> results = new Runner(new OptionsBuilder()
                        .include(LookupBenchmark.class.getName())
                        .param("keys", keys)
                        .forks(0)
                        .warmupIterations(first ? 6 : 1)
                        .warmupTime(TimeValue.milliseconds(first ? 150 : 20))
                        .measurementIterations(ITERATIONS)
                        .measurementTime(TimeValue.milliseconds(4))
                        .verbosity(VerboseMode.SILENT)
                        .build())
                .run();
        Map<String, double[]> times = new LinkedHashMap<>();
        for (RunResult result : results) {
            times.put(
                    result.getPrimaryResult().getLabel(),
                    result.getAggregatedResult().getIterationResults().stream()
                            .mapToDouble(
                                    iteration -> iteration.getPrimaryResult().getScore())
                            .toArray());
        }
        return times;
    }

    private static double[] join(double[] a, double[] b) {
        double[] all = Arrays.copyOf(a, a.length + b.length);
        System.arraycopy(b, 0, all, a.length, b.length);
        return all;
    }

    private static double[] sorted(double[] times) {
        double[] copy = times.clone();
        Arrays.sort(copy);
        return copy;
    }

    private static double fast(double[] sorted) {
        return sorted[sorted.length / 10];
    }

    private static double median(double[] sorted) {
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }
}
