package io.github.untaken.benchmarks.subjects;

/** Plain bits, of any number. */
final class BitTable {
    private final long[] words;
    private final long bits;

    BitTable(long bits) {
        words = new long[(int) ((bits + Long.SIZE - 1) / Long.SIZE)];
        this.bits = bits;
    }

    /** Of a hash that is uniform over 32 bits, taken as unsigned. */
    long place(int hash) {
        return Integer.toUnsignedLong(hash) % bits;
    }

    /** Of a hash that is uniform over 64 bits. */
    long place(long hash) {
        return (hash >>> 1) % bits;
    }

    void set(long place) {
        words[(int) (place >>> 6)] |= 1L << place;
    }

    boolean get(long place) {
        return (words[(int) (place >>> 6)] & (1L << place)) != 0;
    }
}
