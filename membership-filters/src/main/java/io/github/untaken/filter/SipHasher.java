package io.github.untaken.filter;

/** SipHash-1-3 over the words of a string. */
/*
 * The message, in bytes: first the characters, then their number as four bytes, then one byte that says how they were
 * packed. If none needs more than eight bits, eight characters make a word of eight bytes, in the order 0 4 1 5 2 6 3
 * 7, which combining two words of four lanes gives directly. Otherwise four characters make a word, the low byte of
 * each first. A string that is not a multiple of a word long ends with a word of its last characters, some of them
 * repeated. A string shorter than a word is covered by one word of its first and last characters, which overlap; one
 * shorter than four by its first, middle and last. The usual string, 8 to 24 characters of eight bits, has its first
 * and its last word and, over 16, the second before both. Since the number of characters and the packing are included,
 * no two strings have the same message, so nothing of what SipHash promises is lost. (Aumasson, Bernstein: "SipHash: a
 * fast short-input PRF", 2012; one round a word and three at the end are the form that the authors call fast, and that
 * Rust and Python use for their hash tables.)
 */
final class SipHasher extends KeyHasher {
    private final long v0;
    private final long v1;
    private final long v2;
    private final long v3;

    SipHasher(long k0, long k1) {
        v0 = k0 ^ 0x736f_6d65_7073_6575L;
        v1 = k1 ^ 0x646f_7261_6e64_6f6dL;
        v2 = k0 ^ 0x6c79_6765_6e65_7261L;
        v3 = k1 ^ 0x7465_6462_7974_6573L;
    }

    @Override
    public long hash(String key) {
        int length = key.length();
        return length >= 8 && length <= 24 ? ofUsualLength(key, length) : ofAnyLength(key, length, false);
    }

    /** Nearly all names and phone numbers. */
    private long ofUsualLength(String key, int length) {
        long low = four(key, 0);
        long high = four(key, 4);
        long lastLow = four(key, length - 8);
        long lastHigh = four(key, length - 4);
        long all = low | high | lastLow | lastHigh;
        long middle = 0;
        if (length > 16) {
            long middleLow = four(key, 8);
            long middleHigh = four(key, 12);
            all |= middleLow | middleHigh;
            middle = middleLow | middleHigh << 8;
        }
        if ((all & WIDE) != 0) {
            return ofAnyLength(key, length, true);
        }
        return ofWords(length, low | high << 8, middle, lastLow | lastHigh << 8);
    }

    /** One more round for more than 16; then two loops of three, short enough for the compiler to unroll. */
    private long ofWords(int length, long first, long middle, long last) {
        long end = last(length, length > 16 ? 3 : 2, false);
        long a = v0;
        long b = v1;
        long c = v2;
        long d = v3;
        if (length > 16) {
            d ^= middle;
            a += b;
            c += d;
            b = Long.rotateLeft(b, 13) ^ a;
            d = Long.rotateLeft(d, 16) ^ c;
            a = Long.rotateLeft(a, 32) + d;
            c += b;
            d = Long.rotateLeft(d, 21) ^ a;
            b = Long.rotateLeft(b, 17) ^ c;
            c = Long.rotateLeft(c, 32);
            a ^= middle;
        }
        for (int block = 0; block < 3; block++) {
            long mixed = block == 0 ? first : block == 1 ? last : end;
            d ^= mixed;
            a += b;
            c += d;
            b = Long.rotateLeft(b, 13) ^ a;
            d = Long.rotateLeft(d, 16) ^ c;
            a = Long.rotateLeft(a, 32) + d;
            c += b;
            d = Long.rotateLeft(d, 21) ^ a;
            b = Long.rotateLeft(b, 17) ^ c;
            c = Long.rotateLeft(c, 32);
            a ^= mixed;
        }
        c ^= 0xff;
        for (int round = 0; round < 3; round++) {
            a += b;
            c += d;
            b = Long.rotateLeft(b, 13) ^ a;
            d = Long.rotateLeft(d, 16) ^ c;
            a = Long.rotateLeft(a, 32) + d;
            c += b;
            d = Long.rotateLeft(d, 21) ^ a;
            b = Long.rotateLeft(b, 17) ^ c;
            c = Long.rotateLeft(c, 32);
        }
        return a ^ b ^ c ^ d;
    }

    /** One loop over words, last block and finalization, which differ only in what is mixed in. */
    private long ofAnyLength(String key, int length, boolean wide) {
        int words = Math.max(1, wide ? (length + 3) >>> 2 : (length + 7) >>> 3);
        long a = v0;
        long b = v1;
        long c = v2;
        long d = v3;
        for (int block = 0; block < words + 4; block++) {
            long mixed = 0;
            if (block < words) {
                long low = low(key, length, block, wide);
                long high = wide ? 0 : high(key, length, block);
                if (!wide && ((low | high) & WIDE) != 0) {
                    return ofAnyLength(key, length, true);
                }
                mixed = low | high << 8;
            } else if (block == words) {
                mixed = last(length, words, wide);
            } else if (block == words + 1) {
                c ^= 0xff;
            }
            d ^= mixed;
            a += b;
            c += d;
            b = Long.rotateLeft(b, 13) ^ a;
            d = Long.rotateLeft(d, 16) ^ c;
            a = Long.rotateLeft(a, 32) + d;
            c += b;
            d = Long.rotateLeft(d, 21) ^ a;
            b = Long.rotateLeft(b, 17) ^ c;
            c = Long.rotateLeft(c, 32);
            a ^= mixed;
        }
        return a ^ b ^ c ^ d;
    }

    /** The number of characters and the packing, which follow the words, and the total number of bytes. */
    private static long last(int length, int words, boolean wide) {
        return length | (wide ? 1L << 32 : 0) | (words * 8L + 5) << 56;
    }

    private static long low(String key, int length, int block, boolean wide) {
        int width = wide ? 4 : 8;
        if (length >= width) {
            return four(key, Math.min(block * width, length - width));
        }
        return length >= 4 ? four(key, 0) : upToThree(key, length);
    }

    private static long high(String key, int length, int block) {
        if (length >= 8) {
            return four(key, Math.min(block * 8, length - 8) + 4);
        }
        return length >= 4 ? four(key, length - 4) : 0;
    }

    @Override
    public String toString() {
        return "KeyHasher[SipHash-1-3, 128-bit key]";
    }
}
