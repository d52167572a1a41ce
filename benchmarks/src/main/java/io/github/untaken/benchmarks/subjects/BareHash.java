package io.github.untaken.benchmarks.subjects;

/**
 * The cheapest hash of a short Latin-1 string that still spreads well: no key, one wide multiplication. It stands for what
 * every lookup has to pay for; it protects against nobody and handles no other strings.
 */
public final class BareHash {
    private static final long ONE = 0xa076_1d64_78bd_642fL;
    private static final long TWO = 0xe703_7ed1_a0b4_28dbL;

    private BareHash() {}

    /** Of a Latin-1 string of 8 to 24 characters. */
    public static long hash(String key) {
        int length = key.length();
        long first = eight(key, 0);
        long last = eight(key, length - 8);
        long middle = length > 16 ? eight(key, 8) * ONE : length;
        long a = first ^ ONE;
        long b = last ^ TWO ^ middle;
        return Math.multiplyHigh(a, b) ^ (a * b);
    }

    private static long eight(String key, int at) {
        return four(key, at) | (four(key, at + 4) << 8);
    }

    private static long four(String key, int at) {
        return key.charAt(at)
                | ((long) key.charAt(at + 1) << 16)
                | ((long) key.charAt(at + 2) << 32)
                | ((long) key.charAt(at + 3) << 48);
    }
}
