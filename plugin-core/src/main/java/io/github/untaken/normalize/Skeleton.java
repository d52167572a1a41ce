package io.github.untaken.normalize;

import io.github.untaken.text.NormalForm;
import java.lang.Character.UnicodeScript;
import java.text.Normalizer;

/** What remains of a name without anything a hasty reader skips: separators, accents, the style of its digits. */
final class Skeleton {

    private Skeleton() {}

    static String of(String name) {
        String decomposed = Normalizer.normalize(FoldedText.of(name), Normalizer.Form.NFD);
        StringBuilder kept = new StringBuilder(decomposed.length());
        int before = 0;
        for (int i = 0; i < decomposed.length(); ) {
            int c = decomposed.codePointAt(i);
            i += Character.charCount(c);
            if (isKept(c, before)) {
                before = Character.isDigit(c) ? '0' + Character.digit(c, 10) : c;
                kept.appendCodePoint(before);
            }
        }
        return NormalForm.composed(kept.toString());
    }

    private static boolean isKept(int c, int before) {
        if (c < 0x80) {
            return Character.isLetterOrDigit(c);
        }
        if (UsernameCharacters.mark(c)) {
            return !isAccent(c);
        }
        if (Character.getType(c) == Character.MODIFIER_LETTER && UnicodeScript.of(c) == UnicodeScript.COMMON) {
            // Apostrophes and strokes; the kana length mark counts as one unless kana comes before.
            return c == 0x30FC && isEastAsian(before);
        }
        return Character.isLetterOrDigit(c) ? !isStroke(c) || isEastAsian(before) : Character.isIdeographic(c);
    }

    /** Whether such a stroke is a letter after this character. */
    private static boolean isEastAsian(int c) {
        return c >= 0x1100 && LatinReadings.of(c) == 0;
    }

    /**
     * Excludes the vowel signs of Indic scripts, which make another word, and the voicing marks of kana, which make
     * another letter.
     */
    private static boolean isAccent(int c) {
        return UnicodeScript.of(c) == UnicodeScript.INHERITED && c != 0x3099 && c != 0x309A;
    }

    /** Letters that are a stroke or a dot, and pass for a separator outside East Asian names. */
    static boolean isStroke(int c) {
        return c == 0x4E00 || c == 0x4E36 || c == 0x1173;
    }
}
