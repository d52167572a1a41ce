package io.github.untaken.jdbc.transaction;

import java.util.LinkedHashSet;
import java.util.Set;

/** What may be left of a text in a column of MySQL that has no room for all of it, in a session that cuts in silence. */
final class CutText {
    /** From TINYTEXT on, a column may count bytes of UTF-8 instead of characters. */
    private static final int COUNTS_BYTES = 255;

    private CutText() {}

    /** None if there is room enough. */
    static Set<String> of(String text, int room) {
        if (text.length() <= Math.min(room, COUNTS_BYTES / 3)) {
            return Set.of(); // a char has three bytes at most
        }
        Set<String> cut = new LinkedHashSet<>();
        if (text.codePointCount(0, text.length()) > room) {
            cut.add(text.substring(0, text.offsetByCodePoints(0, room)));
        }
        if (room >= COUNTS_BYTES) {
            cut.add(text.substring(0, endOfBytes(text, room)));
        }
        cut.remove(text);
        return cut;
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
