package io.github.untaken;

import io.github.untaken.spi.IdentifierKind;
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
 * one for the rebuilds of each kind. All are daemons.
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
        ScheduledThreadPoolExecutor one = new ScheduledThreadPoolExecutor(1, daemons("untaken-rebuild-" + kind + "-"));
        one.setRemoveOnCancelPolicy(true);
        one.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
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

    /** Returns once the threads have ended, or after the wait. */
    void close(long waitSeconds) {
        rechecks.shutdownNow();
        rebuilds.forEach(ScheduledExecutorService::shutdownNow);
        try {
            rechecks.awaitTermination(waitSeconds, TimeUnit.SECONDS);
            for (ScheduledExecutorService rebuild : rebuilds) {
                rebuild.awaitTermination(waitSeconds, TimeUnit.SECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
