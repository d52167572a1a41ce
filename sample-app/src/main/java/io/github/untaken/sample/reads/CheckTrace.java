package io.github.untaken.sample.reads;

import java.util.function.BooleanSupplier;

/** What one check cost the database: the store reads that were begun for it, and the file reads made inside them. Thread-safe. */
final class CheckTrace {
    private int queries;
    private int finished;
    private long pageReads;
    private long bytes;

    /**
     * Sums so far.
     *
     * @param queries store reads begun
     * @param unfinished those of them that have not ended; what they read is not in the sums
     * @param pageReads read calls H2 made of its file
     * @param bytes what these calls delivered
     */
    record Sum(int queries, int unfinished, long pageReads, long bytes) {}

    /** Runs a store read on the calling thread, for all checks that wait for it. */
    static boolean counting(Iterable<CheckTrace> waiting, BooleanSupplier storeRead) {
        waiting.forEach(CheckTrace::begun);
        FileReads.Count before = FileReads.ofThisThread();
        try {
            return storeRead.getAsBoolean();
        } finally {
            FileReads.Count made = FileReads.ofThisThread().minus(before);
            waiting.forEach(trace -> trace.ended(made));
        }
    }

    private synchronized void begun() {
        queries++;
    }

    private synchronized void ended(FileReads.Count made) {
        finished++;
        pageReads += made.calls();
        bytes += made.bytes();
    }

    synchronized Sum sum() {
        return new Sum(queries, queries - finished, pageReads, bytes);
    }
}
