package io.github.untaken.normalize;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds names that a reader takes for one of a list: with other separators or accents, with digits for letters, or with letters of
 * another script. Whole names are compared, so whatever only holds a listed one is no look-alike.
 */
final class LookAlikes {

    /** For each ASCII character what stands for it in an outline; 0 for a separator. */
    private static final byte[] OUTLINES = outlines();

    private final Glance glance = new Glance();
    private final Map<String, List<String>> skeletons = new HashMap<>();

    /** The hash of each outline, in the first place from its own on that was free; 0 is none. */
    private final int[] hashes;

    LookAlikes(Set<String> names) {
        hashes = new int[4 * Integer.highestOneBit(names.size() + 1)];
        for (String name : names) {
            String skeleton = Skeleton.of(name);
            String outline = outline(skeleton);
            skeletons.computeIfAbsent(outline, key -> new ArrayList<>(1)).add(skeleton);
            hashes[placeOf(outline.hashCode())] = outline.hashCode();
            glance.add(skeleton);
        }
    }

    boolean hold(String text) {
        return glance.mayResemble(text) && mayHaveOutlineOf(text) && holdSkeletonOf(text);
    }

    /** False only if {@link #hold} is, of an ASCII text of eight characters or more, by its first and its last eight. */
    boolean mayHold(long first, long last) {
        return glance.mayResemble(first, last);
    }

    private boolean holdSkeletonOf(String text) {
        String skeleton = Skeleton.of(text);
        for (String name : skeletons.getOrDefault(outline(skeleton), List.of())) {
            if (mayPass(skeleton, name)) {
                return true;
            }
        }
        return false;
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
