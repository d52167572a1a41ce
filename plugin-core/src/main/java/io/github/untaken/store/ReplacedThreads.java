package io.github.untaken.store;

import java.util.concurrent.Executor;
import java.util.concurrent.ThreadPoolExecutor;

/**
 * A pool that replaces a few threads while they are lost. All users of one pool share the count: each thread may hold a
 * connection, however many kinds there are. Thread-safe.
 */
public final class ReplacedThreads implements Executor {
    /** Most threads replaced at a time. */
    static final int MOST_LOST = 4;

    private final Executor threads;
    private int away; // guarded by this; errands that were disowned and are not back
    private int replaced; // guarded by this

    private ReplacedThreads(Executor threads) {
        this.threads = threads;
    }

    /**
     * The same object if it already is one. For executors other than a pool, threads are only counted, not replaced.
     */
    public static ReplacedThreads of(Executor threads) {
        return threads instanceof ReplacedThreads same ? same : new ReplacedThreads(threads);
    }

    @Override
    public void execute(Runnable task) {
        threads.execute(task);
    }

    /** A thread is lost. Returns whether it is replaced. */
    synchronized boolean leave() {
        away++;
        if (replaced == MOST_LOST) {
            return false;
        }
        replaced++;
        try {
            resize(1);
        } catch (RuntimeException | Error e) {
            // The pool is larger anyway; its next task creates the thread.
        }
        return true;
    }

    /** A lost thread is back. */
    synchronized void comeBack(boolean wasReplaced) {
        away--;
        if (wasReplaced) {
            replaced--;
            resize(-1);
        }
    }

    synchronized int away() {
        return away;
    }

    /** Keeps a full queue from creating threads beyond the size. Locks the pool, since others may resize it too. */
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
