package io.github.untaken.kind;

import io.github.untaken.IdentifierKind;
import io.github.untaken.store.DaemonThread;
import io.github.untaken.store.ReplacedThreads;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads of one checker: a few for rechecks, bounded so that a flood of positives cannot take the database down;
 * one for each kind, for rebuilds and audits; and one clock for all kinds, however long the store keeps the others
 * waiting. All are daemons.
 */
public final class RegistryThreads {
    private final List<ExecutorService> all = new ArrayList<>();
    private final ReplacedThreads rechecks;
    private final ScheduledExecutorService clock;

    public RegistryThreads(int recheckThreads, int recheckQueue) {
        rechecks = pool(recheckThreads, new ArrayBlockingQueue<>(recheckQueue), "untaken-recheck-");
        clock = alone("untaken-clock-");
    }

    private ReplacedThreads pool(int size, BlockingQueue<Runnable> queue, String name) {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(size, size, 30, TimeUnit.SECONDS, queue, daemons(name));
        pool.allowCoreThreadTimeOut(true);
        all.add(pool);
        return ReplacedThreads.of(pool);
    }

    public KindTerms.Workers workers(IdentifierKind kind) {
        return new KindTerms.Workers(
                rechecks, clock, pool(1, new LinkedBlockingQueue<>(), "untaken-rebuild-" + kind + "-"));
    }

    /** Asks the followed log. */
    public ScheduledExecutorService questions() {
        return alone("untaken-question-");
    }

    /** Writes snapshots to disk. */
    public ScheduledExecutorService snapshots() {
        return alone("untaken-snapshot-");
    }

    private ScheduledExecutorService alone(String name) {
        ScheduledThreadPoolExecutor one = new ScheduledThreadPoolExecutor(1, daemons(name));
        one.setRemoveOnCancelPolicy(true);
        one.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        one.setContinueExistingPeriodicTasksAfterShutdownPolicy(false);
        all.add(one);
        return one;
    }

    private static ThreadFactory daemons(String prefix) {
        AtomicInteger number = new AtomicInteger();
        return task -> new DaemonThread(task, prefix + number.incrementAndGet());
    }

    /**
     * Returns once the threads have ended, or after the wait. None is interrupted: an interrupt inside a database that
     * runs in this process closes its files, under the application's own connections.
     */
    public void close(long waitSeconds) {
        all.forEach(ExecutorService::shutdown);
        try {
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(waitSeconds);
            for (ExecutorService one : all) {
                boolean unused = one.awaitTermination(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
