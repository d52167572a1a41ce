package io.github.untaken.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntConsumer;
import java.util.function.IntToLongFunction;

/** Starts threads together, for tests of concurrency. */
final class Crew {
    private static final int READERS = 2;
    private static final long PATIENCE_SECONDS = 120;

    private Crew() {}

    /** Runs the work on this many threads at once and returns when all have ended. */
    static void together(int threads, IntConsumer work) throws InterruptedException, ExecutionException {
        CyclicBarrier start = new CyclicBarrier(threads);
        run(threads, thread -> {
            await(start);
            work.accept(thread);
            return 0;
        });
    }

    /** Repeats the readers until the writer has ended, and once more; returns the sum of their results. */
    static long race(Runnable writer, IntToLongFunction reader) throws InterruptedException, ExecutionException {
        CyclicBarrier start = new CyclicBarrier(READERS + 1);
        AtomicBoolean done = new AtomicBoolean();
        return run(READERS + 1, thread -> {
            await(start);
            if (thread == READERS) {
                try {
                    writer.run();
                } finally {
                    done.set(true);
                }
                return 0;
            }
            long sum = 0;
            boolean last;
            do {
                last = done.get();
                sum += reader.applyAsLong(thread);
            } while (!last);
            return sum;
        });
    }

    private static long run(int threads, IntToLongFunction work) throws InterruptedException, ExecutionException {
        // A writer caught in an endless loop must fail its test and not keep the JVM alive.
        ExecutorService pool = Executors.newFixedThreadPool(threads, task -> {
            Thread thread = new Thread(task, "crew");
            thread.setDaemon(true);
            return thread;
        });
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        try {
            List<Future<Long>> results = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                int thread = i;
                results.add(pool.submit(() -> work.applyAsLong(thread)));
            }
            long sum = 0;
            for (Future<Long> result : results) {
                sum += result.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
            }
            return sum;
        } catch (TimeoutException e) {
            throw new AssertionError("a thread did not end within " + PATIENCE_SECONDS + " s", e);
        } finally {
            pool.shutdown();
        }
    }

    private static void await(CyclicBarrier start) {
        try {
            start.await();
        } catch (Exception e) {
            throw new AssertionError("the threads could not start together", e);
        }
    }
}
