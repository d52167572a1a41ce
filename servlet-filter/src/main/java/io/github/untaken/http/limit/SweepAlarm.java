package io.github.untaken.http.limit;

import java.util.function.LongSupplier;

/**
 * Notices when an unusual share of the answers is "taken", as when somebody tries a list of stolen or guessed identifiers from many
 * addresses at once. Counts in consecutive windows, and tells once in each. Thread-safe.
 */
public final class SweepAlarm {
    private final int leastAnswers;
    private final double share;
    private final long window;
    private final LongSupplier nanoTime;
    private long began; // guarded by this
    private long answers; // guarded by this
    private long taken; // guarded by this
    private boolean told; // guarded by this

    /** What was counted in the window, up to the answer that raised the alarm. */
    public record Alarm(long answers, long taken) {
        /** Nothing to tell. */
        public static final Alarm NONE = new Alarm(0, 0);
    }

    /**
     * @param leastAnswers fewer in one window say nothing
     * @param share of taken among all answers, from which on it is unusual; over 0 to 1
     * @param window nanoseconds
     */
    public SweepAlarm(int leastAnswers, double share, long window, LongSupplier nanoTime) {
        this.leastAnswers = leastAnswers;
        this.share = share;
        this.window = window;
        this.nanoTime = nanoTime;
        this.began = nanoTime.getAsLong();
    }

    /** Counts an answer; an alarm if this one raises it, else {@link Alarm#NONE}. */
    public synchronized Alarm count(boolean isTaken) {
        long now = nanoTime.getAsLong();
        if (now - began >= window) {
            began = now;
            answers = 0;
            taken = 0;
            told = false;
        }
        answers++;
        taken += isTaken ? 1 : 0;
        if (told || answers < leastAnswers || taken < share * answers) {
            return Alarm.NONE;
        }
        told = true;
        return new Alarm(answers, taken);
    }
}
