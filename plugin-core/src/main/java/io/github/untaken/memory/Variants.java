package io.github.untaken.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * The folds of stored values that are spelt differently, such as the fold of "Alice" where keys are lower-case: names
 * that look like a taken name. They serve a policy, not the promise, so 32 bits of a hash are enough: with a million of
 * them, one free name in some 4,000 looks like a variant.
 *
 * <p>An open-addressing table, at most three quarters full: 5 to 11 bytes a fold. Asking takes no lock.
 */
final class Variants {
    /** Beyond this nothing is added; the promise does not depend on it. */
    private static final int MOST = 1 << 28;

    private static final VarHandle ELEMENT = MethodHandles.arrayElementVarHandle(int[].class);
    private static final int SMALLEST = 16;

    private volatile int[] table = new int[0];
    private volatile int size;

    boolean contains(long hash) {
        return holds(fingerprint(hash));
    }

    synchronized void add(long hash) {
        add(fingerprint(hash));
    }

    synchronized void addAll(int[] fingerprints) {
        for (int fingerprint : fingerprints) {
            add(fingerprint);
        }
    }

    private void add(int fingerprint) {
        int kept = size;
        if (kept >= MOST || holds(fingerprint)) {
            return;
        }
        if (4L * (kept + 1) > 3L * table.length) {
            grow();
        }
        put(table, fingerprint);
        size = kept + 1;
    }

    private boolean holds(int fingerprint) {
        int[] seen = table;
        return seen.length > 0 && at(seen, slot(seen, fingerprint)) == fingerprint;
    }

    private void grow() {
        int[] old = table;
        int[] larger = new int[Math.max(SMALLEST, 2 * old.length)];
        for (int fingerprint : old) {
            if (fingerprint != 0) {
                put(larger, fingerprint);
            }
        }
        table = larger;
    }

    private static void put(int[] into, int fingerprint) {
        ELEMENT.setRelease(into, slot(into, fingerprint), fingerprint);
    }

    /** All of them, in any order. */
    synchronized int[] fingerprints() {
        return Arrays.stream(table).filter(there -> there != 0).toArray();
    }

    int size() {
        return size;
    }

    long bytes() {
        return (long) Integer.BYTES * table.length;
    }

    /** Uses other bits than the filter looks at first; zero marks an empty slot. */
    private static int fingerprint(long hash) {
        int folded = (int) (hash ^ hash >>> 32);
        return folded == 0 ? 1 : folded;
    }

    /** Where it is, or else the empty slot in which it belongs. */
    private static int slot(int[] in, int fingerprint) {
        int mask = in.length - 1;
        int i = (fingerprint ^ fingerprint >>> 15) & mask;
        for (int there = at(in, i); there != fingerprint && there != 0; there = at(in, i)) {
            i = (i + 1) & mask;
        }
        return i;
    }

    private static int at(int[] seen, int slot) {
        return (int) ELEMENT.getAcquire(seen, slot);
    }
}
