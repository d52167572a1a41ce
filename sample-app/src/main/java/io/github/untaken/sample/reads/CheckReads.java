package io.github.untaken.sample.reads;

import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;

/**
 * What the checks cost the database: store reads, and the file reads made inside them. Scans and the application's own
 * statements are not in it. Thread-safe.
 */
public final class CheckReads {
    private final LongAdder queries = new LongAdder();
    private final LongAdder pageReads = new LongAdder();
    private final LongAdder bytes = new LongAdder();
    private final LongAdder directBytes = new LongAdder();

    /**
     * Sums so far.
     *
     * @param databaseQueries store reads, those that failed too
     * @param pageReads read calls H2 made of its file within them
     * @param bytesRead what these calls delivered
     * @param directBytes what the device delivered for them, in whole blocks; 0 without direct reads
     */
    public record Sum(long databaseQueries, long pageReads, long bytesRead, long directBytes) {
        public static final Sum NONE = new Sum(0, 0, 0, 0);

        public Sum plus(Sum other) {
            return new Sum(
                    databaseQueries + other.databaseQueries,
                    pageReads + other.pageReads,
                    bytesRead + other.bytesRead,
                    directBytes + other.directBytes);
        }

        public Sum minus(Sum earlier) {
            return new Sum(
                    databaseQueries - earlier.databaseQueries,
                    pageReads - earlier.pageReads,
                    bytesRead - earlier.bytesRead,
                    directBytes - earlier.directBytes);
        }
    }

    /** Runs one store read on the calling thread and counts it. */
    public boolean counting(BooleanSupplier storeRead) {
        FileReads.Count before = FileReads.ofThisThread();
        try {
            return storeRead.getAsBoolean();
        } finally {
            add(FileReads.ofThisThread().minus(before));
        }
    }

    /** Counts one store read that made these file reads. */
    void add(FileReads.Count made) {
        queries.increment();
        pageReads.add(made.calls());
        bytes.add(made.bytes());
        directBytes.add(made.directBytes());
    }

    public Sum sum() {
        return new Sum(queries.sum(), pageReads.sum(), bytes.sum(), directBytes.sum());
    }
}
