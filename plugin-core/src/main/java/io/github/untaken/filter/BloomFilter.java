package io.github.untaken.filter;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A Bloom filter: any error rate, no removal, never full; over its capacity the error rate rises.
 *
 * <p>Readers take no lock, write nothing and allocate nothing, except that {@link #mightContainAll} allocates a hundred bytes
 * a call. Writers take a private lock, so calls from several threads are safe, though not faster.
 */
/*
 * The k bits of a hash are the high parts of hash, hash * S, hash * S * S and so on, each reduced to the table by a wide
 * multiplication: as the high part of a product depends on every bit of its factors, one 64-bit hash is enough. Adding a
 * fixed second hash instead, as is common, makes keys with two near halves collide in all bits, which shows in small tables.
 * A negative answer needs two probes on average whatever k is, since half of the bits are 0. Each bit only ever goes
 * from 0 to 1, so a reader beside a writer can miss nothing that was there.
 *
 * Sources: Bloom, "Space/time trade-offs in hash coding with allowable errors", 1970; repeated multiplication of one hash is
 * what the block filters of RocksDB do.
 */
final class BloomFilter implements MembershipFilter {
    private static final VarHandle ELEMENT = MethodHandles.arrayElementVarHandle(long[].class);
    private static final long STEP = 0x9e37_79b9_7f4a_7c15L;
    private static final int GROUP = 16;
    private static final int OBJECT_BYTES = 80;

    private final Object lock = new Object();
    private final long[] words;
    private final long bits;
    private final int probes;
    private final long capacity;

    /** Written under the lock, read without it. */
    private final AtomicLong entries = new AtomicLong();

    BloomFilter(FilterSizing plan) {
        this.words = new long[plan.words()];
        this.bits = plan.bits();
        this.probes = plan.probes();
        this.capacity = plan.expectedEntries();
    }

    /** Always finds room. */
    @Override
    public boolean add(long hash) {
        synchronized (lock) {
            long state = hash;
            for (int i = 0; i < probes; i++) {
                long bit = UnsignedProduct.reduce(state, bits);
                int word = (int) (bit >>> 6);
                ELEMENT.setRelease(words, word, words[word] | (1L << bit));
                state *= STEP;
            }
            entries.lazySet(entries.get() + 1);
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
        long[] loaded = new long[GROUP];
        for (int from = 0; from < hashes.length; from += GROUP) {
            int size = Math.min(GROUP, hashes.length - from);
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
    public long entries() {
        return entries.get();
    }

    @Override
    public long capacity() {
        return capacity;
    }

    @Override
    public long bytes() {
        return OBJECT_BYTES + 16 + (long) words.length * Long.BYTES;
    }

    @Override
    public String toString() {
        return "BloomFilter[entries=" + entries + ", capacity=" + capacity + ", bits=" + bits + ", probes=" + probes
                + "]";
    }
}
