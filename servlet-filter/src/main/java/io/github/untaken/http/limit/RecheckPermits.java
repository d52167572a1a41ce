package io.github.untaken.http.limit;

import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;

/**
 * Who may have the store read: only so many at one time, since each holds a thread while it waits, and only so often. Nobody waits for a
 * place. The reads of all who have one go together, so more places cost the store little; what they bound is threads. Thread-safe.
 */
public final class RecheckPermits {
    private final Semaphore places;
    private final TokenBucket reads;

    /** Which limit was reached. */
    public enum Limit {
        /** All places were taken. */
        MAX_WAITING_CHECKS,
        /** Too many reads lately. */
        RECHECK_LIMIT
    }

    /** @param most at one time */
    public RecheckPermits(int most, TokenBucket reads) {
        this.places = new Semaphore(most);
        this.reads = reads;
    }

    /** For one check, which may ask once; closed when it has its verdict. */
    public Permit ask() {
        return new Permit();
    }

    /** The permit of one check. Not thread-safe. */
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

        /** Which limit refused this check, if it asked and was refused. */
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
