package io.github.untaken.benchmarks.subjects;

/**
 * The cheapest hash that is right for every string and still spreads well: no key, one wide multiplication for a Latin-1
 * string of 8 to 24 characters. It stands for what every lookup has to pay for, and protects against nobody.
 */
public final class BareHash {
    private static final long ONE = 0xa076_1d64_78bd_642fL;
    private static final long TWO = 0xe703_7ed1_a0b4_28dbL;
    private static final long WIDE = 0xff00_ff00_ff00_ff00L;

    private BareHash() {}

    /** Of any string. */
    public static long hash(String key) {
        int length = key.length();
        if (length < 8 || length > 24) {
            return ofAny(key);
        }
        long a = four(key, 0);
        long b = four(key, 4);
        long c = four(key, length - 8);
        long d = four(key, length - 4);
        long all = a | b | c | d;
        long middle = length;
        if (length > 16) {
            long e = four(key, 8);
            long f = four(key, 12);
            all |= e | f;
            middle = (e | f << 8) * ONE;
        }
        if ((all & WIDE) != 0) {
            return ofAny(key);
        }
        long x = (a | b << 8) ^ ONE;
        long y = (c | d << 8) ^ TWO ^ middle;
        return Math.multiplyHigh(x, y) ^ (x * y);
    }

    private static long ofAny(String key) {
        long hash = key.length();
        for (int i = 0; i < key.length(); i++) {
            hash = (hash ^ key.charAt(i)) * ONE;
            hash ^= hash >>> 32;
        }
        return hash;
    }

    private static long four(String key, int at) {
        return key.charAt(at)
                | ((long) key.charAt(at + 1) << 16)
                | ((long) key.charAt(at + 2) << 32)
                | ((long) key.charAt(at + 3) << 48);
    }
}
