package io.github.untaken.jdbc.scan;

import io.github.untaken.spi.StoreException;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Ends a scan for anybody who waits for its lock: all the application's readers and writers wait behind a definition that waits. One part
 * of the scan checks for all, ten times a second. Thread-safe.
 */
final class GivingWay {
    private static final long INTERVAL_NANOS = 100_000_000;

    private final String what;
    private final AtomicLong last = new AtomicLong(System.nanoTime());

    /** @param what is scanned, for messages */
    GivingWay(String what) {
        this.what = what;
    }

    interface Question {
        boolean somebodyWaits() throws SQLException;
    }

    /** @throws StoreException if somebody waits */
    void look(Question question) throws SQLException {
        long before = last.get();
        long now = System.nanoTime();
        if (now - before >= INTERVAL_NANOS && last.compareAndSet(before, now) && question.somebodyWaits()) {
            throw new StoreException("the scan of " + what
                    + " gave way to a statement that waited to redefine a table; it starts again later");
        }
    }

    /** The same before the first row. */
    static StoreException toDefinition(String what, SQLException e) {
        return new StoreException(what + " is being redefined, or about to be; the scan starts again later", e);
    }
}
