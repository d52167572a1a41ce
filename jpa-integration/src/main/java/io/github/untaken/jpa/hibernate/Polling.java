package io.github.untaken.jpa.hibernate;

import io.github.untaken.spi.StoreException;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/** A bounded wait that looks again and again, for what sends no signal. */
final class Polling {
    /** Short, so that a session that writes one transaction after the other is seen between two of them. */
    private static final long INTERVAL_MILLIS = 2;

    private Polling() {}

    static void await(String what, Duration timeout, BooleanSupplier done) {
        long deadline = System.nanoTime() + timeout.toNanos();
        while (!done.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                throw new StoreException(what + " were still open after " + timeout + "; the scan is tried again");
            }
            try {
                Thread.sleep(INTERVAL_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new StoreException("interrupted while waiting for " + what, e);
            }
        }
    }
}
