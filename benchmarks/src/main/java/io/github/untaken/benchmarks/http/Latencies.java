package io.github.untaken.benchmarks.http;

/** Counts by whole microseconds up to a tenth of a second; what took longer counts as that. */
public final class Latencies {
    private final int[] counts = new int[100_000];

    public void count(long nanos) {
        counts[(int) Math.min(counts.length - 1, nanos / 1_000)]++;
    }

    public void add(Latencies more) {
        for (int i = 0; i < counts.length; i++) {
            counts[i] += more.counts[i];
        }
    }

    public long count() {
        long sum = 0;
        for (int count : counts) {
            sum += count;
        }
        return sum;
    }

    /** The least number of microseconds within which this share was answered. */
    public int micros(double share) {
        double wanted = count() * share;
        long seen = 0;
        for (int micros = 0; micros < counts.length; micros++) {
            seen += counts[micros];
            if (seen >= wanted) {
                return micros + 1;
            }
        }
        return counts.length;
    }
}
