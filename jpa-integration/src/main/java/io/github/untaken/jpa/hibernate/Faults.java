package io.github.untaken.jpa.hibernate;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Keeps a fault of the registry away from the transaction that is ending: the row is committed or gone by then, and an
 * exception would only tell the application otherwise. The first is logged, without any value; all are swallowed.
 */
final class Faults {
    private static final System.Logger LOG = System.getLogger("io.github.untaken.jpa");

    private final AtomicBoolean told = new AtomicBoolean();

    @SuppressWarnings("CatchAndPrintStackTrace")
    boolean survived(Runnable callback) {
        try {
            callback.run();
            return true;
        } catch (Throwable e) {
            if (told.compareAndSet(false, true)) {
                LOG.log(
                        System.Logger.Level.WARNING,
                        "The registry failed to take note of a transaction; the keys concerned stay taken or are read"
                                + " from the database. Further failures are not logged.",
                        e);
            }
            return false;
        }
    }
}
