package io.github.untaken.jdbc;

import io.github.untaken.spi.StoreException;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** A bounded wait that looks again and again, for what sends no signal. */
public final class Polling {
    /** Short, so that a session that writes one transaction after the other is seen between two of them. */
    private static final long INTERVAL_MILLIS = 2;

    /** Looking is not free for the database. */
    private static final long LONGEST_INTERVAL_MILLIS = 100;

    private Polling() {}

    public static void await(String what, Duration timeout, BooleanSupplier done) {
        await(() -> what, timeout, INTERVAL_MILLIS, done);
    }

    /**
     * For what stays true once it is.
     *
     * @param what is asked when the time is over
     */
    static void awaitEverLessOften(Supplier<String> what, Duration timeout, BooleanSupplier done) {
        await(what, timeout, LONGEST_INTERVAL_MILLIS, done);
    }

    private static void await(Supplier<String> what, Duration timeout, long longestMillis, BooleanSupplier done) {
        long deadline = System.nanoTime() + timeout.toNanos();
        long interval = INTERVAL_MILLIS;
        while (!done.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                throw new StoreException(
                        what.get() + " were still open after " + timeout + "; the scan is tried again");
            }
            try {
                Thread.sleep(interval);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new StoreException("interrupted while waiting for " + what.get(), e);
            }
            interval = Math.min(2 * interval, longestMillis);
        }
    }
}
