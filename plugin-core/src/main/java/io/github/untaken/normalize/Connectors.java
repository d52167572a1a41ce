package io.github.untaken.normalize;

import io.github.untaken.text.NormalForm;
import java.lang.Character.UnicodeScript;
import java.util.BitSet;

/**
 * What may stand only between two letters of a name. Every question is about one place of a text in NFKC.
 *
 * <p>The two joiners are invisible, so they are allowed only where they change what is visible and an orthography
 * requires that. The places are those of Unicode Standard Annex 31, rules A1, A2 and B, for the scripts below; the
 * annex allows more.
 */
final class Connectors {

    static final int NON_JOINER = 0x200C;
    static final int JOINER = 0x200D;
    static final int TSHEG = 0x0F0B;
    static final int MIDDLE_DOT = 0x00B7;
    static final int APOSTROPHE = '\'';

    private static final int SINHALA_VIRAMA = 0x0DCA;
    private static final int DEVANAGARI_VIRAMA = 0x094D;
    private static final int DEVANAGARI_RA = 0x0930;

    /** Arabic letters that join on both sides (Joining_Type Dual_Joining). */
    private static final BitSet JOINED_TO_BOTH =
            CodePoints.of("620 626 628 62a-62e 633-63f 641-647 649-64a 66e-66f 679-687 69a-6bf "
                    + "6c1-6c2 6cc 6ce 6d0-6d1 6fa-6fc 6ff 750-758 75c-76a 76d-770 772 775-777 77a-77f 886 889-88d 8a0-8a9 8af-8b0 8b3-8b8 "
                    + "8ba-8c8");

    /** Letters that join only to the one before (Right_Joining). */
    private static final BitSet JOINED_TO_THE_ONE_BEFORE = CodePoints.of(
            "622-625 627 629 62f-632 648 671-673 688-699 6c0 6c3-6cb "
                    + "6cd 6cf 6d2-6d3 6d5 6ee-6ef 759-75b 76b-76c 771 773-774 778-779 870-882 88e 8aa-8ac 8ae 8b1-8b2 8b9");

    /**
     * Signs that remove the vowel of the letter before, which then merges with the next one, unless a non-joiner stands
     * between. Excludes scripts in which the sign is visible either way, such as Tamil and Sinhala.
     */
    private static final BitSet MELTING_VIRAMAS = CodePoints.of("94d 9cd acd b4d c4d ccd d4d");

    private Connectors() {}

    /** Whether the default characters include it between letters. */
    static boolean isOfAScript(int c) {
        return c == NON_JOINER || c == JOINER || c == TSHEG;
    }

    /**
     * Whether it is in a valid place: between the right letters or, if it is visible, at an edge, which is checked
     * separately.
     */
    static boolean fits(String text, int at) {
        int c = text.codePointAt(at);
        int after = at + Character.charCount(c);
        int before = at == 0 ? -1 : text.codePointBefore(at);
        int next = after == text.length() ? -1 : text.codePointAt(after);
        return switch (c) {
            case NON_JOINER -> partsWhatWouldJoin(text, at, next) || partsWhatWouldMelt(text, at, next);
            case JOINER -> joinsWhatWouldPart(text, at, next);
            case TSHEG ->
                (before < 0 || isOf(UnicodeScript.TIBETAN, before))
                        && (next < 0 || isLetter(UnicodeScript.TIBETAN, next));
            case MIDDLE_DOT -> (before < 0 || before == 'l') && (next < 0 || next == 'l');
            case APOSTROPHE ->
                (before < 0 || isPartOfAWord(before)) && (next < 0 || Character.isLetter(next) || isHebrew(before));
            default -> false;
        };
    }

    /** Whether a name may end with its final connector: Hebrew George ends with a geresh. */
    static boolean mayEnd(String name) {
        int before = name.length() - 1;
        return before > 0 && name.charAt(before) == APOSTROPHE && isHebrew(name.codePointBefore(before));
    }

    /** Rule A1, in Arabic script: as in the Persian Ali-Reza, whose first part keeps its word-final form. */
    private static boolean partsWhatWouldJoin(String text, int at, int next) {
        int letter = baseBefore(text, at);
        return letter >= 0
                && next >= 0
                && JOINED_TO_BOTH.get(letter)
                && (JOINED_TO_BOTH.get(next) || JOINED_TO_THE_ONE_BEFORE.get(next));
    }

    /** Rule A2: as in the Telugu Rajkumar, whose j and k must not become one sign. */
    private static boolean partsWhatWouldMelt(String text, int at, int next) {
        int virama = at == 0 ? -1 : text.codePointBefore(at);
        return virama >= 0
                && MELTING_VIRAMAS.get(virama)
                && isAfterALetter(text, at, virama)
                && isLetter(UnicodeScript.of(virama), next);
    }

    /**
     * Rule B. In Sinhala after any virama, as in Sri. In Devanagari after that of ra, which has two forms before a
     * consonant; Marathi and Nepali need the other one. After other Devanagari letters most fonts show no difference.
     */
    private static boolean joinsWhatWouldPart(String text, int at, int next) {
        int virama = at == 0 ? -1 : text.codePointBefore(at);
        return switch (virama) {
            case SINHALA_VIRAMA -> isAfterALetter(text, at, virama) && isLetter(UnicodeScript.SINHALA, next);
            case DEVANAGARI_VIRAMA ->
                at > 1 && text.codePointBefore(at - 1) == DEVANAGARI_RA && isLetter(UnicodeScript.DEVANAGARI, next);
            default -> false;
        };
    }

    private static boolean isAfterALetter(String text, int at, int virama) {
        return isLetter(UnicodeScript.of(virama), baseBefore(text, at));
    }

    /** The character before a place, skipping marks that take no room of their own; negative if there is none. */
    private static int baseBefore(String text, int at) {
        for (int i = at; i > 0; ) {
            int c = text.codePointBefore(i);
            if (Character.getType(c) != Character.NON_SPACING_MARK) {
                return c;
            }
            i -= Character.charCount(c);
        }
        return -1;
    }

    private static boolean isLetter(UnicodeScript script, int c) {
        return c >= 0 && Character.isLetter(c) && UnicodeScript.of(c) == script;
    }

    private static boolean isOf(UnicodeScript script, int c) {
        return (Character.isLetter(c) || NormalForm.isMark(c)) && UnicodeScript.of(c) == script;
    }

    private static boolean isPartOfAWord(int c) {
        return Character.isLetter(c) || NormalForm.isMark(c);
    }

    private static boolean isHebrew(int c) {
        return c >= 0 && isLetter(UnicodeScript.HEBREW, c);
    }
}
