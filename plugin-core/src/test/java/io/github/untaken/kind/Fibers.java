package io.github.untaken.kind;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Tasks that can stand still in the middle and go on later. Each has a thread, but only one thread ever runs: whoever starts
 * or resumes a fiber waits until it stands still or has finished. So the order is whatever the caller wants, and a thread
 * that stands still while it holds a lock others need is found out.
 *
 * <p>Used by one thread.
 */
final class Fibers implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 20;

    private final List<Fiber> all = new ArrayList<>();
    private final ArrayDeque<Fiber> idle = new ArrayDeque<>();
    private Fiber current;

    final class Fiber {
        private final Semaphore go = new Semaphore(0);
        private final Semaphore back = new Semaphore(0);
        private final Thread thread = new Thread(this::live, "simulation-fiber");
        private Runnable task;
        private boolean finished;
        private boolean closed;

        private Fiber() {
            thread.setDaemon(true);
            thread.start();
        }

        private void live() {
            go.acquireUninterruptibly();
            while (!closed) {
                try {
                    task.run();
                } finally {
                    finished = true;
                    back.release();
                }
                go.acquireUninterruptibly();
            }
        }

        /** True if it has finished, false if it stands still. */
        boolean resume() {
            Fiber outer = current;
            current = this;
            go.release();
            try {
                if (!back.tryAcquire(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                    throw new AssertionError("a task waits for what another holds while it stands still");
                }
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            } finally {
                current = outer;
            }
            if (finished) {
                idle.add(this);
            }
            return finished;
        }
    }

    /** A fiber that will run the task when it is resumed. */
    Fiber of(Runnable task) {
        Fiber fiber = idle.poll();
        if (fiber == null) {
            fiber = new Fiber();
            all.add(fiber);
        }
        fiber.task = task;
        fiber.finished = false;
        return fiber;
    }

    /** Whether the caller runs on a fiber. */
    boolean onFiber() {
        return current != null;
    }

    /** Called on a fiber: stands still until it is resumed. */
    void standStill() {
        Fiber me = current;
        me.back.release();
        me.go.acquireUninterruptibly();
    }

    @Override
    public void close() {
        for (Fiber fiber : all) {
            fiber.closed = true;
            fiber.go.release();
        }
    }
}
