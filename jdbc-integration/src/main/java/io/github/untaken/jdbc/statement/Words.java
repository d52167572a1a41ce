package io.github.untaken.jdbc.statement;

import java.util.Locale;
import java.util.function.Consumer;

/** The words of a text, wherever they stand, even in quotes and comments. */
final class Words {
    /** PostgreSQL truncates longer names. */
    private static final int MOST_BYTES = 63;

    private Words() {}

    /** Not a dollar: in PostgreSQL it may begin a quote. */
    static boolean isPart(char c) {
        return c < 128
                ? isDigit(c) || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_'
                : Character.isLetterOrDigit(c) || Character.isSurrogate(c);
    }

    static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    /** Folded. If a word begins with a digit, each of its endings is a word too: some databases read {@code 1into} as two. */
    static void forEach(String text, Consumer<String> action) {
        split(text, (word, end) -> {
            action.accept(fold(word));
            for (int i = Math.max(1, word.length() - MOST_BYTES); isDigit(word.charAt(0)) && i < word.length(); i++) {
                action.accept(fold(word.substring(i)));
            }
        });
    }

    interface Found {
        void accept(String word, int end);
    }

    static void split(String text, Found action) {
        int start = -1;
        for (int i = 0; i <= text.length(); i++) {
            if (i < text.length() && isPart(text.charAt(i))) {
                start = start < 0 ? i : start;
            } else if (start >= 0) {
                action.accept(text.substring(start, i), i);
                start = -1;
            }
        }
    }

    /** All its words, without what stands between them. */
    static String squeezed(String text) {
        StringBuilder squeezed = new StringBuilder();
        split(text, (word, end) -> squeezed.append(foldLetters(word)));
        return squeezed.toString();
    }

    /** To upper case, then to lower: some letters become ASCII in one of the two. */
    static String fold(String word) {
        return foldLetters(cut(word));
    }

    private static String foldLetters(String word) {
        StringBuilder folded = new StringBuilder(word.length());
        word.toUpperCase(Locale.ROOT).codePoints().map(Character::toLowerCase).forEach(folded::appendCodePoint);
        return folded.toString();
    }

    static String cut(String word) {
        if (word.length() <= MOST_BYTES / 3) {
            return word;
        }
        int bytes = 0;
        for (int i = 0; i < word.length(); ) {
            int c = word.codePointAt(i);
            bytes += c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
            if (bytes > MOST_BYTES) {
                return word.substring(0, i);
            }
            i += Character.charCount(c);
        }
        return word;
    }
}
