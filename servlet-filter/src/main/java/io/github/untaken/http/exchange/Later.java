package io.github.untaken.http.exchange;

import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Runs small tasks later, which must not block, on one daemon thread. The thread starts with the first task. Thread-safe. */
public final class Later implements AutoCloseable {
    private final ScheduledThreadPoolExecutor timer;

    /** Starts no thread yet. */
    public Later() {
        this.timer = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "untaken-endpoint");
            thread.setDaemon(true);
            return thread;
        });
        timer.setRemoveOnCancelPolicy(true);
    }

    /**
     * Runs a task after so many nanoseconds.
     *
     * @throws java.util.concurrent.RejectedExecutionException after {@link #close}
     */
    public Future<?> in(long nanos, Runnable task) {
        return timer.schedule(task, nanos, TimeUnit.NANOSECONDS);
    }

    /** Accepts no more tasks. Those it has still run on time, as somebody waits for them. Does not block. */
    @Override
    public void close() {
        timer.shutdown();
    }
}
