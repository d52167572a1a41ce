package io.github.untaken.jdbc.transaction;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Keeps a fault of the registry away from a transaction that is ending: the row is committed or gone by then, and an
 * exception would only tell the application otherwise. All faults are swallowed, and the first is logged, without any
 * value.
 */
public final class Faults {
    private static final System.Logger LOG = System.getLogger("io.github.untaken.jdbc");

    private final AtomicBoolean told = new AtomicBoolean();

    /** Whether it ended as it should. Never throws. */
    public boolean survived(Runnable callback) {
        try {
            callback.run();
            return true;
        } catch (Throwable e) {
            if (told.compareAndSet(false, true)) {
                LOG.log(
                        System.Logger.Level.WARNING,
                        "The registry failed to take note of a transaction; the keys concerned stay taken or are read"
                                + " from the database. It was " + e.getClass().getName() + origin(e)
                                + "; further failures are not logged.");
            }
            return false;
        }
    }

    /** Where it was thrown, not its message: a normalizer of the application's may quote the identifier there. */
    private static String origin(Throwable e) {
        StackTraceElement[] trace = e.getStackTrace();
        return trace.length == 0 ? "" : " at " + trace[0];
    }
}
