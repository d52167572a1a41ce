package io.github.untaken.jdbc.watch;

import java.util.LinkedHashSet;
import java.util.Set;

/** What a column may keep of a text. */
final class CutText {
    /** From TINYTEXT on, a column may count bytes of UTF-8 instead of characters. */
    private static final int COUNTS_BYTES = 255;

    private CutText() {}

    /**
     * The text; the text without trailing blanks, which a column may drop silently; and what may be left of it where MySQL truncates
     * silently, in columns with room for so many characters.
     */
    static Set<String> formsOf(String text, Set<Integer> rooms) {
        Set<String> forms = new LinkedHashSet<>(2);
        forms.add(text);
        for (int room : rooms) {
            addCut(text, room, forms);
        }
        for (String form : forms.toArray(String[]::new)) {
            forms.add(withoutBlanksAtTheEnd(form));
        }
        return forms;
    }

    private static String withoutBlanksAtTheEnd(String text) {
        int end = text.length();
        while (end > 0 && text.charAt(end - 1) == ' ') {
            end--;
        }
        return text.substring(0, end);
    }

    private static void addCut(String text, int room, Set<String> cut) {
        if (text.length() <= Math.min(room, COUNTS_BYTES / 3)) {
            return; // a char has three bytes at most
        }
        if (text.codePointCount(0, text.length()) > room) {
            cut.add(text.substring(0, text.offsetByCodePoints(0, room)));
        }
        if (room >= COUNTS_BYTES) {
            cut.add(text.substring(0, endOfBytes(text, room)));
        }
    }

    private static int endOfBytes(String text, int room) {
        int bytes = 0;
        int end = 0;
        while (end < text.length()) {
            int c = text.codePointAt(end);
            bytes += c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
            if (bytes > room) {
                return end;
            }
            end += Character.charCount(c);
        }
        return end;
    }
}
