package io.github.untaken.http.exchange;

import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Does small things later that do not block, on one daemon thread, which begins with the first of them. Thread-safe. */
public final class Later implements AutoCloseable {
    private final ScheduledThreadPoolExecutor timer;

    /** Without a thread yet. */
    public Later() {
        this.timer = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "untaken-endpoint");
            thread.setDaemon(true);
            return thread;
        });
        timer.setRemoveOnCancelPolicy(true);
    }

    /**
     * Does something after so many nanoseconds.
     *
     * @throws java.util.concurrent.RejectedExecutionException after {@link #close}
     */
    public Future<?> in(long nanos, Runnable task) {
        return timer.schedule(task, nanos, TimeUnit.NANOSECONDS);
    }

    /** Takes nothing more; what was asked for is still done at its time, for somebody waits for it. Does not block. */
    @Override
    public void close() {
        timer.shutdown();
    }
}
