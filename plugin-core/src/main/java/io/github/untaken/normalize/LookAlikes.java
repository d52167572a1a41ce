package io.github.untaken.normalize;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Finds names that a reader mistakes for one of a list: with other separators or accents, with digits for letters, or
 * with letters of another script. Whole names are compared, so a name that merely contains a listed one is no
 * look-alike.
 */
final class LookAlikes {

    /** For each ASCII character its outline; 0 for a separator. */
    private static final byte[] OUTLINES = outlines();

    /** A name, and what remains of it without anything a reader overlooks. */
    private record Listed(String skeleton, String name) {}

    private final Glance glance = new Glance();
    private final Map<String, List<Listed>> listed = new HashMap<>();

    /** The outlines' hashes, each in the first free place from its own on; 0 is none. */
    private final int[] hashes;

    LookAlikes(Set<String> names) {
        hashes = new int[4 * Integer.highestOneBit(names.size() + 1)];
        // Sorted, so that a text that looks like several always yields the same one.
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

    /** The name that a text is, otherwise one that it looks like; null if there is none. */
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

    /** Whether a name may have the text's outline; that of an ASCII text is hashed without being built. */
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

    /** The place of a hash, or where it would go. At most half of the places are taken. */
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

    /**
     * Both have the same outline, hence the same length. A digit at the end is a number: {@code user5} is not
     * {@code users}.
     */
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
