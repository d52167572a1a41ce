package io.github.untaken.text;

import java.text.Normalizer;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * The result of {@link Normalizer} in time proportional to the text. The JDK's sorts the marks on a letter by
 * insertion, and moves the rest of the text each time it joins certain vowel signs: a stranger could keep it busy for
 * minutes with a megabyte. So it is given pieces, in which little can be moved; the marks are sorted here, by their
 * class.
 */
public final class NormalForm {

    /** For this many characters, quadratic time does not matter. */
    private static final int PIECE = 128;

    /** Built only for the first long text, since it takes a while. */
    private static final class Marks {
        /** By code point: the place among the marks of one letter, from 1 on; 0 for characters that do not move. */
        static final byte[] PLACES = places();
    }

    private NormalForm() {}

    /** NFKC. */
    public static String composed(String text) {
        if (text.length() <= PIECE) {
            return Normalizer.normalize(text, Normalizer.Form.NFKC);
        }
        String parts = decomposed(text);
        StringBuilder composed = new StringBuilder(text.length());
        String open = ""; // what may still be joined to what follows
        for (int from = 0; from < parts.length(); ) {
            int to = Math.min(from + PIECE, parts.length());
            // A run of marks stays in one piece, or each of its pieces would take along all before it.
            while (to < parts.length() && !isBoundary(parts, to)) {
                to++;
            }
            String piece = Normalizer.normalize(open + parts.substring(from, to), Normalizer.Form.NFC);
            int last = Math.max(0, piece.length() - 1);
            while (last > 0 && !isBoundary(piece, last)) {
                last--;
            }
            composed.append(piece, 0, last);
            open = piece.substring(last);
            from = to;
        }
        return composed.append(open).toString();
    }

    /** NFKD. */
    public static String decomposed(String text) {
        if (text.length() <= PIECE) {
            return Normalizer.normalize(text, Normalizer.Form.NFKD);
        }
        StringBuilder parts = new StringBuilder(text.length());
        for (int from = 0; from < text.length(); ) {
            int to = Math.min(from + PIECE, text.length());
            to += to < text.length() && isInsideAPair(text, to) ? 1 : 0;
            parts.append(Normalizer.normalize(text.substring(from, to), Normalizer.Form.NFKD));
            from = to;
        }
        sort(parts);
        return parts.toString();
    }

    /** Each piece is sorted already; a run of marks that continues in the next piece may not be. */
    private static void sort(StringBuilder parts) {
        int begin = 0;
        int before = 0;
        boolean sorted = true;
        for (int i = 0; i < parts.length(); ) {
            int c = parts.codePointAt(i);
            int place = place(c);
            if (place == 0 && !sorted) {
                sort(parts, begin, i);
                sorted = true;
            }
            i += Character.charCount(c);
            if (place == 0) {
                begin = i;
            }
            sorted &= place == 0 || before <= place;
            before = place;
        }
        if (!sorted) {
            sort(parts, begin, parts.length());
        }
    }

    private static void sort(StringBuilder parts, int begin, int end) {
        Map<Integer, StringBuilder> places = new TreeMap<>();
        parts.substring(begin, end)
                .codePoints()
                .forEach(c -> places.computeIfAbsent(place(c), place -> new StringBuilder())
                        .appendCodePoint(c));
        int i = begin;
        for (StringBuilder marks : places.values()) {
            for (int k = 0; k < marks.length(); k++) {
                parts.setCharAt(i++, marks.charAt(k));
            }
        }
    }

    /** Whether nothing before this index is sorted behind what starts here. */
    private static boolean isBoundary(String text, int index) {
        return !isInsideAPair(text, index) && place(text.codePointAt(index)) == 0;
    }

    private static boolean isInsideAPair(String text, int index) {
        return Character.isLowSurrogate(text.charAt(index)) && Character.isHighSurrogate(text.charAt(index - 1));
    }

    /** Whether it stands on, under or around the character before it. */
    public static boolean isMark(int c) {
        int type = Character.getType(c);
        return type == Character.NON_SPACING_MARK
                || type == Character.COMBINING_SPACING_MARK
                || type == Character.ENCLOSING_MARK;
    }

    private static int place(int c) {
        return c < Marks.PLACES.length ? Marks.PLACES[c] : 0;
    }

    /** Finds the places by trying the current JDK, which does not reveal them otherwise. */
    private static byte[] places() {
        List<Integer> marks = IntStream.rangeClosed(0, Character.MAX_CODE_POINT)
                .filter(NormalForm::isMark)
                .filter(c -> Normalizer.isNormalized(Character.toString(c), Normalizer.Form.NFD))
                .filter(c -> comesBefore(c, 0x0345) || comesBefore(0x0334, c)) // the last place of all, and the first
                .boxed()
                .sorted(NormalForm::compare)
                .toList();
        byte[] places = new byte[Collections.max(marks) + 1];
        byte place = 1;
        for (int i = 0; i < marks.size(); i++) {
            place += (byte) (i > 0 && compare(marks.get(i - 1), marks.get(i)) < 0 ? 1 : 0);
            places[marks.get(i)] = place;
        }
        return places;
    }

    private static int compare(int mark, int other) {
        return comesBefore(mark, other) ? -1 : comesBefore(other, mark) ? 1 : 0;
    }

    /** Whether the two are swapped if they stand the other way round. */
    private static boolean comesBefore(int mark, int other) {
        return !Normalizer.isNormalized(Character.toString(other) + Character.toString(mark), Normalizer.Form.NFD);
    }
}
