package io.github.untaken.filter;

import static io.github.untaken.filter.BitTable.ELEMENT;

/**
 * A Bloom filter: any error rate, no removal, never full; over its capacity the error rate rises.
 *
 * <p>Readers take no lock, write nothing and allocate nothing, except that {@link #mightContainAll} allocates a hundred bytes
 * a call. Writers take a private lock, so calls from several threads are safe, though not faster.
 */
/*
 * The k bits of a hash are the high parts of hash, hash * S, hash * S * S and so on, each reduced to the table by a
 * wide multiplication. The high part of a product depends on every bit of its factors, so one 64-bit hash is enough.
 * The common alternative, adding a fixed second hash, makes keys with two similar halves collide in all bits, which
 * shows in small tables. A negative answer needs two probes on average whatever k is, since half of the bits are 0. A
 * bit only ever goes from 0 to 1, so a reader beside a writer misses nothing that was there.
 *
 * With n different entries a bit is still 0 with probability (1 - 1/m)^kn, so X set bits of m indicate about n = -(m/k)
 * ln(1 - X/m) entries.
 *
 * Sources: Bloom, "Space/time trade-offs in hash coding with allowable errors", 1970; repeated multiplication of one
 * hash is what the block filters of RocksDB do; the estimates: Swamidass, Baldi, "Mathematical correction for
 * fingerprint similarity measures to improve chemical retrieval", 2007.
 */
final class BloomFilter extends BitFilter {
    static final long STEP = 0x9e37_79b9_7f4a_7c15L;

    private final long bits;
    private final int probes;

    BloomFilter(FilterSizing plan) {
        this(BitShape.of(plan), plan.words(), plan.expectedEntries());
    }

    BloomFilter(FilterSizing plan, KeyHasher hasher) {
        this(BitShape.of(plan, hasher), plan.words(), plan.expectedEntries());
    }

    private BloomFilter(BitShape shape, int words, long capacity) {
        super(shape, words, capacity);
        this.bits = shape.bits();
        this.probes = shape.probes();
    }

    @Override
    BloomFilter empty() {
        return new BloomFilter(shape, words.length, capacity());
    }

    /** Always finds room. */
    @Override
    public boolean add(long hash) {
        synchronized (writers.lock) {
            long state = hash;
            for (int i = 0; i < probes; i++) {
                long bit = UnsignedProduct.reduce(state, bits);
                int word = (int) (bit >>> 6);
                ELEMENT.setRelease(words, word, words[word] | (1L << bit));
                state *= STEP;
            }
            writers.count(1);
            return true;
        }
    }

    @Override
    public boolean mightContain(long hash) {
        return holdsFrom(hash, 0);
    }

    private boolean holdsFrom(long state, int probe) {
        long at = state;
        for (int i = probe; i < probes; i++) {
            if (!holdsBit(at)) {
                return false;
            }
            at *= STEP;
        }
        return true;
    }

    private boolean holdsBit(long state) {
        long bit = UnsignedProduct.reduce(state, bits);
        return (((long) ELEMENT.getAcquire(words, (int) (bit >>> 6)) >>> bit) & 1) != 0;
    }

    /**
     * {@inheritDoc}
     *
     * @throws IllegalArgumentException if there is less room for results than there are hashes
     */
    @Override
    public void mightContainAll(long[] hashes, boolean[] results) {
        Batches.requireRoom(hashes, results);
        long[] loaded = new long[Batches.GROUP];
        for (int from = 0; from < hashes.length; from += Batches.GROUP) {
            int size = Math.min(Batches.GROUP, hashes.length - from);
            for (int k = 0; k < size; k++) {
                long bit = UnsignedProduct.reduce(hashes[from + k], bits);
                loaded[k] = (long) ELEMENT.getAcquire(words, (int) (bit >>> 6)) >>> bit;
            }
            for (int k = 0; k < size; k++) {
                results[from + k] = (loaded[k] & 1) != 0 && holdsFrom(hashes[from + k] * STEP, 1);
            }
        }
    }

    @Override
    double entriesFor(long ones) {
        return -(double) bits / probes * Math.log1p(-(double) ones / bits);
    }

    /** How many bits are set in each of this many equal regions of the table; package-private for the tests. */
    long[] onesByRegion(int regions) {
        long[] ones = new long[regions];
        for (int i = 0; i < words.length; i++) {
            ones[(int) ((long) i * regions / words.length)] += Long.bitCount((long) ELEMENT.getAcquire(words, i));
        }
        return ones;
    }
}
