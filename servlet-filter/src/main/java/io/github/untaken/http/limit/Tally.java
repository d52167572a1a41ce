package io.github.untaken.http.limit;

import java.time.Duration;
import java.util.function.LongSupplier;

/** Counts what may be frequent, and says once in so long a time how often it was since it was last said. Thread-safe. */
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

    /** Counts one: how many are to be said now, this one included; 0 if nothing is. */
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
