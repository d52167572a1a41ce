package io.github.untaken.normalize;

import io.github.untaken.text.NormalForm;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The folded form of a text without accents, and without other differences that accent-insensitive collations ignore.
 * It is meant to be at least as coarse as the first strength of the Unicode Collation Algorithm, for anything that can
 * equal a text of Latin letters. For other scripts it is so where that is easy; elsewhere the database says so.
 */
final class BaseLetters {
    /** Changes with each change of the function. */
    static final String NAME = "base letters 1 of " + FoldedText.NAME;

    /** Far more than any text is known to need. */
    private static final int ROUNDS = 8;

    /** What the algorithm ignores at its first strength: marks and invisible characters. Ranges of code points. */
    private static final String IGNORED =
            "0-8 e-1f 7f-84 86-9f ad 300-362 483-489 591-5bd 5bf 5c1-5c2 5c4-5c5 5c7 600-605 610-61a 61c 640 "
                    + "64b-65f 670 6d6-6dd 6df-6e4 6e7-6e8 6ea-6ed 70f 711 730-74a 7eb-7f3 7fa 818-819 81c-82d 859-85b "
                    + "8d4-903 93c 951-954 981-983 9bc a01-a03 a3c a70-a71 a81-a83 abc afa-aff b01-b03 b3c b82 c00-c03 "
                    + "c81-c83 cbc d00-d03 d82-d83 e47-e4e ec8-ecd f18-f19 f35 f37 f39 f3e-f3f f7e-f7f f82-f83 f86-f87 fc6 "
                    + "1036-1038 135d-135f 17b4-17b5 17c6-17d1 17d3 17dd 180a-180e 1939-193b 1a74-1a7c 1a7f 1ab0-1abe "
                    + "1b00-1b04 1b34 1b6b-1b73 1b80-1b82 1be6 1c37 1cd0-1ce8 1ced 1cf2-1cf4 1cf7-1cf9 1dc0-1dc9 1dcb-1dd1 "
                    + "1df5-1df9 1dfb-1dff 200b-200f 202a-202e 2060-2064 2066-206f 20d0-20f0 2cef-2cf1 2d7f 302a-302f "
                    + "3099-309a a66f-a672 a67c-a67d a6f0-a6f1 a80b a880-a881 a8c5 a8e0-a8f1 a92b-a92d a980-a983 a9b3 aabf "
                    + "aac1 abec fb1e fc5e-fc63 fcf2-fcf4 fe00-fe0f fe20-fe2f fe70-fe74 fe76-fe7f feff ff9e-ff9f fff9-fffb "
                    + "101fd 102e0 10a0d-10a0f 10a38-10a3a 10ae5-10ae6 11000-11002 11080-11082 110ba 110bd 11100-11102 "
                    + "11173 11180-11182 111ca-111cc 11234 11236-11237 1123e 112df 112e9 11300-11303 1133c 11366-1136c "
                    + "11370-11374 11443-11446 114bf-114c1 114c3 115bc-115be 115c0 1163d-1163e 11640 116ab-116ac 116b7 "
                    + "11a33 11a35-11a39 11a96-11a98 11c3c-11c3e 11cb5-11cb6 11d40-11d43 16af0-16af4 16b30-16b36 "
                    + "1bc9d-1bc9e 1bca0-1bca3 1d165-1d169 1d16d-1d182 1d185-1d18b 1d1aa-1d1ad 1d242-1d244 1da00-1da36 "
                    + "1da3b-1da6c 1da75 1da84 1da9b-1da9f 1daa1-1daaf 1e8d0-1e8d6 1e944-1e94a e0001 e0020-e007f "
                    + "e0100-e01ef b7 387";

    /** Letters that have a weight but no decomposition: with strokes or hooks, ligatures, letters above others. */
    private static final String LETTERS =
            "a 363 1d8f 1dd3 1df2 2c65 a79b; b 180 183 253 1de8; c 188 23c 255 368 1dd7; d f0 111 18c 221 256 257 "
                    + "369 1d9e 1dd8 1dd9 a77a 1f1a5; e 247 364; f 192 1deb a77c; g 1e5 260 1d79 1dda a7a1; h 127 266 36a "
                    + "2c68; i 131 268 365; j 237 249 29d; k 199 1ddc 2c6a a741 a743 a745 a7a3; l 140 142 19a 234 26b 26c "
                    + "26d 1ddd 2c61 a749; m 271 36b; n 19e 235 272 273 1de0 a7a5; o f8 275 366 1ded 1df3 a74b a74d a79d; p "
                    + "1a5 1d7d 1dee a751 a753 a755 1f18a; q 24b a757 a759; r 24d 27c 27d 27e 36c 1dca a783 a7a7; s 23f 282 "
                    + "1de4 1de5 a785 a7a9; t 167 1ad 236 288 36d 2c66 a787; u 289 367 1df0 1df4 a79f; v 28b 36e a75f; w "
                    + "1df1 2c73; x 36f; y 1b4 24f; z 1b6 225 240 290 291 1de6 2c6c a763; 2k 1f19d; 3d 1f19b; 4k 1f19e; 8k "
                    + "1f19f; aa a733; ab 1f18e; ae e6 1dd4; ao 1dd5 a735; au a737; av 1dd6 a739 a73b; ay a73d; cl 1f191; "
                    + "db 238; dz 2a3; hc 1f1a6; hv 195; ic 1f18b; id 1f194; ll 1efb; ls 2aa; lz 2ab; ng 1f196; oe 153; ok "
                    + "1f197; oo a74f; pa 1f18c; qp 239; sa 1f18d; ss df; th fe 1d7a; ts 1be 2a6; tz a729; ue 1d6b; vs 1f19a; "
                    + "vy a761; wc 1f18f; zw 18d; 5.1 1f1a0; 60p 1f1a3; 7.1 1f1a1; hdr 1f1a7; new 1f195; shv 1f1aa; sos "
                    + "1f198; uhd 1f1ab; up! 1f199; vod 1f1ac; 120p 1f1a4; 22.2 1f1a2; cool 1f192; free 1f193; hi-res "
                    + "1f1a8; lossless 1f1a9; \u00f0 1dd9; \u0251 1de7; \u0259 1dea; \u0262 1ddb; \u0274 1de1; \u0280 1de2; "
                    + "\u0283 1def; \u029f 1dde; \u03c3 37c 3f2; \u0430 2df6; \u0431 2de0; \u0432 2de1; \u0433 2de2; \u0434 "
                    + "2de3; \u0435 2df7; \u0436 2de4; \u0437 2de5; \u0438 a675; \u043a 2de6; \u043b 2de7; \u043c 2de8; "
                    + "\u043d 2de9; \u043e 2dea; \u043f 2deb; \u0440 2dec; \u0441 2ded; \u0442 2dee; \u0443 a677; \u0444 "
                    + "a69e; \u0445 2def; \u0446 2df0; \u0447 2df1; \u0448 2df2; \u0449 2df3; \u044a a678; \u044b a679; "
                    + "\u044c a67a; \u044e 2dfb; \u0454 a674; \u0456 a676; \u0461 a67b; \u0463 2dfa; \u0465 a69f; \u0467 "
                    + "2dfd; \u046b 2dfe; \u046d 2dff; \u0473 2df4; \u1d0d 1ddf; \ua649 2df8; \ua64b 2df9; \ua657 2dfc; "
                    + "\ua75b 1de3; \ua76f 1dd2; \ua77a 1dd8; \ua785 1de5; \ua7b5 1de9; \uab38 1dec";

