package io.github.untaken;

import io.github.untaken.spi.StoreException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Says once that something fails, again when it fails otherwise, and once that it works again; a task that runs each second, or a
 * database that is away, would fill the log with one fact. Logging itself may fail, on a full disk or without memory: never to the
 * harm of whoever reports. Thread-safe.
 */
final class FaultLog {
    private static final System.Logger LOG = System.getLogger("io.github.untaken");

    /** What fails, with the kind of its last failure. */
    private final Map<String, String> failing = new ConcurrentHashMap<>();

    /** Runs a task that must not end whoever runs it. */
    void survive(String what, Runnable task) {
        try {
            task.run();
            ended(what);
        } catch (RuntimeException | Error e) {
            failed(what, e);
        }
    }

    /** @param what the beginning of a sentence; without any identifier */
    void failed(String what, Throwable e) {
        try {
            String kind = e.getClass().getName();
            if (!kind.equals(failing.put(what, kind))) {
                LOG.log(
                        System.Logger.Level.WARNING,
                        what + " failed with " + kind + said(e) + "; further ones like it are not logged",
                        e instanceof Error ? e : null);
            }
        } catch (RuntimeException | Error unlogged) {
            // There is nobody left to tell.
        }
    }

    /** What a foreign exception says may quote an identifier; what a StoreException says does not, but its cause may. */
    private static String said(Throwable e) {
        if (!(e instanceof StoreException)) {
            return "";
        }
        Throwable cause = e.getCause();
        return " (" + e.getMessage()
                + (cause == null ? ")" : ", because of " + cause.getClass().getName() + ")");
    }

    void ended(String what) {
        if (!failing.isEmpty() && failing.remove(what) != null) {
            say(System.Logger.Level.INFO, "{0} works again", what);
        }
    }

    /** @param values without any identifier */
    void say(System.Logger.Level level, String format, Object... values) {
        try {
            LOG.log(level, format, values);
        } catch (RuntimeException | Error unlogged) {
            // There is nobody left to tell.
        }
    }
}
