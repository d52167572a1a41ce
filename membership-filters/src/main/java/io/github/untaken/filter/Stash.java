package io.github.untaken.filter;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * A small exact multiset of hashes that a cuckoo filter's table had no room for. Immutable, so readers take one
 * reference and need no lock; a change makes a new one.
 *
 * <p>A count that has reached {@link #STUCK} is never lowered again, because the true count is no longer known. One
 * entry too many costs a store read; one too few is a wrong answer.
 */
final class Stash {
    /** Most different hashes it holds. */
    static final int LIMIT = 256;

    static final int STUCK = 0xffff;

    static final Stash EMPTY = new Stash(0);

    private static final long SPREAD = 0x9e37_79b9_7f4a_7c15L;

    /** Open addressing, at most a quarter full; a count of 0 marks a free slot. */
    private final long[] hashes;

    private final int[] counts;
    private final int different;

    private Stash(int different) {
        int places = Math.max(4, Integer.highestOneBit(Math.max(1, different)) * 8);
        this.hashes = new long[places];
        this.counts = new int[places];
        this.different = different;
    }

    boolean holds(long hash) {
        return counts[place(hash)] != 0;
    }

    /** This with one more entry of the hash; itself if the count is stuck; never {@link #EMPTY}. */
    Stash plus(long hash) {
        int count = counts[place(hash)];
        return count == STUCK ? this : with(hash, count + 1);
    }

    /** This with one entry of the hash less; itself if the count is stuck. The hash must be held. */
    Stash minus(long hash) {
        int count = counts[place(hash)];
        return count == STUCK ? this : with(hash, count - 1);
    }

    /** Whether the count of a held hash can still be lowered. */
    boolean canRelease(long hash) {
        return counts[place(hash)] != STUCK;
    }

    /** Whether {@link #plus} may be called. */
    boolean hasRoomFor(long hash) {
        return different < LIMIT || holds(hash);
    }

    /** The bytes of its two arrays and their headers. */
    long bytes() {
        return 56 + (long) hashes.length * (Long.BYTES + Integer.BYTES);
    }

    /** Each hash held, once. */
    long[] hashes() {
        long[] held = new long[different];
        int next = 0;
        for (int i = 0; i < counts.length; i++) {
            if (counts[i] != 0) {
                held[next++] = hashes[i];
            }
        }
        return held;
    }

    int different() {
        return different;
    }

    void write(DataOutput out) throws IOException {
        out.writeInt(different);
        for (int i = 0; i < counts.length; i++) {
            if (counts[i] != 0) {
                out.writeLong(hashes[i]);
                out.writeInt(counts[i]);
            }
        }
    }

    /** Reads what {@link #write} wrote. */
    static Stash read(DataInput in) throws IOException {
        int different = in.readInt();
        Stash read = different == 0 ? EMPTY : new Stash(different);
        for (int i = 0; i < different; i++) {
            read.put(in.readLong(), in.readInt());
        }
        return read;
    }

    private Stash with(long hash, int count) {
        int before = counts[place(hash)] == 0 ? 0 : 1;
        int after = count == 0 ? 0 : 1;
        if (different - before + after == 0) {
            return EMPTY;
        }
        Stash next = new Stash(different - before + after);
        for (int i = 0; i < counts.length; i++) {
            if (counts[i] != 0 && hashes[i] != hash) {
                next.put(hashes[i], counts[i]);
            }
        }
        if (count != 0) {
            next.put(hash, count);
        }
        return next;
    }

    private void put(long hash, int count) {
        int place = place(hash);
        hashes[place] = hash;
        counts[place] = count;
    }

    private int place(long hash) {
        int place = (int) ((hash * SPREAD) >>> 32) & (hashes.length - 1);
        while (counts[place] != 0 && hashes[place] != hash) {
            place = (place + 1) & (hashes.length - 1);
        }
        return place;
    }
}
