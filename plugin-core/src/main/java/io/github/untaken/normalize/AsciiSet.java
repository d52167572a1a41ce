package io.github.untaken.normalize;

import java.util.function.IntPredicate;

/** A set of ASCII characters, tested without a branch or a memory access for each character of a text. */
/*
 * Idea. A set is defined by its boundaries, the characters at which membership changes: a character that is not below
 * an odd number of them is a member. Eight ASCII characters make a word of eight-bit lanes. Adding 0x80 - b to a lane
 * sets its top bit if the character is not below b, and carries nothing into the next lane. So the XOR of one word's
 * sums with all boundaries has the top bit of each member. Eight boundaries are four ranges, enough for letters, digits
 * and . _ -; an unused boundary lies behind all characters and changes nothing. Sets of more ranges are tested one
 * character at a time.
 *
 * Why straight code. The words of a text of 8 to 24 characters overlap, as in the hash of a name. A loop of one to
 * three iterations compiles well in one JVM and badly in the next, and a whole check then takes half as long again.
 */
final class AsciiSet {
    private static final int BOUNDARIES = 8;

    /** The bits that are not set in any four ASCII characters. */
    private static final long NOT_ASCII = 0xff80_ff80_ff80_ff80L;

    private static final long LANES = 0x0101_0101_0101_0101L;
    private static final long TOPS = 0x8080_8080_8080_8080L;

    private final long low;
    private final long high;
    private final boolean inWords;
    private final long a;
    private final long b;
    private final long c;
    private final long d;
    private final long e;
    private final long f;
    private final long g;
    private final long h;

    private AsciiSet(long low, long high) {
        this.low = low;
        this.high = high;
        long[] summands = new long[BOUNDARIES];
        int found = 0;
        for (int at = 0; at < 0x80; at++) {
            if (contains(at) != (at > 0 && contains(at - 1))) {
                if (found < BOUNDARIES) {
                    summands[found] = (0x80 - at) * LANES;
                }
                found++;
            }
        }
        inWords = found <= BOUNDARIES;
        a = summands[0];
        b = summands[1];
        c = summands[2];
        d = summands[3];
        e = summands[4];
        f = summands[5];
        g = summands[6];
        h = summands[7];
    }

    static AsciiSet of(IntPredicate contained) {
        long low = 0;
        long high = 0;
        for (int c = 0; c < Long.SIZE; c++) {
            low |= contained.test(c) ? 1L << c : 0;
            high |= contained.test(c + Long.SIZE) ? 1L << c : 0;
        }
        return new AsciiSet(low, high);
    }

    boolean contains(int c) {
        return c < 0x80 && (bits(c) & 1) != 0;
    }

    boolean containsAll(String text) {
        int length = text.length();
        if (length < 4 || !inWords) {
            return containsEach(text);
        }
        if (length < 8) {
            return strangers(text, 0, length - 4) == 0;
        }
        long strangers = strangers(text, 0, 4) | strangers(text, length - 8, length - 4);
        if (length > 16) {
            strangers |= strangers(text, 8, 12);
        }
        for (int at = 16; at + 8 < length; at += 8) {
            strangers |= strangers(text, at, at + 4);
        }
        return strangers == 0;
    }

    private boolean containsEach(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (!contains(text.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    /** Nonzero if one of these eight characters, two groups of four, is not a member. */
    private long strangers(String text, int first, int second) {
        long some = four(text, first);
        long others = four(text, second);
        long word = some | (others << 8);
        return ((some | others) & NOT_ASCII) | (~members(word) & TOPS);
    }

    /** The top bit of each byte whose character is a member. */
    private long members(long word) {
        return (word + a) ^ (word + b) ^ (word + c) ^ (word + d) ^ (word + e) ^ (word + f) ^ (word + g) ^ (word + h);
    }

    private static long four(String text, int at) {
        return text.charAt(at)
                | ((long) text.charAt(at + 1) << 16)
                | ((long) text.charAt(at + 2) << 32)
                | ((long) text.charAt(at + 3) << 48);
    }

    /** The lowest bit is the character's. */
    private long bits(int c) {
        return (c < Long.SIZE ? low : high) >>> c;
    }
}
