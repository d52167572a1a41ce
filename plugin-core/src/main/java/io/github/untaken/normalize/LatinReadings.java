package io.github.untaken.normalize;

import java.util.HashMap;
import java.util.Map;

/**
 * Which of the letters a to z a character may be read as. Digits are read as children and spammers do. From other
 * scripts, the table has the letters of Cyrillic, Greek and Armenian, and a few East Asian ones, whose small or capital
 * form looks Latin in usual fonts; also Latin letters with a stroke or of phonetic alphabets. The idea is that of the
 * skeletons of Unicode Technical Standard 39; the table is our own, and short.
 */
final class LatinReadings {

    /** In alphabetical order: what may be read as that letter. */
    private static final String[] READ_AS = {
        "4\u0430\u03B1\u0251\u1D00", // a
        "68\u0432\u03B2\u0299", // b
        "\u0441\u03C3\u1D04", // c
        "\u0501\u0111\u1D05", // d
        "3\u0435\u03B5\u0454\u04BD\u025B\u1D07", // e
        "\u0192\u0493\uA730", // f
        "69\u0261\u0262\u0581", // g
        "\u04BB\u043D\u045B\u03B7\u0127\u029C\u0570", // h
        "1\u0456\u04CF\u03B9\u0269\u026A\u4E28", // i
        "\u0458\u03F3\u0237\u1D0A", // j
        "\u043A\u049B\u03BA\u1D0B", // k
        "1\u0456\u04CF\u03B9\u0142\u029F\u4E28", // l
        "\u043C\u03BC\u1D0D", // m
        "\u03B7\u03BD\u0578\u0274", // n
        "0\u043E\u04E9\u03BF\u03C3\u00F8\u0585\u1D0F\u3007\u53E3\u30ED", // o
        "\u0440\u03C1\u1D18", // p
        "\u051B\u0566", // q
        "\u0433\u0280", // r
        "5\u0455\uA731", // s
        "7\u0442\u03C4\u0167\u1D1B", // t
        "\u03BC\u03C5\u028B\u057D\u1D1C", // u
        "\u0475\u03BD\u03C5\u1D20", // v
        "\u0448\u0461\u051D\u03C9\u1D21", // w
        "\u0445\u03C7", // x
        "\u0443\u04AF\u03B3\u03C5\u028F", // y
        "2\u03B6\u01B6\u1D22", // z
    };

    /**
     * For each letter, the first of those that some character may also be read as, and so on: two texts that read alike
     * have the same outline, but not the other way round.
     */
    private static final String OUTLINES = "abcdefbhijkihhcpqrsthhwxhz";

    private static final Map<Character, Integer> LETTERS = letters();

    private LatinReadings() {}

    private static Map<Character, Integer> letters() {
        Map<Character, Integer> letters = new HashMap<>();
        for (int letter = 0; letter < READ_AS.length; letter++) {
            letters.put((char) ('a' + letter), 1 << letter);
            for (char c : READ_AS[letter].toCharArray()) {
                letters.merge(c, 1 << letter, (one, other) -> one | other);
            }
        }
        return Map.copyOf(letters);
    }

    /**
     * The letters as bits, a being the lowest; a letter from a to z is read as itself. 0 for a character that looks
     * like no Latin letter.
     */
    static int of(int c) {
        return c > Character.MAX_VALUE ? 0 : LETTERS.getOrDefault((char) c, 0);
    }

    /** What represents the character in an outline. */
    static int outline(int c) {
        int letters = of(c);
        return letters == 0 ? c : OUTLINES.charAt(Integer.numberOfTrailingZeros(letters));
    }

    /**
     * Whether a character may be taken for one of a name. A digit in the name is not a disguised letter: {@code pop3}
     * is not {@code pope}.
     */
    static boolean mayPass(int c, int forThat) {
        return c == forThat || (!Character.isDigit(forThat) && (of(c) & of(forThat)) != 0);
    }
}
