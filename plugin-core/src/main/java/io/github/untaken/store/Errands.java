package io.github.untaken.store;

import io.github.untaken.spi.StoreException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;

/**
 * Questions to a database, on our threads, that may never come back: a network can forget a connection without notice.
 * An errand that is silent for too long is disowned: its result is refused, whoever waits is told, and another thread
 * replaces the lost one, as long as only a few are lost. No thread is interrupted: an interrupt inside a database that
 * runs in this process closes its files.
 *
 * <p>Time is counted in the owner's ticks, so pausing the process disowns nothing. Thread-safe.
 */
public final class Errands {
    private final ReplacedThreads threads;
    private final Set<Errand> under = ConcurrentHashMap.newKeySet();

    /** @param threads the threads that the errands run on */
    public Errands(Executor threads) {
        this.threads = ReplacedThreads.of(threads);
    }

    /** One question. */
    public final class Errand {
        private final long patience;
        private final Runnable disowned;
        private volatile long silent;
        private volatile boolean refused; // set under the lock of the errands, as are the next two
        private boolean replaced;
        private boolean back;

        private Errand(Duration patience, Runnable disowned) {
            this.patience = patience.toNanos();
            this.disowned = disowned;
        }

        /** An answer or a row has come. Cheap. */
        public void goesOn() {
            if (silent != 0) {
                silent = 0;
            }
        }

        /** It may be silent for this much longer before it goes on. */
        public void waits(Duration longer) {
            silent = -longer.toNanos();
        }

        /**
         * As {@link #goesOn}, but stops work whose result is no longer wanted.
         *
         * @throws StoreException if it is disowned
         */
        public void step() {
            goesOn();
            if (refused) {
                throw new StoreException("it took too long, and its result is no longer wanted");
            }
        }

        /** Whether its result is no longer wanted. */
        public boolean isRefused() {
            return refused;
        }

        /**
         * It is back, and is not disowned from now on. Further calls have no effect.
         *
         * @return whether its result counts
         */
        public boolean back() {
            under.remove(this);
            synchronized (Errands.this) {
                if (refused && !back) {
                    threads.comeBack(replaced);
                }
                back = true;
                return !refused;
            }
        }

        @SuppressWarnings("NonAtomicVolatileUpdate") // one row too many or too few does not matter
        private void tick(long nanos) {
            silent += nanos;
            if (silent - nanos < patience) { // the first tick may have come at once
                return;
            }
            synchronized (Errands.this) {
                if (back || refused) {
                    return;
                }
                refused = true;
                under.remove(this);
                replaced = threads.leave();
            }
            disowned.run();
        }
    }

    /**
     * Begins an errand; its owner must call {@link Errand#back}.
     *
     * @param patience how long it may be silent
     * @param disowned runs on the ticking thread
     */
    public Errand begin(Duration patience, Runnable disowned) {
        Errand errand = new Errand(patience, disowned);
        under.add(errand);
        return errand;
    }

    /** This much time has passed since the last tick. */
    public void tick(Duration time) {
        under.forEach(errand -> errand.tick(time.toNanos()));
    }

    /** How many errands are disowned and not back, among all users of the threads. */
    public int away() {
        return threads.away();
    }

    /** Whether no more threads would be replaced, so that optional work should not begin. */
    public boolean areTooManyAway() {
        return away() >= ReplacedThreads.MOST_LOST;
    }
}
