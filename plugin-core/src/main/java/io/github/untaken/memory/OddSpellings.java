package io.github.untaken.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.stream.LongStream;

/**
 * The keys of stored values that the store does not find by their key, such as a row of full-width letters: exactly, for the filter's
 * "maybe" and the store's "absent" together would call them free. Kept as 64-bit hashes, 16 to 32 bytes a key; two keys of one hash
 * would cost a free name, once in some 10^13 for a million of them.
 *
 * <p>An open-addressing table that only grows, until it is full. Asking takes no lock; changes come from one thread at a time.
 */
public final class OddSpellings {
    private static final VarHandle ELEMENT = MethodHandles.arrayElementVarHandle(long[].class);
    private static final int SMALLEST = 16;

    private final int limit;
    private volatile long[] table = new long[0];
    private volatile boolean full;
    private volatile int size;

    /** @param limit how many it may hold; a further one is not kept */
    public OddSpellings(int limit) {
        this.limit = limit;
    }

    /**
     * One that was kept.
     *
     * @param full whether it had to leave one out
     */
    static OddSpellings of(int limit, long[] hashes, boolean full) {
        OddSpellings odd = new OddSpellings(limit);
        for (long hash : hashes) {
            odd.add(hash);
        }
        odd.full |= full;
        return odd;
    }

    /** Each one, in any order; by the thread that changes it. */
    long[] hashes() {
        return LongStream.of(table).filter(hash -> hash != 0).toArray();
    }

    public boolean contains(long hash) {
        long[] seen = table;
        if (seen.length == 0) {
            return false;
        }
        long wanted = held(hash);
        int mask = seen.length - 1;
        for (int i = slot(wanted, mask); ; i = (i + 1) & mask) {
            long there = (long) ELEMENT.getAcquire(seen, i);
            if (there == wanted) {
                return true;
            }
            if (there == 0) {
                return false;
            }
        }
    }

    /** One thread at a time. */
    public void add(long hash) {
        if (contains(hash)) {
            return;
        }
        int kept = size;
        if (kept >= limit) {
            full = true;
            return;
        }
        if (2 * (kept + 1) > table.length) {
            grow();
        }
        put(table, held(hash));
        size = kept + 1;
    }

    /** A table at most half full, made aside: a reader of the old one finds all that it held. */
    private void grow() {
        long[] old = table;
        long[] larger = new long[Math.max(SMALLEST, 2 * old.length)];
        for (long hash : old) {
            if (hash != 0) {
                put(larger, hash);
            }
        }
        table = larger;
    }

    private static void put(long[] into, long hash) {
        int mask = into.length - 1;
        int i = slot(hash, mask);
        while (into[i] != 0) {
            i = (i + 1) & mask;
        }
        ELEMENT.setRelease(into, i, hash);
    }

    /** Zero marks an empty place. */
    private static long held(long hash) {
        return hash == 0 ? 1 : hash;
    }

    private static int slot(long hash, int mask) {
        return (int) (hash >>> 32) & mask;
    }

    /** Whether one could not be kept, so that a key may be odd although it is not here. */
    public boolean isFull() {
        return full;
    }

    /** Whether none was ever added. */
    public boolean isEmpty() {
        return table.length == 0;
    }

    public int limit() {
        return limit;
    }

    public int size() {
        return size;
    }

    public long bytes() {
        return (long) Long.BYTES * table.length;
    }
}
