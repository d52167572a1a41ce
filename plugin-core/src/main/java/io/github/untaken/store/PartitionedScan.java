package io.github.untaken.store;

import io.github.untaken.IdentifierKind;
import io.github.untaken.spi.RegisteredIdentifierStore.Partition;
import io.github.untaken.spi.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * Scans the parts of a snapshot on the calling thread and some helpers; each takes the next part when it is done with
 * one. The first failure ends all of them and is the failure of the scan.
 */
public final class PartitionedScan {
    private final Queue<Partition> left;
    private final Consumer<String> row;
    private final AtomicReference<Throwable> failure = new AtomicReference<>();

    private PartitionedScan(List<Partition> partitions, Consumer<String> row) {
        this.left = new ConcurrentLinkedQueue<>(partitions);
        this.row = row;
    }

    /**
     * Returns once every row has been handed over, or throws what ended the scan.
     *
     * @param threads number of threads including the caller's, 1 or more
     * @param row called by any of them, concurrently
     */
    public static void run(IdentifierKind kind, List<Partition> partitions, int threads, Consumer<String> row) {
        String name = "untaken-scan-" + kind + "-";
        AtomicInteger number = new AtomicInteger();
        run(partitions, threads, row, work -> new DaemonThread(work, name + number.incrementAndGet()));
    }

    static void run(List<Partition> partitions, int threads, Consumer<String> row, ThreadFactory helpers) {
        new PartitionedScan(partitions, row).run(Math.min(threads, partitions.size()), helpers);
    }

    private void run(int threads, ThreadFactory factory) {
        List<Thread> helpers = new ArrayList<>();
        try {
            for (int i = 1; i < threads; i++) {
                Thread helper = factory.newThread(this::work);
                helper.start();
                helpers.add(helper);
            }
        } catch (RuntimeException | Error e) { // no memory for another: those that read must not go on alone
            failure.compareAndSet(null, e);
        }
        work();
        for (Thread helper : helpers) {
            join(helper);
        }
        Throwable failed = failure.get();
        if (failed instanceof Error error) {
            throw error;
        }
        if (failed instanceof RuntimeException exception) {
            throw exception;
        }
        if (failed != null) {
            throw new StoreException("a part of the scan failed", failed);
        }
    }

    private void work() {
        try {
            Partition next = left.poll();
            while (next != null && failure.get() == null) {
                next.scan(this::row);
                next = left.poll();
            }
        } catch (Throwable e) { // not every JVM language has checked exceptions
            failure.compareAndSet(null, e);
        }
    }

    /** A failure here is a missing row, whether the store passes it on or not. */
    private void row(String value) {
        if (failure.get() != null) {
            throw new StoreException("another part of the scan failed");
        }
        try {
            row.accept(value);
        } catch (Throwable e) {
            failure.compareAndSet(null, e);
            throw e;
        }
    }

    /** A helper that is not waited for ends at its next row. */
    private void join(Thread helper) {
        try {
            helper.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            failure.compareAndSet(null, new StoreException("the scan was interrupted", e));
        }
    }
}
