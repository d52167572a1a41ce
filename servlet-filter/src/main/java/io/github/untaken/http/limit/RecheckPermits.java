package io.github.untaken.http.limit;

import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;

/**
 * Who may have the store read: only so many at one time, for each holds a thread while it waits, and only so often. Nobody waits for
 * a place: the reads of all who have one go together, so more places cost the store little, and threads are what they bound.
 * Thread-safe.
 */
public final class RecheckPermits {
    private final Semaphore places;
    private final TokenBucket reads;

    /** What there was too much of. */
    public enum Limit {
        /** All places were taken. */
        MAX_WAITING_CHECKS,
        /** Too many reads lately. */
        RECHECK_LIMIT
    }

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
        private Optional<Limit> refusedBy = Optional.empty();

        /** Takes a place and a read. */
        @Override
        public boolean getAsBoolean() {
            held = places.tryAcquire();
            if (!held) {
                refusedBy = Optional.of(Limit.MAX_WAITING_CHECKS);
                return false;
            }
            if (!reads.take()) {
                refusedBy = Optional.of(Limit.RECHECK_LIMIT);
                return false;
            }
            return true;
        }

        /** Why this check may not, if it asked and may not. */
        public Optional<Limit> refusedBy() {
            return refusedBy;
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
