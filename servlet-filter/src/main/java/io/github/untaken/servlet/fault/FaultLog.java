package io.github.untaken.servlet.fault;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Notes that something of ours broke: the class of the failure and where it came from, never its message, which may hold
 * an identifier. The first, second, fourth, eighth ... is logged, so that nobody can fill the log by asking.
 */
public final class FaultLog {
    private static final Logger LOG = System.getLogger("io.github.untaken.servlet");
    private static final int FRAMES = 5;

    private final AtomicLong count = new AtomicLong();

    /**
     * Notes a failure.
     *
     * @param event what did not work, as the beginning of a sentence
     */
    public void note(String event, Throwable fault) {
        long number = count.incrementAndGet();
        if (Long.bitCount(number) == 1 && LOG.isLoggable(Level.WARNING)) {
            LOG.log(
                    Level.WARNING,
                    event + " because of " + fault.getClass().getName() + origin(fault) + "; fault number " + number
                            + " since the start");
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
