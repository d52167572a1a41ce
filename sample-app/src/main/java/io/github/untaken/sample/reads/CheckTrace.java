package io.github.untaken.sample.reads;

/** What one check cost the database: the store reads it waited for, and the file reads made inside them. Thread-safe. */
public final class CheckTrace {
    final long begunNanos = System.nanoTime();
    private int queries;
    private long pageReads;
    private long bytes;

    /**
     * Sums so far.
     *
     * @param queries store reads that have ended
     * @param unfinished checks whose read has not ended, or was never begun
     * @param pageReads read calls H2 made of its file
     * @param bytes what these calls delivered
     */
    public record Sum(int queries, int unfinished, long pageReads, long bytes) {
        static final Sum NONE = new Sum(0, 0, 0, 0);

        Sum plus(Sum other) {
            return new Sum(
                    queries + other.queries,
                    unfinished + other.unfinished,
                    pageReads + other.pageReads,
                    bytes + other.bytes);
        }
    }

    synchronized void read(FileReads.Count made) {
        queries++;
        pageReads += made.calls();
        bytes += made.bytes();
    }

    synchronized Sum sum() {
        return new Sum(queries, queries == 0 ? 1 : 0, pageReads, bytes);
    }
}
