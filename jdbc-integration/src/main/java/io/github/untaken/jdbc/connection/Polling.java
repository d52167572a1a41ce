package io.github.untaken.jdbc.connection;

import io.github.untaken.spi.StoreException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Polls, up to a limit, for something that sends no signal. */
public final class Polling {
    /** Short, so that a session that writes transaction after transaction is seen between two of them. */
    private static final long INTERVAL_MILLIS = 2;

    /** Each look costs the database something. */
    private static final long LONGEST_INTERVAL_MILLIS = 100;

    private Polling() {}

    /**
     * Looks every two milliseconds until it is done. Blocks.
     *
     * @param what is waited for, as the beginning of a sentence
     * @param timeout how long to look at most
     * @throws io.github.untaken.spi.StoreException if it is not done by then, or the thread was interrupted (it stays interrupted)
     */
    public static void await(String what, Duration timeout, BooleanSupplier done) {
        awaitEach(() -> what, timeout, steadily(), done);
    }

    /** Intervals for what may be done at one look and not at the next. */
    public static LongSupplier steadily() {
        return () -> INTERVAL_MILLIS;
    }

    /** Intervals for what stays done once it is. */
    public static LongSupplier everLessOften() {
        AtomicLong next = new AtomicLong(INTERVAL_MILLIS);
        return () -> next.getAndUpdate(last -> Math.min(2 * last, LONGEST_INTERVAL_MILLIS));
    }

    /**
     * Looks after each of the given intervals, in milliseconds.
     *
     * @param what is asked only once time has run out
     */
    public static void awaitEach(
            Supplier<String> what, Duration timeout, LongSupplier intervals, BooleanSupplier done) {
        long deadline = System.nanoTime() + timeout.toNanos();
        while (!done.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                throw new StoreException(
                        what.get() + " were still open after " + timeout + "; wait for them, or end them");
            }
            try {
                Thread.sleep(intervals.getAsLong());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new StoreException("interrupted while waiting for " + what.get(), e);
            }
        }
    }
}
