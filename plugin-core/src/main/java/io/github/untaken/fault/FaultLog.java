package io.github.untaken.fault;

import io.github.untaken.spi.StoreException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Logs a failure once, once more for each different failure, and once when it works again. Otherwise a task that runs
 * every second, a database that is away, or a client that provokes faults would fill the log with one fact. A fact is
 * what fails and the class of the failure, so many faults of one kind hide none of another. No line contains an
 * identifier. Thread-safe.
 *
 * <p>Logging itself may fail, on a full disk or without memory, or block, as on a pipe that no one reads. That must not
 * harm the caller. So all lines of all logs are formatted and written in order on one thread that no one waits for.
 */
public final class FaultLog {
    /** Most facts at a time; the rest count as one. */
    static final int MOST_FACTS = 64;

    private static final Teller LINES = new Teller("untaken-log");
    private static final int FRAMES = 5;
    private static final Fact REST = new Fact("", "");

    private record Fact(String what, String failure) {}

    private final Set<Fact> said = ConcurrentHashMap.newKeySet();
    private final LongAdder count = new LongAdder();
    private final System.Logger log;

    /**
     * Nothing has failed yet.
     *
     * @param logger the name of the logger that the lines go to
     */
    public FaultLog(String logger) {
        this.log = System.getLogger(logger);
    }

    /** Runs a task whose exceptions must not reach the caller. A task that throws nothing works again. */
    public void survive(String what, Runnable task) {
        try {
            task.run();
            ended(what);
        } catch (RuntimeException | Error e) {
            failed(what, e);
        }
    }

    /**
     * It failed, and the caller carries on.
     *
     * @param what the beginning of a sentence, one of few; without any identifier
     */
    public void failed(String what, Throwable e) {
        try {
            count.increment();
            Fact fact = new Fact(what, e.getClass().getName());
            boolean hasRoom = said.size() < MOST_FACTS;
            if (!said.contains(fact) && said.add(hasRoom ? fact : REST)) {
                tell(
                        System.Logger.Level.WARNING,
                        () -> log.log(
                                System.Logger.Level.WARNING,
                                what + " failed with " + fact.failure() + reason(e)
                                        + (hasRoom
                                                ? "; repeats are not logged"
                                                : "; no more kinds of faults are logged until one ends")));
            }
        } catch (RuntimeException | Error unlogged) {
            // There is no one left to tell.
        }
    }

    /** How many failures so far, logged or not. */
    public long count() {
        return count.sum();
    }

    /**
     * A foreign exception's message may quote an identifier, so the line shows where it was thrown instead. A
     * StoreException's own message does not quote one, though its cause's may; nor does the JVM's message about a
     * missing class.
     */
    private static String reason(Throwable e) {
        Throwable cause = e.getCause();
        String because = cause == null ? "" : ", because of " + cause.getClass().getName();
        if (e instanceof StoreException) {
            return " (" + e.getMessage() + because + ")";
        }
        StringBuilder reason = new StringBuilder(e instanceof LinkageError ? " (" + e.getMessage() + ")" : "");
        StackTraceElement[] trace = e.getStackTrace();
        for (int i = 0; i < Math.min(FRAMES, trace.length); i++) {
            reason.append(i == 0 ? " at " : " < ").append(trace[i]);
        }
        return reason + because;
    }

    /** It works; if it had failed, that is over. */
    public void ended(String what) {
        if (!said.isEmpty() && said.removeIf(fact -> fact.what().equals(what))) {
            said.remove(REST);
            say(System.Logger.Level.INFO, "{0} works again", what);
        }
    }

    /**
     * Logs something that is not a fault, as safely.
     *
     * @param format as of {@link System.Logger}
     * @param values without any identifier
     */
    public void say(System.Logger.Level level, String format, @Nullable Object... values) {
        tell(level, () -> log.log(level, format, values));
    }

    private void tell(System.Logger.Level level, Runnable line) {
        try {
            if (log.isLoggable(level)) {
                LINES.tell(line);
            }
        } catch (RuntimeException | Error e) {
            // There is no one left to tell.
        }
    }
}
