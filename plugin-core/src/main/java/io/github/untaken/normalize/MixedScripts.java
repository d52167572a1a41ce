package io.github.untaken.normalize;

import static java.lang.Character.UnicodeScript.ARABIC;
import static java.lang.Character.UnicodeScript.BOPOMOFO;
import static java.lang.Character.UnicodeScript.COMMON;
import static java.lang.Character.UnicodeScript.HAN;
import static java.lang.Character.UnicodeScript.HANGUL;
import static java.lang.Character.UnicodeScript.HIRAGANA;
import static java.lang.Character.UnicodeScript.INHERITED;
import static java.lang.Character.UnicodeScript.KATAKANA;
import static java.lang.Character.UnicodeScript.LATIN;

import java.lang.Character.UnicodeScript;
import org.jspecify.annotations.Nullable;

/**
 * Whether a name mixes scripts or decimal digits in a way that no orthography does. What remains is the level "highly
 * restrictive" of Unicode Technical Standard 39 and its rule on mixed numbers, based on the JDK's tables. A name has
 * one script, or those mixed in Japanese, Chinese with Bopomofo, or Korean, including Latin. Characters of no script,
 * such as ASCII digits, separators and most marks, go with all.
 */
final class MixedScripts {

    private static final int JAPANESE = 1;
    private static final int CHINESE = 2;
    private static final int KOREAN = 4;

    private MixedScripts() {}

    static boolean in(String key) {
        UnicodeScript before = null;
        int writings = JAPANESE | CHINESE | KOREAN;
        int zero = -1;
        for (int i = 0; i < key.length(); ) {
            int c = key.codePointAt(i);
            i += Character.charCount(c);
            if (Character.getType(c) == Character.DECIMAL_DIGIT_NUMBER) {
                int itsZero = c - Character.digit(c, 10);
                if (zero >= 0 && zero != itsZero) {
                    return true;
                }
                zero = itsZero;
            }
            UnicodeScript script = script(c);
            if (script != null && script != before) {
                writings &= writingsWith(script);
                if (before != null && writings == 0) {
                    return true;
                }
                before = script;
            }
        }
        return false;
    }

    /** Null for characters that go with every script. */
    private static @Nullable UnicodeScript script(int c) {
        if (c < 0x80) {
            return Character.isLetter(c) ? LATIN : null;
        }
        UnicodeScript script = UnicodeScript.of(c);
        if (script != COMMON && script != INHERITED) {
            return script;
        }
        // Several scripts share these, but none that could be mistaken for anything here.
        if (c == 0x0640 || (c >= 0x064B && c <= 0x0655) || (c >= 0x0660 && c <= 0x0669) || c == 0x0670) {
            return ARABIC;
        }
        if (c == 0x3006 || (c >= 0x3031 && c <= 0x30FF)) {
            return KATAKANA;
        }
        return null;
    }

    private static int writingsWith(UnicodeScript script) {
        if (script == LATIN || script == HAN) {
            return JAPANESE | CHINESE | KOREAN;
        }
        if (script == HIRAGANA || script == KATAKANA) {
            return JAPANESE;
        }
        if (script == BOPOMOFO) {
            return CHINESE;
        }
        return script == HANGUL ? KOREAN : 0;
    }
}
