package io.github.untaken;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads of one checker: a few for rechecks, bounded so that a flood of positives cannot take the database down, and
 * two for each kind: one works, on a rebuild or an audit, while the other looks at the clock, however long the store lets the first
 * wait. All are daemons.
 */
final class RegistryThreads {
    private final ThreadPoolExecutor rechecks;
    private final List<ScheduledExecutorService> rebuilds = new ArrayList<>();

    RegistryThreads(int recheckThreads, int recheckQueue) {
        rechecks = new ThreadPoolExecutor(
                recheckThreads,
                recheckThreads,
                30,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(recheckQueue),
                daemons("untaken-recheck-"));
        rechecks.allowCoreThreadTimeOut(true);
    }

    Executor rechecks() {
        return rechecks;
    }

    ScheduledExecutorService rebuilds(IdentifierKind kind) {
        ScheduledThreadPoolExecutor one = new ScheduledThreadPoolExecutor(2, daemons("untaken-rebuild-" + kind + "-"));
        one.setRemoveOnCancelPolicy(true);
        one.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        one.setContinueExistingPeriodicTasksAfterShutdownPolicy(false);
        rebuilds.add(one);
        return one;
    }

    /** One that asks the followed log. */
    ScheduledExecutorService questions() {
        return alone("untaken-question-");
    }

    /** One that writes what is kept on the disk. */
    ScheduledExecutorService snapshots() {
        return alone("untaken-snapshot-");
    }

    private ScheduledExecutorService alone(String name) {
        ScheduledThreadPoolExecutor one = new ScheduledThreadPoolExecutor(1, daemons(name));
        one.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        one.setContinueExistingPeriodicTasksAfterShutdownPolicy(false);
        rebuilds.add(one);
        return one;
    }

    private static ThreadFactory daemons(String prefix) {
        AtomicInteger number = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, prefix + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }

    /**
     * Returns once the threads have ended, or after the wait. None is interrupted: an interrupt inside a database that runs in this
     * process closes its files, under the application's own connections.
     */
    void close(long waitSeconds) {
        rechecks.shutdown();
        rebuilds.forEach(ScheduledExecutorService::shutdown);
        try {
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(waitSeconds);
            boolean unused = rechecks.awaitTermination(waitSeconds, TimeUnit.SECONDS);
            for (ScheduledExecutorService rebuild : rebuilds) {
                unused = rebuild.awaitTermination(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
