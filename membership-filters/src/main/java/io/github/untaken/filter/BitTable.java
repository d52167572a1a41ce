package io.github.untaken.filter;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** What filters of single bits share: counting the bits of one or two tables, and combining two. */
final class BitTable {
    static final VarHandle ELEMENT = MethodHandles.arrayElementVarHandle(long[].class);

    private BitTable() {}

    static long ones(long[] words) {
        long ones = 0;
        for (int i = 0; i < words.length; i++) {
            ones += Long.bitCount((long) ELEMENT.getAcquire(words, i));
        }
        return ones;
    }

    static long onesInEither(long[] words, long[] others) {
        long ones = 0;
        for (int i = 0; i < words.length; i++) {
            ones += Long.bitCount((long) ELEMENT.getAcquire(words, i) | (long) ELEMENT.getAcquire(others, i));
        }
        return ones;
    }

    static void copyEither(long[] words, long[] others, long[] into) {
        for (int i = 0; i < into.length; i++) {
            ELEMENT.setRelease(into, i, (long) ELEMENT.getAcquire(words, i) | (long) ELEMENT.getAcquire(others, i));
        }
    }

    static void copyBoth(long[] words, long[] others, long[] into) {
        for (int i = 0; i < into.length; i++) {
            ELEMENT.setRelease(into, i, (long) ELEMENT.getAcquire(words, i) & (long) ELEMENT.getAcquire(others, i));
        }
    }
}
