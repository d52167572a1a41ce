package io.github.untaken.normalize;

import io.github.untaken.text.NormalForm;
import java.lang.Character.UnicodeScript;
import java.util.function.IntPredicate;

/** Which characters may stand in a user name, and where. Every question is about one code point of a key. */
final class UsernameCharacters {

    /** {@link #allowed} as a single object, to be recognised by identity. */
    static final IntPredicate DEFAULT = UsernameCharacters::allowed;

    /** Hebrew; Latin, Greek, Cyrillic and Armenian come before it. */
    private static final int FIRST_WITHOUT_CAPITALS = 0x0590;

    private UsernameCharacters() {}

    /**
     * Letters, digits and marks of any script, ideographic numbers, and {@code . _ -}; no invisible characters and no
     * small capitals.
     */
    static boolean allowed(int c) {
        if (c < 0x80) {
            return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || !mayStandAtAnEdge(c);
        }
        if (smallCapital(c)) {
            return false;
        }
        return switch (Character.getType(c)) {
            case Character.UPPERCASE_LETTER,
                    Character.LOWERCASE_LETTER,
                    Character.TITLECASE_LETTER,
                    Character.MODIFIER_LETTER,
                    Character.OTHER_LETTER,
                    Character.DECIMAL_DIGIT_NUMBER,
                    Character.NON_SPACING_MARK,
                    Character.COMBINING_SPACING_MARK -> !isInvisible(c);
            // The ideographic zero, used in Chinese and Japanese names, is a number in Unicode.
            case Character.LETTER_NUMBER -> Character.isIdeographic(c);
            default -> false;
        };
    }

    static boolean mayStandAtAnEdge(int c) {
        return c != '.' && c != '_' && c != '-';
    }

    /** What no policy can allow: half of a character, or a device control. */
    static boolean neverAllowed(int c) {
        int type = Character.getType(c);
        return type == Character.SURROGATE || type == Character.CONTROL;
    }

    static boolean mark(int c) {
        return NormalForm.isMark(c);
    }

    /** Whether a mark may stand on this character: ASCII punctuation and digits take none. */
    static boolean carriesMarks(int c) {
        return c >= 0x80 || Character.isLetter(c);
    }

    /**
     * How much of a name a character is. A letter without a capital belongs to a script that writes syllables or omits
     * vowels, so two of them are as long a name as three letters of an alphabet. Many people's names are one Han
     * character or one Hangul syllable.
     */
    static int weight(int c) {
        if (c < FIRST_WITHOUT_CAPITALS) {
            return 1;
        }
        UnicodeScript script = UnicodeScript.of(c);
        if (Character.getType(c) == Character.OTHER_LETTER) {
            boolean isAName = script == UnicodeScript.HAN && !Skeleton.isStroke(c) || isHangulSyllable(c);
            return isAName ? 3 : 2;
        }
        boolean repeatsSuch = script == UnicodeScript.HAN
                || script == UnicodeScript.HANGUL
                || script == UnicodeScript.HIRAGANA
                || script == UnicodeScript.KATAKANA;
        return repeatsSuch ? 2 : 1;
    }

    private static boolean isHangulSyllable(int c) {
        return c >= 0xAC00 && c <= 0xD7A3;
    }

    /** Letters of phonetic alphabets that are not used for names, but repeat the letters of a name in another size. */
    private static boolean smallCapital(int c) {
        return (c >= 0x1D00 && c <= 0x1D2B)
                || c == 0x0262 // G
                || c == 0x026A // I
                || c == 0x0274 // N
                || c == 0x0280 // R
                || c == 0x028F // Y
                || c == 0x0299 // B
                || c == 0x029C // H
                || c == 0x029F // L
                || c == 0xA730 // F
                || c == 0xA731 // S
                || c == 0xA7AF; // Q
    }

    /** Letters and marks that Unicode lets a renderer omit; two names could look the same without them. */
    static boolean isInvisible(int c) {
        return c == 0x034F // combining grapheme joiner
                || (c >= 0x115F && c <= 0x1160) // Hangul fillers
                || (c >= 0x17B4 && c <= 0x17B5) // Khmer inherent vowels
                || (c >= 0x180B && c <= 0x180F) // Mongolian variation selectors
                || c == 0x3164 // Hangul filler
                || (c >= 0xFE00 && c <= 0xFE0F) // variation selectors
                || c == 0xFFA0 // half-width Hangul filler
                || (c >= 0xE0100 && c <= 0xE01EF); // variation selectors
    }
}
