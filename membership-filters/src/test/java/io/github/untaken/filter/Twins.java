package io.github.untaken.filter;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Different hashes that one table cannot tell apart. */
final class Twins {
    private Twins() {}

    /** This many different hashes with the fingerprint of the given one and one of its two buckets first. */
    static List<Long> of(long hash, int count, int buckets, SplittableRandom random) {
        List<Long> twins = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int bucket = CuckooTable.bucket(hash, buckets);
            if (random.nextBoolean()) {
                bucket = CuckooTable.alternate(bucket, CuckooTable.fingerprint(hash), buckets);
            }
            long twin = in(bucket, (int) hash & 0xffff, buckets, random);
            if (twins.contains(twin)) {
                i--;
            } else {
                twins.add(twin);
            }
        }
        return twins;
    }

    /** A hash that is put into this bucket first, with these low 16 bits. */
    static long in(int bucket, int low, int buckets, SplittableRandom random) {
        long width = Long.divideUnsigned(-1L, buckets);
        long start = bucket * width;
        while (true) {
            long hash = (start + random.nextLong(width >>> 1) * 2) & ~0xffffL | low;
            if (CuckooTable.bucket(hash, buckets) == bucket) {
                return hash;
            }
        }
    }
}
