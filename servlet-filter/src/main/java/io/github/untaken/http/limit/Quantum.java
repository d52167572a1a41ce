package io.github.untaken.http.limit;

import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * Releases answers only at whole time steps since their request came, so that their timing does not show how long they took. Thread-safe.
 */
public final class Quantum {
    private final long step;
    private final LongSupplier nanoTime;
    private final LongConsumer pause;

    /**
     * @param step nanoseconds, more than any answer that is to be hidden takes
     * @param pause waits about so many nanoseconds; may return early
     */
    public Quantum(long step, LongSupplier nanoTime, LongConsumer pause) {
        this.step = step;
        this.nanoTime = nanoTime;
        this.pause = pause;
    }

    /** Of the system's clock. */
    public static Quantum of(long step) {
        return new Quantum(step, System::nanoTime, LockSupport::parkNanos);
    }

    /** The time now, for {@link #left}. */
    public long begin() {
        return nanoTime.getAsLong();
    }

    /** Nanoseconds until the next whole step since the beginning, at least the first; zero or less if it is over. */
    public long left(long begin) {
        return end(begin) - nanoTime.getAsLong();
    }

    /** Waits for that step. An interrupt ends the wait, and stays set. */
    public void awaitStep(long begin) {
        long end = end(begin);
        for (long left = end - nanoTime.getAsLong();
                left > 0 && !Thread.currentThread().isInterrupted();
                left = end - nanoTime.getAsLong()) {
            pause.accept(left);
        }
    }

    private long end(long begin) {
        long took = Math.max(0, nanoTime.getAsLong() - begin);
        return begin + Math.max(1, (took + step - 1) / step) * step;
    }
}
