package io.github.untaken.normalize;

import io.github.untaken.text.NormalForm;
import java.util.Locale;

/**
 * The form of a text in which compatibility variants, canonical variants and case no longer differ.
 *
 * <p>One round is: NFKC; simple upper case of each code point; NFKD; removal of a dot above an {@code I}; simple lower
 * case of each code point; NFKC. Rounds are repeated until nothing changes. Upper case comes first because lower case
 * alone separates pairs that databases and {@link String#equalsIgnoreCase} hold equal, such as the two small sigmas.
 * The dot is removed because the simple lower case of the dotted capital I is a plain {@code i}; it is removed from the
 * decomposed text because other marks may stand between the letter and its dot. Mapping code points, not whole strings,
 * keeps the result independent of context (a final sigma) and locale.
 */
final class FoldedText {

    /** Raise it with each change of what {@link #of} makes of any text. */
    static final String NAME = "folded text 1";

    /** Far more than any text is known to need, which is two. */
    private static final int ROUNDS = 8;

    private static final int COMBINING_IOTA = 0x0345;
    private static final int DOT_ABOVE = 0x0307;

    private FoldedText() {}

    /** The folded form; the argument itself, mostly without allocating, if it is already folded. */
    static String of(String text) {
        if (isPlain(text)) {
            return text;
        }
        if (isAscii(text)) {
            return text.toLowerCase(Locale.ROOT);
        }
        String before = text;
        for (int round = 0; round < ROUNDS; round++) {
            String after = round(before);
            if (after.equals(before)) {
                return before;
            }
            before = after;
        }
        return before;
    }

    private static String round(String text) {
        String upper = mapped(NormalForm.composed(text), true);
        String undotted = withoutDots(NormalForm.decomposed(upper));
        return NormalForm.composed(mapped(undotted, false));
    }

    private static String withoutDots(String decomposed) {
        if (decomposed.indexOf(DOT_ABOVE) < 0) {
            return decomposed;
        }
        StringBuilder kept = new StringBuilder(decomposed.length());
        boolean onAnI = false;
        for (int i = 0; i < decomposed.length(); ) {
            int c = decomposed.codePointAt(i);
            onAnI = c == 'I' || (onAnI && UsernameCharacters.mark(c));
            if (c != DOT_ABOVE || !onAnI) {
                kept.appendCodePoint(c);
            }
            i += Character.charCount(c);
        }
        return kept.toString();
    }

    private static String mapped(String text, boolean toUpper) {
        StringBuilder mapped = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); ) {
            int c = text.codePointAt(i);
            mapped.appendCodePoint(toUpper ? upper(c) : Character.toLowerCase(c));
            i += Character.charCount(c);
        }
        return mapped.toString();
    }

    /**
     * The combining iota is not changed: its upper case is a letter, and the order in which marks were typed, which
     * normalization makes meaningless, would then matter again.
     */
    private static int upper(int c) {
        return c == COMBINING_IOTA ? c : Character.toUpperCase(c);
    }

    private static boolean isAscii(String text) {
        int all = 0;
        for (int i = 0; i < text.length(); i++) {
            all |= text.charAt(i);
        }
        return all < 0x80;
    }

    private static boolean isPlain(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (!isPlain(text.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    /**
     * Whether a character stands for itself in any text of such characters: it is its own fold, and never the second
     * half of a composition. The ranges cover most names; anything else takes the slow path to the same result.
     */
    static boolean isPlain(char c) {
        if (c < 0x80) {
            return c < 'A' || c > 'Z';
        }
        return (c >= 0x4E00 && c <= 0x9FFF) // Han
                || (c >= 0xAC00 && c <= 0xD7A3) // Hangul syllables
                || (c >= 0x3041 && c <= 0x3096) // Hiragana
                || (c >= 0x30A1 && c <= 0x30FA) // Katakana
                || (c >= 0x00E0 && c <= 0x00FF) // Latin
                || (c >= 0x0430 && c <= 0x045F) // Cyrillic
                || (c >= 0x03B1 && c <= 0x03C9 && c != 0x03C2); // Greek without the final sigma
    }
}
