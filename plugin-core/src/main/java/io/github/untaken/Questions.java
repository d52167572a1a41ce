package io.github.untaken;

import io.github.untaken.spi.ChangeFeed;
import io.github.untaken.spi.StoreException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Asks the feed for marks: by the clock, and for checks that want to know all that was committed before they began. One question at a
 * time; whoever comes while one runs takes part in the next, since the one that runs may have been asked before the commit that
 * matters.
 */
final class Questions {
    private final ChangeFeed feed;
    private final Freshness freshness;
    private final Duration timeout;
    private final ScheduledExecutorService thread;
    private final FaultLog faults = new FaultLog();
    private final LongAdder answered = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private @Nullable CompletableFuture<Void> next; // guarded by this; not begun

    /** @param thread a single one */
    Questions(ChangeFeed feed, Freshness freshness, Duration timeout, ScheduledExecutorService thread) {
        this.feed = feed;
        this.freshness = freshness;
        this.timeout = timeout;
        this.thread = thread;
    }

    void askEvery(Duration interval) {
        ScheduledFuture<?> unused = thread.scheduleWithFixedDelay(
                this::renewLease, interval.toNanos(), interval.toNanos(), TimeUnit.NANOSECONDS);
    }

    private void renewLease() {
        CompletableFuture<Void> unused = latest();
    }

    /** Completes when all that was committed before this call is known; exceptionally if that is not found out. */
    CompletableFuture<Void> latest() {
        CompletableFuture<Void> asked = new CompletableFuture<>();
        synchronized (this) {
            if (next != null) {
                return next;
            }
            next = asked;
        }
        try {
            thread.execute(this::ask);
        } catch (RejectedExecutionException e) {
            asked.completeExceptionally(new StoreException("the checker was closed", e));
        }
        return asked;
    }

    private void ask() {
        CompletableFuture<Void> asked = begin();
        if (asked == null) {
            return;
        }
        Lease lease = freshness.now();
        try {
            feed.awaitMark(timeout);
        } catch (RuntimeException | Error e) {
            failed.increment();
            asked.completeExceptionally(e);
            faults.failed("The question that leaves a mark in the database's log", e);
            return;
        }
        freshness.renew(lease);
        answered.increment();
        asked.complete(null);
        faults.ended("The question that leaves a mark in the database's log");
    }

    private synchronized @Nullable CompletableFuture<Void> begin() {
        CompletableFuture<Void> asked = next;
        next = null;
        return asked;
    }

    long answered() {
        return answered.sum();
    }

    long failed() {
        return failed.sum();
    }
}
