package io.github.untaken.filter;

/** What the batch forms of all filters share. */
final class Batches {
    /**
     * Hashes looked up together: enough independent loads to keep the memory busy, few enough for the first-level
     * cache.
     */
    static final int GROUP = 16;

    private Batches() {}

    static void requireRoom(long[] hashes, boolean[] results) {
        if (results.length < hashes.length) {
            throw new IllegalArgumentException("results must have room for all " + hashes.length
                    + " hashes, but its length was " + results.length);
        }
    }
}
