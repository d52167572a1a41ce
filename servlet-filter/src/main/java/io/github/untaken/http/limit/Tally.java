package io.github.untaken.http.limit;

import java.time.Duration;
import java.util.function.LongSupplier;

/** Counts something that may be frequent. Once per interval, says how often it happened since it last said so. Thread-safe. */
public final class Tally {
    private final long pause;
    private final LongSupplier nanoTime;
    private long saidAt; // guarded by this
    private long unsaid; // guarded by this

    /**
     * The first one is said at once.
     *
     * @param nanoTime as {@link System#nanoTime}
     */
    public Tally(Duration pause, LongSupplier nanoTime) {
        this.pause = pause.toNanos();
        this.nanoTime = nanoTime;
        this.saidAt = nanoTime.getAsLong() - this.pause;
    }

    /** Counts one. Returns how many are to be reported now, including this one; 0 if none. */
    public synchronized long count() {
        unsaid++;
        long now = nanoTime.getAsLong();
        if (now - saidAt < pause) {
            return 0;
        }
        long many = unsaid;
        saidAt = now;
        unsaid = 0;
        return many;
    }
}
