package io.github.untaken.store;

import java.util.concurrent.Executor;
import java.util.concurrent.ThreadPoolExecutor;

/**
 * Threads of which a few are replaced while they are lost. All who use one pool share the count: each of those threads may hold a
 * connection, however many kinds there are. Thread-safe.
 */
public final class ReplacedThreads implements Executor {
    /** Threads that are replaced at a time. */
    static final int MOST_LOST = 4;

    private final Executor threads;
    private int away; // guarded by this; errands that were disowned and are not back
    private int replaced; // guarded by this

    private ReplacedThreads(Executor threads) {
        this.threads = threads;
    }

    /** The same if they are such already; of others than a pool none is replaced, only counted. */
    public static ReplacedThreads of(Executor threads) {
        return threads instanceof ReplacedThreads same ? same : new ReplacedThreads(threads);
    }

    @Override
    public void execute(Runnable task) {
        threads.execute(task);
    }

    /** One is lost. Returns whether it is replaced. */
    synchronized boolean leave() {
        away++;
        if (replaced == MOST_LOST) {
            return false;
        }
        replaced++;
        try {
            resize(1);
        } catch (RuntimeException | Error e) {
            // The pool is larger all the same; its next task makes the thread.
        }
        return true;
    }

    /** One that was lost is back. */
    synchronized void comeBack(boolean wasReplaced) {
        away--;
        if (wasReplaced) {
            replaced--;
            resize(-1);
        }
    }

    /** How many are lost. */
    synchronized int away() {
        return away;
    }

    /** A full queue must not make threads beyond the size; others may count those that are theirs of the same pool. */
    private void resize(int by) {
        if (threads instanceof ThreadPoolExecutor pool) {
            synchronized (pool) {
                int size = pool.getCorePoolSize() + by;
                boolean fixed = pool.getMaximumPoolSize() == pool.getCorePoolSize();
                if (fixed && by > 0) {
                    pool.setMaximumPoolSize(size);
                }
                pool.setCorePoolSize(size);
                if (fixed && by < 0) {
                    pool.setMaximumPoolSize(size);
                }
            }
        }
    }
}
