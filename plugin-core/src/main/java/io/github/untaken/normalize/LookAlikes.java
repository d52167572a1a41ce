package io.github.untaken.normalize;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Finds names that a reader takes for one of a list: with other separators or accents, with digits for letters, or with letters of
 * another script. Whole names are compared, so whatever only holds a listed one is no look-alike.
 */
final class LookAlikes {

    /** For each ASCII character what stands for it in an outline; 0 for a separator. */
    private static final byte[] OUTLINES = outlines();

    /** A name, and what is left of it once all that a reader overlooks is gone. */
    private record Listed(String skeleton, String name) {}

    private final Glance glance = new Glance();
    private final Map<String, List<Listed>> listed = new HashMap<>();

    /** The hash of each outline, in the first place from its own on that was free; 0 is none. */
    private final int[] hashes;

    LookAlikes(Set<String> names) {
        hashes = new int[4 * Integer.highestOneBit(names.size() + 1)];
        // In an order of their own, so that of several that a text looks like it is always the same.
        for (String name : new TreeSet<>(names)) {
            String skeleton = Skeleton.of(name);
            String outline = outline(skeleton);
            listed.computeIfAbsent(outline, key -> new ArrayList<>(1)).add(new Listed(skeleton, name));
            hashes[placeOf(outline.hashCode())] = outline.hashCode();
            glance.add(skeleton);
        }
    }

    boolean hold(String text) {
        return glance.mayResemble(text) && mayHaveOutlineOf(text) && like(text) != null;
    }

    /** False only if {@link #hold} is, of an ASCII text of eight characters or more, by its first and its last eight. */
    boolean mayHold(long first, long last) {
        return glance.mayResemble(first, last);
    }

    /** The name that a text is, or else one that it looks like; null if there is none. */
    @Nullable String like(String text) {
        String skeleton = Skeleton.of(text);
        String like = null;
        for (Listed one : listed.getOrDefault(outline(skeleton), List.of())) {
            if (one.name().equals(text)) {
                return text;
            }
            if (like == null && mayPass(skeleton, one.skeleton())) {
                like = one.name();
            }
        }
        return like;
    }

    /** Whether a name may have the outline of a text: that of an ASCII text is hashed without being made. */
    private boolean mayHaveOutlineOf(String text) {
        int hash = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c >= OUTLINES.length) {
                return true;
            }
            hash = OUTLINES[c] == 0 ? hash : 31 * hash + OUTLINES[c];
        }
        return hash == 0 || hashes[placeOf(hash)] == hash;
    }

    /** Where a hash stands, or would. At most half of the places are taken. */
    private int placeOf(int hash) {
        int place = hash & hashes.length - 1;
        while (hashes[place] != 0 && hashes[place] != hash) {
            place = place + 1 & hashes.length - 1;
        }
        return place;
    }

    private static String outline(String skeleton) {
        StringBuilder outline = new StringBuilder(skeleton.length());
        for (int i = 0; i < skeleton.length(); i++) {
            outline.append((char) LatinReadings.outline(skeleton.charAt(i)));
        }
        return outline.toString();
    }

    /** Both have one outline, hence one length. A digit at the end is a number: {@code user5} is not {@code users}. */
    private static boolean mayPass(String skeleton, String name) {
        for (int i = 0; i < name.length(); i += Character.charCount(name.codePointAt(i))) {
            int read = skeleton.codePointAt(i);
            int meant = name.codePointAt(i);
            boolean number = i == name.length() - 1 && Character.isDigit(read);
            if (read != meant && (number || !LatinReadings.mayPass(read, meant))) {
                return false;
            }
        }
        return true;
    }

    private static byte[] outlines() {
        byte[] outlines = new byte[0x80];
        for (int c = 0; c < outlines.length; c++) {
            outlines[c] = (byte) (Character.isLetterOrDigit(c) ? LatinReadings.outline(Character.toLowerCase(c)) : 0);
        }
        return outlines;
    }
}
