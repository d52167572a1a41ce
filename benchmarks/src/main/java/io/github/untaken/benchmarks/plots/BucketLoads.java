package io.github.untaken.benchmarks.plots;

import io.github.untaken.benchmarks.plots.SvgChart.Axis;
import io.github.untaken.benchmarks.plots.SvgChart.Scale;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * How full a cuckoo table becomes before the first entry finds no place, for buckets of 1, 2, 4 and 8 slots: a simulation, since
 * the filter itself has 4. Fingerprints of 16 bits, the alternate bucket by complement as in the filter, random kicks, 500 at
 * most.
 */
final class BucketLoads {
    private static final int SLOTS = 1 << 18;
    private static final int KICKS = 500;
    private static final int TABLES = 9;
    private static final int FINGERPRINT_BITS = 16;

    /** What Fan, Andersen, Kaminsky and Mitzenmacher give for 1, 2, 4 and 8 slots ("Cuckoo Filter", 2014). */
    private static final double[] PUBLISHED = {0.50, 0.84, 0.95, 0.98};

    SvgChart chart() {
        SvgChart chart = new SvgChart(
                "Load reached against slots per bucket",
                new Axis("slots in a bucket", Scale.LOG, List.of(1.0, 2.0, 4.0, 8.0), List.of("1", "2", "4", "8")),
                new Axis(
                        "share of slots taken at the first refusal",
                        Scale.LINEAR,
                        List.of(0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0),
                        List.of("40 %", "50 %", "60 %", "70 %", "80 %", "90 %", "100 %")));
        List<double[]> published = new ArrayList<>();
        List<double[]> reached = new ArrayList<>();
        for (int i = 0; i < PUBLISHED.length; i++) {
            int slots = 1 << i;
            published.add(new double[] {slots, PUBLISHED[i]});
            for (int seed = 0; seed < TABLES; seed++) {
                reached.add(new double[] {slots, reached(slots, seed)});
            }
        }
        return chart.series("as published")
                .line(published)
                .series(TABLES + " tables of 2^18 slots")
                .dots(reached);
    }

    /** The share of slots taken when an entry first finds no place. */
    static double reached(int slotsPerBucket, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int buckets = SLOTS / slotsPerBucket;
        short[] table = new short[SLOTS];
        int taken = 0;
        while (put(table, slotsPerBucket, buckets, random)) {
            taken++;
        }
        return (double) taken / SLOTS;
    }

    private static boolean put(short[] table, int slotsPerBucket, int buckets, SplittableRandom random) {
        short fingerprint = (short) (1 + random.nextInt((1 << FINGERPRINT_BITS) - 1));
        int first = random.nextInt(buckets);
        int second = other(first, fingerprint, buckets);
        if (place(table, first * slotsPerBucket, slotsPerBucket, fingerprint)
                || place(table, second * slotsPerBucket, slotsPerBucket, fingerprint)) {
            return true;
        }
        int bucket = random.nextBoolean() ? first : second;
        for (int kick = 0; kick < KICKS; kick++) {
            int slot = bucket * slotsPerBucket + random.nextInt(slotsPerBucket);
            short victim = table[slot];
            table[slot] = fingerprint;
            fingerprint = victim;
            bucket = other(bucket, fingerprint, buckets);
            if (place(table, bucket * slotsPerBucket, slotsPerBucket, fingerprint)) {
                return true;
            }
        }
        return false;
    }

    private static boolean place(short[] table, int from, int slots, short fingerprint) {
        for (int slot = from; slot < from + slots; slot++) {
            if (table[slot] == 0) {
                table[slot] = fingerprint;
                return true;
            }
        }
        return false;
    }

    private static int other(int bucket, short fingerprint, int buckets) {
        int mirror = (int) (Short.toUnsignedLong(fingerprint) * 0x9e37_79b1L % buckets);
        int other = mirror - bucket;
        return other < 0 ? other + buckets : other;
    }
}
