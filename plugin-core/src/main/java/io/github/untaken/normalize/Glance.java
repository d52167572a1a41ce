package io.github.untaken.normalize;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Recognises, by five of their characters, most texts that look like no name of a list. Characters it does not know may
 * be anything.
 */
final class Glance {

    /**
     * For each ASCII character the letter that it may be read as, i for l and b for g; negative if it is neither letter
     * nor digit.
     */
    private static final byte[] CODES = codes();

    /** The same for a text's last character, where a digit is a number and passes for no letter. */
    private static final byte[] LAST_CODES = lastCodes();

    /** The code of any number. */
    private static final int NUMBER = 26;

    private static final int CODE_BITS = 5;

    /** From here on, a {@link FoldedText#isPlain} character has one form, and most look like nothing else. */
    private static final int EAST_ASIAN = 0x3041;

    private static final int TABLE_BITS = 16;

    /** A bit for each character from {@link #EAST_ASIAN} on that may be read as something else. */
    private static final long[] READ_OTHERWISE = readOtherwise();

    /** A bit for the codes of the first three and the last two characters of each name. */
    private final long[] ends = new long[1 << TABLE_BITS - 6];

    /** A bit for the first character of each name, and for each character that may be read as something else. */
    private final long[] beginnings = READ_OTHERWISE.clone();

    /** By character; most names share a few. Used while names are added. */
    private final Map<Integer, int[]> codesThatMayPass = new HashMap<>();

    void add(String skeleton) {
        if (skeleton.isEmpty()) {
            return;
        }
        set(beginnings, skeleton.charAt(0));
        int[] points = skeleton.codePoints().toArray();
        int end = points.length - 1;
        if (end == 0) {
            return;
        }
        int[] looked = {points[0], points[1], points[Math.min(2, end)], points[end - 1]};
        for (int last : codesAtTheEnd(points[end])) {
            addAll(looked, 0, 0, last);
        }
    }

    /** The codes of the characters from there on, in all ways each may be written, then the last one. */
    private void addAll(int[] looked, int from, int codes, int last) {
        if (from == looked.length) {
            set(ends, codes << CODE_BITS | last);
            return;
        }
        for (int code : codesFor(looked[from])) {
            addAll(looked, from + 1, codes << CODE_BITS | code, last);
        }
    }

    private static int[] codesAtTheEnd(int c) {
        return Character.isDigit(c) ? new int[] {NUMBER} : codesThatMayPass('a', 'z', c);
    }

    private int[] codesFor(int c) {
        return codesThatMayPass.computeIfAbsent(c, point -> codesThatMayPass(0, CODES.length - 1, point));
    }

    /** False only if the text neither is nor looks like a name whose skeleton was added. */
    boolean mayResemble(String text) {
        int end = text.length() - 1;
        if (end < 1) {
            return true;
        }
        char first = text.charAt(0);
        char second = text.charAt(1);
        char third = text.charAt(Math.min(2, end));
        char beforeLast = text.charAt(end - 1);
        char last = text.charAt(end);
        if ((first | second | third | beforeLast | last) >= CODES.length) {
            return mayBegin(first, second);
        }
        int codes = (code(first) << CODE_BITS | code(second)) << CODE_BITS | code(third);
        codes = (codes << CODE_BITS | code(beforeLast)) << CODE_BITS | LAST_CODES[last & 0x7F];
        return codes < 0 || isSet(ends, codes); // negative if one of them is
    }

    /** For an ASCII character; the mask tells the compiler that the index is in bounds. */
    private static int code(int c) {
        return CODES[c & 0x7F];
    }

    private boolean mayBegin(char first, char second) {
        boolean plain = first >= EAST_ASIAN && FoldedText.isPlain(first) && FoldedText.isPlain(second);
        return !plain || isSet(beginnings, first);
    }

    /** For the ASCII characters in this range. */
    private static int[] codesThatMayPass(int from, int to, int c) {
        return IntStream.rangeClosed(from, to)
                .filter(ascii -> CODES[ascii] >= 0 && LatinReadings.mayPass(ascii, c))
                .map(ascii -> CODES[ascii])
                .distinct()
                .toArray();
    }

    private static boolean isSet(long[] table, int number) {
        int bit = bit(number);
        return (table[bit >>> 6] >>> bit & 1) != 0;
    }

    private static void set(long[] table, int number) {
        int bit = bit(number);
        table[bit >>> 6] |= 1L << bit;
    }

    private static int bit(int number) {
        return number * 0x9E3779B1 >>> Integer.SIZE - TABLE_BITS;
    }

    private static long[] readOtherwise() {
        long[] table = new long[1 << TABLE_BITS - 6];
        for (int c = EAST_ASIAN; c <= Character.MAX_VALUE; c++) {
            if (LatinReadings.of(c) != 0 || Skeleton.isStroke(c)) {
                set(table, c);
            }
        }
        return table;
    }

    private static byte[] lastCodes() {
        byte[] codes = CODES.clone();
        Arrays.fill(codes, '0', '9' + 1, (byte) NUMBER);
        return codes;
    }

    private static byte[] codes() {
        byte[] codes = new byte[0x80];
        for (int c = 0; c < codes.length; c++) {
            boolean plain = Character.isDigit(c) || Character.isLowerCase(c);
            int letters = plain ? LatinReadings.of(c) : 0;
            codes[c] = (byte) (letters == 0 ? -1 : Integer.numberOfTrailingZeros(letters));
        }
        codes['l'] = codes['i'];
        codes['g'] = codes['b'];
        return codes;
    }
}
