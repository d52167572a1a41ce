package io.github.untaken.servlet.limit;

import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;

/**
 * Who may have the store read: only so many at one time, for each holds a thread while it waits, and only so often. Nobody waits
 * for a permit. Thread-safe.
 */
public final class RecheckPermits {
    private final Semaphore places;
    private final TokenBucket reads;

    /**
     * All places free.
     *
     * @param most at one time
     */
    public RecheckPermits(int most, TokenBucket reads) {
        this.places = new Semaphore(most);
        this.reads = reads;
    }

    /** For one check, which may ask once; closed when it has its verdict. */
    public Permit ask() {
        return new Permit();
    }

    /** Of one check. Not thread-safe. */
    public final class Permit implements BooleanSupplier, AutoCloseable {
        private boolean held;

        /** Takes a place and a read. */
        @Override
        public boolean getAsBoolean() {
            held = places.tryAcquire();
            return held && reads.take();
        }

        /** Gives the place back. */
        @Override
        public void close() {
            if (held) {
                held = false;
                places.release();
            }
        }
    }
}
