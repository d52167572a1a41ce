package io.github.untaken.sample.race;

import java.util.ArrayList;
import java.util.List;

/** How long answers took, in bins of a quarter octave from 64 ns on. Used under the lock of the race. */
final class Latencies {
    static final int BINS = 96;

    private static final int OF_AN_OCTAVE = 4;
    private static final double FIRST_NANOS = 64;

    private final long[] bins = new long[BINS];
    private long count;

    void add(long nanos) {
        bins[bin(nanos)]++;
        count++;
    }

    private static int bin(long nanos) {
        double octaves = Math.log(Math.max(FIRST_NANOS, (double) nanos) / FIRST_NANOS) / Math.log(2);
        return Math.min(BINS - 1, (int) (OF_AN_OCTAVE * octaves));
    }

    void add(Latencies other) {
        for (int i = 0; i < BINS; i++) {
            bins[i] += other.bins[i];
        }
        count += other.count;
    }

    long count() {
        return count;
    }

    /** Microseconds that this share of the answers did not exceed, to the upper edge of their bin; {@code NaN} for none. */
    double micros(double share) {
        long wanted = (long) Math.ceil(share * count);
        long seen = 0;
        for (int i = 0; i < BINS && count > 0; i++) {
            seen += bins[i];
            if (seen >= wanted) {
                return edgeMicros(i + 1);
            }
        }
        return Double.NaN;
    }

    private static double edgeMicros(int bin) {
        return FIRST_NANOS * Math.pow(2, (double) bin / OF_AN_OCTAVE) / 1_000;
    }

    List<Long> counts() {
        List<Long> counts = new ArrayList<>(BINS);
        for (long bin : bins) {
            counts.add(bin);
        }
        return counts;
    }
}
