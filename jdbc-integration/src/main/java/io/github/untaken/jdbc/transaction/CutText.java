package io.github.untaken.jdbc.transaction;

import java.util.LinkedHashSet;
import java.util.Set;

/** What may be left of a text in a column that has no room for all of it, and is told to cut it in silence. */
final class CutText {
    /** From MySQL's TINYTEXT on, a column may count bytes of UTF-8. */
    private static final int COUNTS_BYTES = 255;

    /** Of one {@code char} in UTF-8. */
    private static final long MOST_BYTES = 3;

    private CutText() {}

    /** None if there is room enough. Databases count code points, H2 counts {@code char}s. */
    static Set<String> of(String text, int room) {
        if (text.length() * MOST_BYTES <= room) {
            return Set.of();
        }
        Set<String> cut = new LinkedHashSet<>();
        if (text.length() > room) {
            cut.add(text.substring(0, room));
        }
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
