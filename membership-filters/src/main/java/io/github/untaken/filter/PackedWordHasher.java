package io.github.untaken.filter;

/** Folds the words of a string by wide multiplications under secret words. */
/*
 * Idea. Four characters make a word of 16-bit lanes. A string of 8 to 24 characters is covered by its first eight, its
 * last eight and, over 16, the eight from position 8 on. The words overlap, which is harmless since the length is
 * hashed too. If all characters are ASCII, each pair of words folds into one, so a user name is two or three words and
 * costs two or three wide multiplications, whose high and low halves are joined by XOR. Every word passes through two
 * of them, which is what it takes to flip each output bit half of the time. All other strings go through a chain of the
 * same step, eight characters at a time, under words of its own, so that an ASCII string and another never meet on the
 * same input.
 *
 * Every factor of a product of two words is masked by a secret word. A product forgets one factor when the other is
 * zero, and a constant mask would reveal which input does that. Behind a secret it is one input in 2^63, known to no
 * one. So no one can prepare names that collide, as long as no hash and no key is ever shown.
 *
 * Signs. The product must be unsigned: the signed product of -x and -y is that of x and y, and half of all odd numbers
 * differ from their negative in the same 63 bits. JDK 17 has only the signed one, but if neither factor has its top bit
 * set they are the same. ASCII words have it clear, and so do the secrets that mask them. Later products have one
 * factor that no name can aim at.
 *
 * Trade-offs. This is not a cryptographic PRF: there is no proof, only the absence of known attacks by someone who
 * cannot see hashes. SipHasher over the same words gives more, for a few nanoseconds. Reading by charAt needs no JVM
 * flag and no copy, and depends on the characters alone, not on how this JVM stores them. 64 bits, never 32: of 2^32
 * values, 50 million keys would already fill 1.2 %.
 *
 * Sources: the wide multiplication folded by XOR is the step of wyhash (Wang Yi, 2019, public domain); covering a short
 * string by overlapping words is common to CityHash and XXH3; the key is spread by the finalizer of SplitMix64 (Steele,
 * Lea, Flood: "Fast splittable pseudorandom number generators", 2014).
 */
final class PackedWordHasher extends KeyHasher {
    private static final long GOLDEN = 0x9e37_79b9_7f4a_7c15L;

    private final long first;
    private final long last;
    private final long middle;
    private final long start;
    private final long even;
    private final long end;

    PackedWordHasher(long k0, long k1) {
        first = spread(k0, k1, 1) & Long.MAX_VALUE;
        last = spread(k0, k1, 2) & Long.MAX_VALUE;
        middle = spread(k0, k1, 3);
        start = spread(k0, k1, 4);
        even = spread(k0, k1, 5);
        end = spread(k0, k1, 6);
    }

    @Override
    public long hash(String key) {
        int length = key.length();
        if (length > 24) {
            return chain(key, length);
        }
        if (length >= 8) {
            long a = four(key, 0);
            long b = four(key, 4);
            long c = four(key, length - 8);
            long d = four(key, length - 4);
            if (length <= 16) {
                return ((a | b | c | d) & NOT_ASCII) != 0
                        ? chain(key, length)
                        : join(a | (b << 8), c | (d << 8), middle, length);
            }
            long e = four(key, 8);
            long f = four(key, 12);
            return ((a | b | c | d | e | f) & NOT_ASCII) != 0
                    ? chain(key, length)
                    : join(a | (b << 8), c | (d << 8), fold((e | (f << 8)) ^ start, even) ^ middle, length);
        }
        if (length >= 4) {
            long a = four(key, 0);
            long b = four(key, length - 4);
            return ((a | b) & NOT_ASCII) != 0 ? chain(key, length) : join(a | (b << 8), 0, middle, length);
        }
        long word = upToThree(key, length);
        return (word & NOT_ASCII) != 0 ? chain(key, length) : join(word, 0, middle, length);
    }

    private long join(long a, long b, long factor, int length) {
        return fold(fold(a ^ first, b ^ last) ^ length, factor);
    }

    /** The length comes last: next to the first word, a change of the word could cancel it out. */
    private long chain(String key, int length) {
        long state = start;
        if (length >= 8) {
            for (int at = 0; at + 8 < length; at += 8) {
                state = foldUnsigned(four(key, at) ^ even, four(key, at + 4) ^ state);
            }
            state = foldUnsigned(four(key, length - 8) ^ even, four(key, length - 4) ^ state);
        } else if (length >= 4) {
            state = foldUnsigned(four(key, 0) ^ even, four(key, length - 4) ^ state);
        } else {
            state = foldUnsigned(upToThree(key, length) ^ even, state);
        }
        return foldUnsigned(state ^ length ^ middle, end);
    }

    private static long fold(long a, long b) {
        return Math.multiplyHigh(a, b) ^ (a * b);
    }

    private static long foldUnsigned(long a, long b) {
        return UnsignedProduct.high(a, b) ^ (a * b);
    }

    private static long spread(long k0, long k1, int index) {
        return finalizer(finalizer(k0 + index * GOLDEN) ^ k1);
    }

    private static long finalizer(long z) {
        long y = (z ^ (z >>> 30)) * 0xbf58_476d_1ce4_e5b9L;
        long x = (y ^ (y >>> 27)) * 0x94d0_49bb_1331_11ebL;
        return x ^ (x >>> 31);
    }

    @Override
    public String toString() {
        return "KeyHasher[packed words, 128-bit key]";
    }
}
