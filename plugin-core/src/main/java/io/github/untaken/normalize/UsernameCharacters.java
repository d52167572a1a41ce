package io.github.untaken.normalize;

import java.lang.Character.UnicodeScript;

/** Which characters may stand in a user name, and where. Every question is about one code point of a key. */
final class UsernameCharacters {

    private UsernameCharacters() {}

    /** Letters, digits and marks of any script, ideographic numbers, and {@code . _ -}; nothing that cannot be seen. */
    static boolean allowed(int c) {
        if (c < 0x80) {
            return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || !mayStandAtAnEdge(c);
        }
        return switch (Character.getType(c)) {
            case Character.UPPERCASE_LETTER,
                    Character.LOWERCASE_LETTER,
                    Character.TITLECASE_LETTER,
                    Character.MODIFIER_LETTER,
                    Character.OTHER_LETTER,
                    Character.DECIMAL_DIGIT_NUMBER,
                    Character.NON_SPACING_MARK,
                    Character.COMBINING_SPACING_MARK -> !invisible(c);
            // The ideographic zero, which Chinese and Japanese names use, is a number to Unicode.
            case Character.LETTER_NUMBER -> Character.isIdeographic(c);
            default -> false;
        };
    }

    static boolean mayStandAtAnEdge(int c) {
        return c != '.' && c != '_' && c != '-';
    }

    /** What no policy can allow: half of a character, or something that only controls a device. */
    static boolean neverAllowed(int c) {
        int type = Character.getType(c);
        return type == Character.SURROGATE || type == Character.CONTROL;
    }

    static boolean mark(int c) {
        int type = Character.getType(c);
        return type == Character.NON_SPACING_MARK
                || type == Character.COMBINING_SPACING_MARK
                || type == Character.ENCLOSING_MARK;
    }

    /** Whether a mark may stand on this character: punctuation and digits of ASCII take none. */
    static boolean carriesMarks(int c) {
        return c >= 0x80 || Character.isLetter(c);
    }

    /** How much of a name a character is: one of these scripts says as much as two letters. */
    static int weight(int c) {
        if (c < 0x1100) {
            return 1;
        }
        UnicodeScript script = UnicodeScript.of(c);
        boolean syllableOrWord = script == UnicodeScript.HAN
                || script == UnicodeScript.HANGUL
                || script == UnicodeScript.HIRAGANA
                || script == UnicodeScript.KATAKANA;
        return syllableOrWord ? 2 : 1;
    }

    /** Letters and marks that Unicode lets a renderer leave out; two names could look the same but for them. */
    private static boolean invisible(int c) {
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
