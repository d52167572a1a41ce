package io.github.untaken.store;

import io.github.untaken.spi.StoreException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;

/**
 * What is asked of a database on threads of ours and may never come back: the flow of a connection can be forgotten on its way without
 * a word. An errand that is silent for longer than it may be is disowned: whatever it brings is refused, whoever waits is told, and another
 * thread takes the place of the one that is lost, while few are. None is interrupted: an interrupt inside a database that runs in this
 * process closes its files.
 *
 * <p>Time is what the owner's ticks say, so a process that was paused disowns nobody for that. Thread-safe.
 */
public final class Errands {
    private final ReplacedThreads threads;
    private final Set<Errand> under = ConcurrentHashMap.newKeySet();

    /** @param threads which the errands run on */
    public Errands(Executor threads) {
        this.threads = ReplacedThreads.of(threads);
    }

    /** One thing that is asked. */
    public final class Errand {
        private final long patience;
        private final Runnable disowned;
        private volatile long silent;
        private volatile boolean refused; // set under the lock of the errands, as are the others
        private boolean replaced;
        private boolean back;

        private Errand(Duration patience, Runnable disowned) {
            this.patience = patience.toNanos();
            this.disowned = disowned;
        }

        /** There was an answer, or a row. Cheap. */
        public void goesOn() {
            if (silent != 0) {
                silent = 0;
            }
        }

        /** It may be silent for so much longer before it goes on. */
        public void waits(Duration longer) {
            silent = -longer.toNanos();
        }

        /**
         * As {@link #goesOn}, where nothing follows of what is not wanted any more.
         *
         * @throws StoreException if it is disowned
         */
        public void step() {
            goesOn();
            if (refused) {
                throw new StoreException("what came is not waited for any more");
            }
        }

        /** Whether what it brings is not wanted any more. */
        public boolean isRefused() {
            return refused;
        }

        /**
         * It is back, and is not disowned from now on. Further calls have no effect.
         *
         * @return whether what it brings counts
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
     * Begins an errand, which its owner has to bring {@link Errand#back}.
     *
     * @param patience how long it may be silent
     * @param disowned runs on the thread of the ticks
     */
    public Errand begin(Duration patience, Runnable disowned) {
        Errand errand = new Errand(patience, disowned);
        under.add(errand);
        return errand;
    }

    /** So much time has passed since the last tick. */
    public void tick(Duration time) {
        under.forEach(errand -> errand.tick(time.toNanos()));
    }

    /** How many have been disowned and are not back, of all who share the threads. */
    public int away() {
        return threads.away();
    }

    /** Whether no thread would be replaced any more, so that whatever need not begin should not. */
    public boolean areTooManyAway() {
        return away() >= ReplacedThreads.MOST_LOST;
    }
}
