package io.github.untaken.filter;

import static io.github.untaken.filter.BitTable.ELEMENT;

import java.lang.invoke.VarHandle;

/**
 * A filter of four subtables with buckets of eight cells, each a 28-bit fingerprint and a 4-bit counter. It can forget,
 * at an error rate below {@link FilterSizing#D_LEFT_ERROR_RATE}, for about 43 bits an entry. It refuses an entry when
 * all its four buckets are full, which does not happen at its planned size.
 *
 * <p>Readers take no lock, write nothing and allocate nothing. Writers take a private lock, so calls from several
 * threads are safe, though not faster.
 *
 * <p>A counter that has reached {@value #STUCK} is never lowered again, so an entry with that many copies at once stays
 * for good.
 */
/*
 * Idea. The highest q bits of a hash are used, as one number f. Each subtable has its own permutation of such numbers,
 * a multiplication by an odd constant modulo 2^q. Of the permuted number, the high part is the bucket and the low 28
 * bits are the fingerprint; together they determine the number. A new f goes to the bucket with the fewest entries, the
 * leftmost among equals (always the same side, which is what makes the loads even). An f that is already there gets its
 * counter raised.
 *
 * Why permutations. If the fingerprint were the same in all subtables and the buckets were chosen by separate hashes,
 * two entries could share fingerprint and bucket in one subtable and differ in the others. Removing one could then find
 * the other's cell, and take it. Here a cell identifies exactly which f is in it: two entries share either everything,
 * that is one cell and its counter, or nothing. So a removal never takes another entry's cell, a false "maybe" means
 * exactly an equal f, and the error rate is entries / 2^q.
 *
 * Any number of buckets. With m buckets the bucket is f' * m / 2^q, for f' the permuted f. The numbers that fall into
 * one bucket are consecutive and at most 2^q / m, so with q = 28 + floor(log2 m) their low 28 bits differ.
 *
 * A cell is empty if its counter is 0; every fingerprint, including 0, is valid.
 *
 * An entry never moves, and its cell is cleared only when its last copy is removed. So a reader beside a writer misses
 * nothing that was there, without versions, in whatever order it reads the words: each cell is one half of a long,
 * which no JVM tears.
 *
 * Sources: Bonomi, Mitzenmacher, Panigrahy, Singh, Varghese, "An improved construction for counting Bloom filters",
 * 2006; always the left: Voecking, "How asymmetry helps load balancing", 1999.
 */
final class DLeftCountingBloomFilter implements RemovableMembershipFilter {
    static final int SUBTABLES = 4;
    static final int CELLS = 8;
    static final int CELL_BITS = 32;
    static final int FINGERPRINT_BITS = 28;
    static final int STUCK = 15;

    private static final int COUNTER_BITS = CELL_BITS - FINGERPRINT_BITS;
    private static final int BUCKET_WORDS = CELLS * CELL_BITS / Long.SIZE;
    private static final long[] MULTIPLIERS = {
        0xd1b5_4a32_d192_ed03L, 0xaef1_7502_108e_f2d9L, 0xf135_7aea_2e62_a9c5L, 0x9fb2_1c65_1e98_df25L
    };
    /** For both cells of a word: the lowest bit; below, a counter's low bits and a fingerprint's low bits. */
    private static final long ONES = 0x0000_0001_0000_0001L;

    private static final long COUNTERS = STUCK * ONES;
    private static final long FINGERPRINTS = ((1L << FINGERPRINT_BITS) - 1) * ONES;
    private static final int OBJECT_BYTES = 60;

    private final WriterSide writers = new WriterSide();
    private final long[] words;
    /** Of one subtable. */
    private final int buckets;

    /** 64 minus the number of hash bits used. */
    private final int ignored;

    private final long capacity;

    DLeftCountingBloomFilter(FilterSizing plan) {
        this(plan.words() / (SUBTABLES * BUCKET_WORDS), plan.expectedEntries());
    }

    DLeftCountingBloomFilter(int buckets, long capacity) {
        this.words = new long[buckets * SUBTABLES * BUCKET_WORDS];
        this.buckets = buckets;
        this.ignored = Long.SIZE - countingBits(buckets);
        this.capacity = capacity;
    }

    /** How many bits of a hash distinguish entries. */
    static int countingBits(long buckets) {
        return Math.min(Long.SIZE, FINGERPRINT_BITS + Long.SIZE - 1 - Long.numberOfLeadingZeros(buckets));
    }

    /** The odd factor that permutes the numbers for a subtable. */
    static long multiplier(int subtable) {
        return MULTIPLIERS[subtable];
    }

    private long permuted(long hash, int subtable) {
        return (hash >>> ignored << ignored) * MULTIPLIERS[subtable];
    }

    /** Index of the first word of a permuted number's bucket. */
    private int bucket(long permuted, int subtable) {
        return (subtable * buckets + (int) UnsignedProduct.reduce(permuted, buckets)) * BUCKET_WORDS;
    }

    /** The cell of a permuted number with a counter of 0. */
    private int cell(long permuted) {
        return (int) (permuted >>> ignored) << COUNTER_BITS;
    }

    @Override
    public boolean add(long hash) {
        synchronized (writers.lock) {
            int emptiest = -1;
            int fewest = CELLS;
            int cell = 0;
            for (int t = 0; t < SUBTABLES; t++) {
                long permuted = permuted(hash, t);
                int bucket = bucket(permuted, t);
                int found = find(bucket, cell(permuted));
                if (found >= 0) {
                    raise(bucket, found);
                    writers.count(1);
                    return true;
                }
                int used = used(bucket);
                if (used < fewest) {
                    fewest = used;
                    emptiest = bucket;
                    cell = cell(permuted);
                }
            }
            if (emptiest < 0) {
                return false;
            }
            write(emptiest, freeCell(emptiest), cell + 1);
            writers.count(1);
            return true;
        }
    }

