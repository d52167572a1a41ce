package io.github.untaken.text;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Folds a text character by character, by a table drawn up by the database itself: each set of characters that it holds
 * equal becomes one character, ignored characters become none, and those that it takes for several become several.
 * Blanks at the end are always removed, and so is NUL, on which databases differ most.
 */
/*
 * Characters are looked up in pages of 256; a page without an entry is missing, and its characters stand for
 * themselves. Characters that no database was asked about, in the private-use planes and those without any character,
 * all stand for one character.
 */
public final class Letters implements Fold {
    /** Stands for every character that {@link #isUnasked}. */
    public static final int UNASKED = 0x40000;

    private static final int LAST_ASKED = 0x3FFFF;
    private static final int TAGS = 0xE;
    private static final int PLANE_BITS = 16;
    private static final int PAGE_BITS = 8;

    private final String drawnFor;
    private final NavigableMap<Integer, String> table;
    private final String[] @Nullable [] pages = new String[(Character.MAX_CODE_POINT >> PAGE_BITS) + 1][];
    private final boolean keepsPlain;

    /**
     * Uses a table.
     *
     * @param drawnFor identifies the way in which the database compares
     * @param table what each character stands for that does not stand for itself, by code point; no character in the
     *     values is a key
     */
    public Letters(String drawnFor, Map<Integer, String> table) {
        this.drawnFor = drawnFor;
        this.table = new TreeMap<>(table);
        this.table.put(0, "");
        this.table.forEach((c, text) -> {
            String[] page = pages[c >> PAGE_BITS];
            if (page == null) {
                page = new String[1 << PAGE_BITS];
                pages[c >> PAGE_BITS] = page;
            }
            page[c & (1 << PAGE_BITS) - 1] = text;
        });
        this.keepsPlain = "abcdefghijklmnopqrstuvwxyz0123456789._-".chars().noneMatch(this.table::containsKey);
    }

    /** For a database that compares texts character by character, except for blanks at the end. */
    public static Letters none(String drawnFor) {
        return new Letters(drawnFor, Map.of());
    }

    /** Identifies the way in which the database compares. */
    public String drawnFor() {
        return drawnFor;
    }

    /** Whether a character belongs to a plane represented by a single character when the database is asked. */
    public static boolean isUnasked(int c) {
        return c > LAST_ASKED && c >> PLANE_BITS != TAGS;
    }

    @Override
    public boolean keepsPlain() {
        return keepsPlain;
    }

    @Override
    public String of(String text) {
        int length = text.length();
        int same = 0;
        while (same < length && standsForItself(text.charAt(same))) {
            same++;
        }
        if (same == length) {
            return Fold.withoutBlanksAtTheEnd(text);
        }
        StringBuilder folded = new StringBuilder(length + 8).append(text, 0, same);
        for (int i = same; i < length; ) {
            int c = text.codePointAt(i);
            i += Character.charCount(c);
            if (c <= Character.MAX_VALUE && Character.isSurrogate((char) c)) {
                c = '?'; // as drivers send an unpaired surrogate
            }
            if (isUnasked(c)) {
                c = UNASKED;
            }
            String stands = at(c);
            if (stands != null) {
                folded.append(stands);
            } else {
                folded.appendCodePoint(c);
            }
        }
        return Fold.withoutBlanksAtTheEnd(folded.toString());
    }

    private boolean standsForItself(char c) {
        return !Character.isSurrogate(c) && at(c) == null;
    }

    private @Nullable String at(int c) {
        String[] page = pages[c >> PAGE_BITS];
        return page == null ? null : page[c & (1 << PAGE_BITS) - 1];
    }

    /** Writes it for {@link #read}. */
    public void write(DataOutput out) throws IOException {
        out.writeUTF(drawnFor);
        out.writeInt(table.size());
        for (Map.Entry<Integer, String> entry : table.entrySet()) {
            out.writeInt(entry.getKey());
            out.writeUTF(entry.getValue());
        }
    }

    /** Reads what {@link #write} wrote, unchecked. */
    public static Letters read(DataInput in) throws IOException {
        String drawnFor = in.readUTF();
        Map<Integer, String> table = new TreeMap<>();
        for (int left = in.readInt(); left > 0; left--) {
            table.put(in.readInt(), in.readUTF());
        }
        return new Letters(drawnFor, table);
    }
}
