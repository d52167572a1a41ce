package io.github.untaken.servlet.fault;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Notes that something of ours broke: the class of the failure and where it came from, never its message, which may hold
 * an identifier. Faults are counted by kind, that is by what did not work and the class of the failure. The first of a kind is
 * logged at once, later ones at most once a minute with their number: nobody can fill the log by asking, nor hide one fault
 * behind many of another. Thread-safe.
 */
public final class FaultLog {
    /** Beyond so many kinds the rest counts as one. */
    static final int MOST_KINDS = 64;

    private static final Logger LOG = System.getLogger("io.github.untaken.servlet");
    private static final long PAUSE = TimeUnit.MINUTES.toNanos(1);
    private static final int FRAMES = 5;
    private static final Kind OTHERS = new Kind("", "");

    private record Kind(String event, String failure) {}

    private static final class Tally {
        private long loggedAt;
        private long since;
    }

    private final Map<Kind, Tally> tallies = new HashMap<>(); // guarded by itself
    private final LongSupplier nanoTime;
    private final AtomicLong count = new AtomicLong();

    /** By the system's clock. */
    public FaultLog() {
        this(System::nanoTime);
    }

    FaultLog(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /**
     * Notes a failure.
     *
     * @param event what did not work, as the beginning of a sentence; without any identifier
     */
    public void note(String event, Throwable fault) {
        count.incrementAndGet();
        String failure = fault.getClass().getName();
        long number = toBeLogged(new Kind(event, failure));
        if (number > 0 && LOG.isLoggable(Level.WARNING)) {
            LOG.log(
                    Level.WARNING,
                    event + " because of " + failure + origin(fault)
                            + (number == 1
                                    ? "; more of the kind are logged once a minute"
                                    : "; the last of " + number + " since this was logged before"));
        }
    }

    /** How many faults of the kind are to be logged now: none, or all since the last time. */
    private long toBeLogged(Kind kind) {
        long now = nanoTime.getAsLong();
        synchronized (tallies) {
            boolean known = tallies.containsKey(kind) || tallies.size() < MOST_KINDS;
            Tally tally = tallies.get(known ? kind : OTHERS);
            if (tally == null) {
                tally = new Tally();
                tally.loggedAt = now - PAUSE;
                tallies.put(known ? kind : OTHERS, tally);
            }
            tally.since++;
            if (now - tally.loggedAt < PAUSE) {
                return 0;
            }
            long number = tally.since;
            tally.since = 0;
            tally.loggedAt = now;
            return number;
        }
    }

    /** How many were noted so far. */
    public long count() {
        return count.get();
    }

    private static String origin(Throwable fault) {
        StackTraceElement[] trace = fault.getStackTrace();
        StringBuilder origin = new StringBuilder();
        for (int i = 0; i < Math.min(FRAMES, trace.length); i++) {
            origin.append(i == 0 ? " at " : " < ").append(trace[i]);
        }
        return origin.toString();
    }
}