    private void raise(int bucket, int at) {
        int content = content(bucket, at);
        if ((content & STUCK) != STUCK) {
            write(bucket, at, content + 1);
        }
    }

    @Override
    public boolean remove(long hash) {
        synchronized (writers.lock) {
            for (int t = 0; t < SUBTABLES; t++) {
                long permuted = permuted(hash, t);
                int bucket = bucket(permuted, t);
                int found = find(bucket, cell(permuted));
                if (found >= 0) {
                    lower(bucket, found);
                    writers.count(-1);
                    return true;
                }
            }
            return false;
        }
    }

    private void lower(int bucket, int at) {
        int content = content(bucket, at);
        int count = content & STUCK;
        if (count != STUCK) {
            write(bucket, at, count == 1 ? 0 : content - 1);
        }
    }

    /** Index of the cell in the bucket with this fingerprint, or -1. */
    private int find(int bucket, int cell) {
        for (int at = 0; at < CELLS; at++) {
            if (isCopyOf(content(bucket, at), cell)) {
                return at;
            }
        }
        return -1;
    }

    /** Equal fingerprints and a counter of 1 to 15. */
    private static boolean isCopyOf(int content, int cell) {
        return Integer.compareUnsigned((content ^ cell) - 1, STUCK) < 0;
    }

    private int used(int bucket) {
        int used = 0;
        for (int at = 0; at < CELLS; at++) {
            used += content(bucket, at) == 0 ? 0 : 1;
        }
        return used;
    }

    private int freeCell(int bucket) {
        int at = 0;
        while (content(bucket, at) != 0) {
            at++;
        }
        return at;
    }

    private int content(int bucket, int at) {
        return (int) (words[bucket + (at >>> 1)] >>> ((at & 1) * CELL_BITS));
    }

    private void write(int bucket, int at, int content) {
        int word = bucket + (at >>> 1);
        int shift = (at & 1) * CELL_BITS;
        long kept = words[word] & ~(0xffff_ffffL << shift);
        ELEMENT.setRelease(words, word, kept | (content & 0xffff_ffffL) << shift);
    }

    /**
     * Tests all 32 cells without a branch. Takes one word of each bucket in turn; otherwise the first bucket would keep
     * a processor busy before it learns where the last one is.
     */
    @Override
    public boolean mightContain(long hash) {
        // The words are read plainly; the fence makes each query read them anew.
        VarHandle.acquireFence();
        long permuted0 = permuted(hash, 0);
        long permuted1 = permuted(hash, 1);
        long permuted2 = permuted(hash, 2);
        long permuted3 = permuted(hash, 3);
        int bucket0 = bucket(permuted0, 0);
        int bucket1 = bucket(permuted1, 1);
        int bucket2 = bucket(permuted2, 2);
        int bucket3 = bucket(permuted3, 3);
        long cell0 = inBothHalves(cell(permuted0));
        long cell1 = inBothHalves(cell(permuted1));
        long cell2 = inBothHalves(cell(permuted2));
        long cell3 = inBothHalves(cell(permuted3));
        long copies = 0;
        for (int i = 0; i < BUCKET_WORDS; i++) {
            copies |= copies(words[bucket0 + i], cell0)
                    | copies(words[bucket1 + i], cell1)
                    | copies(words[bucket2 + i], cell2)
                    | copies(words[bucket3 + i], cell3);
        }
        return copies != 0;
    }

    private static long inBothHalves(int cell) {
        return (cell & 0xffff_ffffL) * ONES;
    }

    /**
     * {@link #isCopyOf} for the two cells of a word: nonzero if one of them is. Neither sum carries into the next cell:
     * one shows in bit 28 whether fingerprints differ, the other in bit 4 whether the counter is above 0.
     */
    private static long copies(long word, long both) {
        long difference = word ^ both;
        long differs = (difference >>> COUNTER_BITS & FINGERPRINTS) + FINGERPRINTS;
        long used = (difference & COUNTERS) + COUNTERS;
        return used >>> COUNTER_BITS & ~(differs >>> FINGERPRINT_BITS) & ONES;
    }

    /**
     * {@inheritDoc}
     *
     * @throws IllegalArgumentException if there is less room for results than there are hashes
     */
    @Override
    public void mightContainAll(long[] hashes, boolean[] results) {
        Batches.requireRoom(hashes, results);
        // Each query fetches its four buckets at once; an extra round that only touches them first was measured to cost
        // more.
        for (int i = 0; i < hashes.length; i++) {
            results[i] = mightContain(hashes[i]);
        }
    }

    /** How many cells of each subtable are in use; package-private for the tests. */
    long[] loads() {
        long[] loads = new long[SUBTABLES];
        synchronized (writers.lock) {
            for (int t = 0; t < SUBTABLES; t++) {
                for (int i = 0; i < buckets; i++) {
                    loads[t] += used((t * buckets + i) * BUCKET_WORDS);
                }
            }
        }
        return loads;
    }

    @Override
    public long entries() {
        return writers.entries();
    }

    @Override
    public long capacity() {
        return capacity;
    }

    @Override
    public long bytes() {
        return OBJECT_BYTES + writers.bytes() + 16 + (long) words.length * Long.BYTES;
    }

    @Override
    public String toString() {
        return "DLeftCountingBloomFilter[entries=" + entries() + ", capacity=" + capacity + ", cells="
                + (long) SUBTABLES * buckets * CELLS + "]";
    }
}
