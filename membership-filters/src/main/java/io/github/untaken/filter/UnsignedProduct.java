package io.github.untaken.filter;

/** The high half of an unsigned 64 x 64 bit product; the JDK has it only from 18 on. */
final class UnsignedProduct {
    private UnsignedProduct() {}

    static long high(long a, long b) {
        return Math.multiplyHigh(a, b) + ((a >> 63) & b) + ((b >> 63) & a);
    }

    /** Maps a uniform 64-bit hash uniformly to 0 .. bound - 1, for any positive bound; the top bits decide. */
    static long reduce(long hash, long bound) {
        return Math.multiplyHigh(hash, bound) + ((hash >> 63) & bound);
    }
}
