package io.github.untaken.sample.experiment;

import java.util.function.IntFunction;

/**
 * What a {@code HashSet<String>} of names would take, computed from the layout that a 64-bit HotSpot with compressed
 * references gives its objects: for each name a {@code String} of 24 bytes, an array of 16 and a byte for each character
 * rounded up to eight, an entry of 32, and its part of the table.
 */
final class HashSetMemory {
    private static final int STRING = 24;
    private static final int ARRAY = 16;
    private static final int ENTRY = 32;
    private static final int REFERENCE = 4;
    private static final int SAMPLED = 100_000;

    private HashSetMemory() {}

    /**
     * The bytes of so many names.
     *
     * @param name gives each of the names, all of Latin-1 characters; a sample of them is asked for where there are many
     */
    static long bytes(int names, IntFunction<String> name) {
        if (names == 0) {
            return 0;
        }
        int step = Math.max(1, names / SAMPLED);
        long sum = 0;
        long sampled = 0;
        for (int i = 0; i < names; i += step) {
            sum += STRING + (ARRAY + name.apply(i).length() + 7) / 8 * 8 + ENTRY;
            sampled++;
        }
        return Math.round((double) sum / sampled * names) + ARRAY + REFERENCE * table(names);
    }

    // The power of two at which names fill at most three quarters of it.
    private static long table(int names) {
        long slots = 16;
        while (slots * 3 / 4 < names) {
            slots *= 2;
        }
        return slots;
    }
}
