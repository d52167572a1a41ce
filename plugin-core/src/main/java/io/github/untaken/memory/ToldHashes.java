package io.github.untaken.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The exact hashes of the names that one generation was told of since its birth. Nothing is removed. Once full, it
 * claims to contain every hash, so that no told name passes for untold.
 *
 * <p>Each of 64 stripes is an open-addressing table, at most half full: 16 to 32 bytes a hash. Asking takes no lock;
 * adding takes the stripe's. Two names with the same hash cost only extra reads.
 */
final class ToldHashes {
    /** How many it holds by default: 16 to 32 MiB. */
    static final int MOST = 1 << 20;

    private static final VarHandle ELEMENT = MethodHandles.arrayElementVarHandle(long[].class);
    private static final int STRIPES = 64;
    private static final int SMALLEST = 4;

    /** 0 marks an empty slot; no hash is stored as 0, see {@link #held}. */
    private static final class Stripe {
        private volatile long[] table = new long[0];
        private int size; // guarded by this

        boolean contains(long hash) {
            long[] seen = table;
            if (seen.length == 0) {
                return false;
            }
            int mask = seen.length - 1;
            for (int i = slot(hash, mask); ; i = (i + 1) & mask) {
                long there = (long) ELEMENT.getAcquire(seen, i);
                if (there == hash) {
                    return true;
                }
                if (there == 0) {
                    return false;
                }
            }
        }

        /** Whether it is new. */
        synchronized boolean add(long hash) {
            if (contains(hash)) {
                return false;
            }
            if (2 * (size + 1) > table.length) {
                grow();
            }
            put(table, hash);
            size++;
            return true;
        }

        /** Builds the new table aside, so a reader of the old one finds all that it held. */
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

        private static int slot(long hash, int mask) {
            return (int) (hash >>> 32) & mask;
        }
    }

    private final Stripe[] stripes = new Stripe[STRIPES];
    private final AtomicInteger size = new AtomicInteger();
    private final int most;
    private volatile boolean full;

    /** @param most how many it holds; the next one makes it full */
    ToldHashes(int most) {
        this.most = most;
        for (int i = 0; i < STRIPES; i++) {
            stripes[i] = new Stripe();
        }
    }

    /** Whether this hash was told, or may have been. */
    boolean contains(long hash) {
        return full || stripe(hash).contains(held(hash));
    }

    void add(long hash) {
        if (full) {
            return;
        }
        if (size.get() >= most) {
            full = true;
        } else if (stripe(hash).add(held(hash))) {
            size.incrementAndGet();
        }
    }

    /** Whether so much of it is used that an empty one is due. */
    boolean isHalfFull() {
        return full || size.get() > most / 2;
    }

    int size() {
        return size.get();
    }

    /** Of all slots, used or not. */
    long bytes() {
        long places = 0;
        for (Stripe stripe : stripes) {
            places += stripe.table.length;
        }
        return places * Long.BYTES;
    }

    private Stripe stripe(long hash) {
        return stripes[(int) hash & STRIPES - 1];
    }

    private static long held(long hash) {
        return hash == 0 ? 1 : hash;
    }
}
