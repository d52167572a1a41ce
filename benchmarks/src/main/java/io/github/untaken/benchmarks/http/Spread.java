package io.github.untaken.benchmarks.http;

import java.util.Arrays;

/** Median, least and largest of some rounds. */
record Spread(double median, double low, double high) {

    static Spread of(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return new Spread(
                (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2,
                sorted[0],
                sorted[sorted.length - 1]);
    }
}
