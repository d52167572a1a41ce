package io.github.untaken.normalize;

import java.util.function.IntPredicate;

/** Some of the ASCII characters, told with neither a branch nor a look into memory. */
record AsciiSet(long low, long high) {

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
        long all = 1;
        int wide = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            wide |= c;
            all &= bits(c);
        }
        return wide < 0x80 && all != 0;
    }

    /** The lowest is that of the character. */
    private long bits(int c) {
        return (c < Long.SIZE ? low : high) >>> c;
    }
}
