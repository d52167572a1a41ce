package io.github.untaken.filter;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.IntFunction;

/**
 * One table of a cuckoo filter, and the versions that tell readers of a move. A bucket is one word of four 16-bit
 * lanes, so one load reads it whole; an empty lane is 0. One thread at a time may write. All tables of a filter share
 * their versions.
 */
/*
 * Place. The low 16 bits of a hash are its fingerprint (0, which means empty, becomes 1); its high bits choose the
 * bucket i. The other bucket is (D - i) mod m, where D depends on the fingerprint only. Applied twice it gives i again,
 * for any number of buckets m, whereas the usual XOR needs a power of two and so up to twice the memory. The price is
 * one multiplication and one conditional addition. (Complement instead of XOR: Lang, Neumann, Kemper, Boncz,
 * "Performance-optimal filtering", 2019; the filter itself: Fan, Andersen, Kaminsky, Mitzenmacher, "Cuckoo filter:
 * practically better than Bloom", 2014.)
 *
 * Versions. A reader loads two words one after the other, so it could miss in both an entry that moves in between. So
 * whatever moves an entry from its lane first raises the version of its fingerprint, after writing the copy. A reader
 * that finds nothing, and sees the version it began with, has missed nothing. A removal also raises the version if the
 * other bucket has a twin, an entry of equal fingerprint: if the twin was added there after a reader had looked, it may
 * be the entry that stays, and the reader would find neither. Without a twin there is nothing left to miss. Each
 * version raised is a cache line that readers have to fetch from the writer, so the check is worthwhile. (Versions
 * beside buckets: Fan, Andersen, Kaminsky, "MemC3", 2013.)
 */
final class CuckooTable {
    static final int LANES = FilterSizing.LANES;
    /** Fingerprints share versions; more versions mean fewer second looks, not more safety. */
    static final int STRIPES = 256;

    static final VarHandle ELEMENT = MethodHandles.arrayElementVarHandle(long[].class);

    private static final int LANE_BITS = 16;
    private static final long LANE = 0xffffL;
    private static final long ONES = 0x0001_0001_0001_0001L;
    private static final long HIGHS = 0x8000_8000_8000_8000L;

    final long[] words;
    final long[] versions;
    private final int splits;

    /**
     * A table that was never split.
     *
     * @param words all zero
     * @param versions {@link #STRIPES} of them
     */
    CuckooTable(long[] words, long[] versions) {
        this(words, versions, 0);
    }

    CuckooTable(long[] words, long[] versions, int splits) {
        this.words = words;
        this.versions = versions;
        this.splits = splits;
    }

    /** 1 to 65535. */
    static int fingerprint(long hash) {
        int low = (int) hash & 0xffff;
        // Branch-free: low - 1 has its sign bit set only for 0.
        return low + ((low - 1) >>> 31);
    }

    static int bucket(long hash, int buckets) {
        return (int) (((hash >>> 32) * buckets) >>> 32);
    }

    static int alternate(int bucket, int fingerprint, int buckets) {
        int difference = (int) (((long) fingerprint * buckets) >>> LANE_BITS) - bucket;
        return difference + ((difference >> 31) & buckets);
    }

    /**
     * Whether any lane of the two words is this fingerprint; a single branch, since which word has it cannot be
     * predicted.
     */
    static boolean eitherHolds(long one, long two, long fingerprint) {
        long everywhere = fingerprint * ONES;
        return (zeroLanes(one ^ everywhere) | zeroLanes(two ^ everywhere)) != 0;
    }

    /** The first lane with this fingerprint, 0 to 3, or -1. */
    static int laneOf(long word, int fingerprint) {
        long zeros = zeroLanes(word ^ (fingerprint * ONES));
        return zeros == 0 ? -1 : Long.numberOfTrailingZeros(zeros) / LANE_BITS;
    }

    /** The first empty lane, 0 to 3, or -1. */
    static int freeLane(long word) {
        return laneOf(word, 0);
    }

    static int fingerprintIn(long word, int lane) {
        return (int) ((word >>> (lane * LANE_BITS)) & LANE);
    }

    static int stripe(int fingerprint) {
        return fingerprint & (STRIPES - 1);
    }

    /** Marks the highest bit of each zero lane; a lane above one may be marked wrongly, the lowest never is. */
    private static long zeroLanes(long word) {
        return (word - ONES) & ~word & HIGHS;
    }

    int alternate(int bucket, int fingerprint) {
        return alternate(bucket, fingerprint, words.length);
    }

    long word(int bucket) {
        return words[bucket];
    }

    /** Puts the fingerprint into a free lane of the bucket, if there is one. */
    boolean put(int bucket, int fingerprint) {
        int lane = freeLane(words[bucket]);
        if (lane < 0) {
            return false;
        }
        write(bucket, lane, fingerprint);
        return true;
    }

    /** Clears one lane of this fingerprint in the bucket, if there is one. */
    boolean clear(int bucket, int fingerprint) {
        int lane = laneOf(words[bucket], fingerprint);
        if (lane < 0) {
            return false;
        }
        if (hasTwin(bucket, fingerprint)) {
            raiseVersion(fingerprint);
        }
        write(bucket, lane, 0);
        return true;
    }

    private boolean hasTwin(int bucket, int fingerprint) {
        return laneOf(words[alternate(bucket, fingerprint)], fingerprint) >= 0;
    }

    /** Moves an entry to its other bucket, which has a free lane. */
    void move(int from, int lane, int to) {
        int fingerprint = fingerprintIn(words[from], lane);
        write(to, freeLane(words[to]), fingerprint);
        raiseVersion(fingerprint);
        write(from, lane, 0);
    }

    /** Tells readers to look again; called before anything that holds the fingerprint is removed. */
    private void raiseVersion(int fingerprint) {
        int stripe = stripe(fingerprint);
        ELEMENT.setRelease(versions, stripe, versions[stripe] + 1);
    }

    private void write(int bucket, int lane, int fingerprint) {
        int shift = lane * LANE_BITS;
        long word = (words[bucket] & ~(LANE << shift)) | ((long) fingerprint << shift);
        ELEMENT.setRelease(words, bucket, word);
    }

    /**
     * Two tables that hold what this one holds: entries whose next fingerprint bit, by which no split was made yet, is
     * clear, and those where it is set, each in its bucket and lane. This table does not change.
     */
    CuckooTable[] split(IntFunction<long[]> memory) {
        CuckooTable clear = new CuckooTable(memory.apply(words.length), versions, splits + 1);
        CuckooTable set = new CuckooTable(memory.apply(words.length), versions, splits + 1);
        for (int i = 0; i < words.length; i++) {
            long word = words[i];
            // All ones in each lane that has the bit.
            long mask = (word >>> splits & ONES) * LANE;
            clear.words[i] = word & ~mask;
            set.words[i] = word & mask;
        }
        return new CuckooTable[] {clear, set};
    }

    /** How many splits led to this table. */
    int splits() {
        return splits;
    }

    /** Scans the whole table: a count kept by writers would be one more place to write beside the readers. */
    long countEntries() {
        long entries = 0;
        for (long word : words) {
            for (int lane = 0; lane < LANES; lane++) {
                entries += fingerprintIn(word, lane) == 0 ? 0 : 1;
            }
        }
        return entries;
    }

    /** Slots for entries. */
    long slots() {
        return (long) words.length * LANES;
    }

    long bytes() {
        return 2 * 24 + (long) words.length * Long.BYTES;
    }
}
