package io.github.untaken.filter;

import static io.github.untaken.filter.BitTable.ELEMENT;

/**
 * A Bloom filter that can forget: a four-bit counter in place of each bit, at four times the memory. Any error rate,
 * never full; over its capacity the error rate rises.
 *
 * <p>Readers take no lock, write nothing and allocate nothing, except that {@link #mightContainAll} allocates a hundred
 * bytes a call. Writers take a private lock, so calls from several threads are safe, though not faster.
 *
 * <p>A counter that has reached {@value #STUCK} is never lowered again, because the number of entries sharing it is no
 * longer known. So an entry that was added {@value #STUCK} times at once stays for good, which costs a store read; a
 * counter that wrapped or was lowered too far would lose its neighbours. Up to one less than that, copies are counted
 * exactly.
 */
/*
 * The probes of a hash are those of BloomFilter. If two of them hit the same counter, it counts the entry once;
 * otherwise a few copies of an entry would make it stick.
 *
 * A removal also lowers counters of other entries. But while an entry is held, each of its counters has at least the
 * one it added, so a reader beside a writer misses nothing that was there.
 *
 * Sources: Fan, Cao, Almeida, Broder, "Summary cache", 2000, which also shows that in a filter of the best size a
 * counter reaches 16 with a probability of about 1.4e-15 times the number of counters.
 */
final class CountingBloomFilter implements RemovableMembershipFilter {
    static final int STUCK = 15;
    static final int COUNTER_BITS = 4;
    private static final int COUNTERS_A_WORD = Long.SIZE / COUNTER_BITS;
    private static final int OBJECT_BYTES = 60;

    private final WriterSide writers = new WriterSide();
    private final long[] words;
    private final long counters;
    private final int probes;
    private final long capacity;

    /** The distinct counters of the current hash; used under the lock. */
    private final long[] places;

    CountingBloomFilter(FilterSizing plan) {
        this.words = new long[plan.words()];
        this.counters = plan.slots();
        this.probes = plan.probes();
        this.capacity = plan.expectedEntries();
        this.places = new long[probes];
    }

    /** Always finds room. */
    @Override
    public boolean add(long hash) {
        synchronized (writers.lock) {
            int different = findPlaces(hash);
            for (int i = 0; i < different; i++) {
                if (count(places[i]) < STUCK) {
                    change(places[i], 1);
                }
            }
            writers.count(1);
            return true;
        }
    }

    @Override
    public boolean remove(long hash) {
        synchronized (writers.lock) {
            int different = findPlaces(hash);
            for (int i = 0; i < different; i++) {
                if (count(places[i]) == 0) {
                    return false;
                }
            }
            for (int i = 0; i < different; i++) {
                if (count(places[i]) < STUCK) {
                    change(places[i], -1);
                }
            }
            writers.count(-1);
            return true;
        }
    }

    private int findPlaces(long hash) {
        int different = 0;
        long state = hash;
        for (int i = 0; i < probes; i++) {
            long place = UnsignedProduct.reduce(state, counters);
            boolean known = false;
            for (int k = 0; k < different; k++) {
                known |= places[k] == place;
            }
            if (!known) {
                places[different++] = place;
            }
            state *= BloomFilter.STEP;
        }
        return different;
    }

    /** 0 to 15. */
    private int count(long place) {
        return (int) ((long) ELEMENT.getAcquire(words, word(place)) >>> shift(place)) & STUCK;
    }

    private void change(long place, long by) {
        int word = word(place);
        ELEMENT.setRelease(words, word, words[word] + (by << shift(place)));
    }

    private static int word(long place) {
        return (int) (place / COUNTERS_A_WORD);
    }

    private static int shift(long place) {
        return (int) (place % COUNTERS_A_WORD) * COUNTER_BITS;
    }

    @Override
    public boolean mightContain(long hash) {
        return holdsFrom(hash, 0);
    }

    private boolean holdsFrom(long state, int probe) {
        long at = state;
        for (int i = probe; i < probes; i++) {
            if (count(UnsignedProduct.reduce(at, counters)) == 0) {
                return false;
            }
            at *= BloomFilter.STEP;
        }
        return true;
    }

    /**
     * {@inheritDoc}
     *
     * @throws IllegalArgumentException if there is less room for results than there are hashes
     */
    @Override
    public void mightContainAll(long[] hashes, boolean[] results) {
        Batches.requireRoom(hashes, results);
        int[] first = new int[Batches.GROUP];
        for (int from = 0; from < hashes.length; from += Batches.GROUP) {
            int size = Math.min(Batches.GROUP, hashes.length - from);
            for (int k = 0; k < size; k++) {
                first[k] = count(UnsignedProduct.reduce(hashes[from + k], counters));
            }
            for (int k = 0; k < size; k++) {
                results[from + k] = first[k] != 0 && holdsFrom(hashes[from + k] * BloomFilter.STEP, 1);
            }
        }
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
        return OBJECT_BYTES + writers.bytes() + 2 * 16 + ((long) words.length + places.length) * Long.BYTES;
    }

    @Override
    public String toString() {
        return "CountingBloomFilter[entries=" + entries() + ", capacity=" + capacity + ", counters=" + counters
                + ", probes=" + probes + "]";
    }
}
