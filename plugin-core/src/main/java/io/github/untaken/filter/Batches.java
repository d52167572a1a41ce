package io.github.untaken.filter;

/** What the batch forms of all filters check first. */
final class Batches {
    private Batches() {}

    static void requireRoom(long[] hashes, boolean[] results) {
        if (results.length < hashes.length) {
            throw new IllegalArgumentException("results must have room for all " + hashes.length
                    + " hashes, but its length was " + results.length);
        }
    }
}
