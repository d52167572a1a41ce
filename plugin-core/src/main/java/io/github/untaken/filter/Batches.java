package io.github.untaken.filter;

/** What the batch forms of all filters have in common. */
final class Batches {
    /** So many hashes are looked up together: more memory reads than a processor has under way at a time. */
    static final int GROUP = 16;

    private Batches() {}

    static void requireRoom(long[] hashes, boolean[] results) {
        if (results.length < hashes.length) {
            throw new IllegalArgumentException("results must have room for all " + hashes.length
                    + " hashes, but its length was " + results.length);
        }
    }
}