    private static final BitSet GONE = CodePoints.of(IGNORED);
    private static final Map<Integer, String> PLAIN = plain();

    private BaseLetters() {}

    private static Map<Integer, String> plain() {
        Map<Integer, String> plain = new HashMap<>();
        for (String group : LETTERS.split("; ", -1)) {
            String[] letters = group.split(" ", -1);
            for (int i = 1; i < letters.length; i++) {
                plain.put(Integer.parseInt(letters[i], 16), letters[0]);
            }
        }
        for (int i = 0; i < 26; i++) { // circled and squared letters
            plain.put(0x1F150 + i, Character.toString('a' + i));
            plain.put(0x1F170 + i, Character.toString('a' + i));
        }
        return plain;
    }

    /** Returns the argument itself, mostly without allocating, if nothing changes. */
    static String of(String text) {
        if (isPlain(text)) {
            return text;
        }
        // First, because some signs for a lone mark would decompose into a space and the mark.
        String before = FoldedText.of(bare(text, false));
        for (int round = 0; round < ROUNDS && !isPlain(before); round++) {
            String after = FoldedText.of(bare(NormalForm.decomposed(before), true));
            if (after.equals(before)) {
                return before;
            }
            before = after;
        }
        return before;
    }

    private static boolean isPlain(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c >= 0x7F || c < ' ' || c >= 'A' && c <= 'Z') {
                return false;
            }
        }
        return true;
    }

    private static String bare(String text, boolean plainly) {
        StringBuilder bare = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); ) {
            int c = text.codePointAt(i);
            if (!GONE.get(c)) {
                String plain = plainly && c >= 0x80 ? plain(c) : null;
                if (plain == null) {
                    bare.appendCodePoint(c);
                } else {
                    bare.append(plain);
                }
            }
            i += Character.charCount(c);
        }
        return bare.toString();
    }

    @SuppressWarnings("CharacterGetNumericValue") // no Latin letter is a number of these types
    private static @Nullable String plain(int c) {
        if (c >= 0x30A1 && c <= 0x30F6 || c == 0x30FD || c == 0x30FE) {
            return plainHiragana(c - 0x60); // katakana are in the same order as hiragana
        }
        if (c >= 0x3041 && c <= 0x3096) {
            return plainHiragana(c);
        }
        if (c >= 0x0F2A && c <= 0x0F33) {
            return Integer.toString((c - 0x0F29) % 10); // Tibetan half digits
        }
        return switch (Character.getType(c)) {
            case Character.DECIMAL_DIGIT_NUMBER -> Integer.toString(Character.digit(c, 10));
            case Character.OTHER_NUMBER -> number(Character.getNumericValue(c), false);
            case Character.LETTER_NUMBER -> number(Character.getNumericValue(c), true);
            default -> PLAIN.get(c);
        };
    }

    /** @param byItsFirstDigit such as the Attic sign for five thousand, which sorts as a five */
    private static @Nullable String number(int value, boolean byItsFirstDigit) {
        if (value < 0) {
            return null;
        }
        String digits = Integer.toString(value);
        return byItsFirstDigit ? digits.substring(0, 1) : digits;
    }

    /** A small letter precedes its large form. */
    private static @Nullable String plainHiragana(int c) {
        return switch (c) {
            case 0x3041, 0x3043, 0x3045, 0x3047, 0x3049, 0x3063, 0x3083, 0x3085, 0x3087, 0x308E ->
                Character.toString(c + 1);
            case 0x3095 -> "\u304b";
            case 0x3096 -> "\u3051";
            default -> Character.toString(c);
        };
    }

    /** Whether it is invisible and ignored by collations. */
    static boolean isInvisible(int c) {
        return GONE.get(c) && !UsernameCharacters.mark(c) || UsernameCharacters.isInvisible(c);
    }
}
