package io.github.untaken.kind;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Callable;
import java.util.concurrent.Delayed;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** One thread's schedule under a virtual clock: whoever drives it says when the next task that is due runs. */
public final class VirtualSchedule extends AbstractExecutorService implements ScheduledExecutorService {
    private final LongSupplier nanoTime;
    private final List<Task> tasks = new ArrayList<>();
    private boolean busy;
    private boolean fails;

    public VirtualSchedule(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    private final class Task extends FutureTask<Void> implements ScheduledFuture<Void> {
        private final long periodNanos;
        private long due;

        Task(Runnable work, long delayNanos, long periodNanos) {
            super(work, null);
            this.due = nanoTime.getAsLong() + delayNanos;
            this.periodNanos = periodNanos;
        }

        void runDue() {
            if (periodNanos == 0) {
                run();
            } else if (runAndReset()) {
                due = nanoTime.getAsLong() + periodNanos;
                tasks.add(this);
            }
        }

        @Override
        public boolean cancel(boolean mayInterrupt) {
            tasks.remove(this);
            return super.cancel(mayInterrupt);
        }

        @Override
        public long getDelay(TimeUnit unit) {
            return unit.convert(due - nanoTime.getAsLong(), TimeUnit.NANOSECONDS);
        }

        @Override
        public int compareTo(Delayed other) {
            return Long.compare(getDelay(TimeUnit.NANOSECONDS), other.getDelay(TimeUnit.NANOSECONDS));
        }
    }

    /** Whether a task is due and no other runs. */
    public boolean canRun() {
        if (busy) {
            return false;
        }
        long now = nanoTime.getAsLong();
        for (Task task : tasks) {
            if (task.due <= now) {
                return true;
            }
        }
        return false;
    }

    /** Runs the task that has been due for longest; call only if {@link #canRun}. */
    public void runNext() {
        Task next = tasks.get(0);
        for (Task task : tasks) {
            if (task.due < next.due) {
                next = task;
            }
        }
        tasks.remove(next);
        busy = true;
        try {
            next.runDue();
        } finally {
            busy = false;
        }
    }

    /** As {@link #runNext}, on another thread while a task stands still; returns whether one was due. */
    boolean runNextBeside() {
        boolean stands = busy;
        busy = false;
        try {
            boolean due = canRun();
            if (due) {
                runNext();
            }
            return due;
        } finally {
            busy = stands;
        }
    }

    /** The next task that is handed over finds no memory. */
    public void failOnce() {
        fails = true;
    }

    private Task add(Task task) {
        if (fails) {
            fails = false;
            throw new OutOfMemoryError("told to fail");
        }
        tasks.add(task);
        return task;
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable work, long delay, TimeUnit unit) {
        return add(new Task(work, unit.toNanos(delay), 0));
    }

    @Override
    public ScheduledFuture<?> scheduleWithFixedDelay(Runnable work, long initial, long delay, TimeUnit unit) {
        return add(new Task(work, unit.toNanos(initial), unit.toNanos(delay)));
    }

    @Override
    public ScheduledFuture<?> scheduleAtFixedRate(Runnable work, long initial, long period, TimeUnit unit) {
        return scheduleWithFixedDelay(work, initial, period, unit);
    }

    @Override
    public <V> ScheduledFuture<V> schedule(Callable<V> work, long delay, TimeUnit unit) {
        throw new UnsupportedOperationException("nothing in the registry schedules a Callable");
    }

    @Override
    public void execute(Runnable work) {
        add(new Task(work, 0, 0));
    }

    @Override
    public void shutdown() {
        tasks.clear();
    }

    @Override
    public List<Runnable> shutdownNow() {
        tasks.clear();
        return List.of();
    }

    @Override
    public boolean isShutdown() {
        return false;
    }

    @Override
    public boolean isTerminated() {
        return false;
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
        return true;
    }
}
