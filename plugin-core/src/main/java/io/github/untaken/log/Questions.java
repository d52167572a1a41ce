package io.github.untaken.log;

import io.github.untaken.fault.FaultLog;
import io.github.untaken.memory.Freshness;
import io.github.untaken.memory.Lease;
import io.github.untaken.spi.ChangeFeed;
import io.github.untaken.spi.StoreException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Asks the feed for marks: at intervals, and for checks that want to know everything committed before they began. One
 * question at a time; a caller that comes while one runs shares the next, since the running one may have been asked
 * before the commit that matters.
 */
final class Questions {
    private static final String WHAT = "Asking for a mark in the database's log";

    private final ChangeFeed feed;
    private final Freshness freshness;
    private final Duration timeout;
    private final ScheduledExecutorService thread;
    private final FaultLog faults = new FaultLog("io.github.untaken");
    private final LongAdder answered = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private volatile @Nullable Lease running; // when the running question was asked
    private volatile @Nullable String failure; // why the last finished question failed, if it did
    private @Nullable CompletableFuture<Void> next; // guarded by this; not started

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

    /** No exception may end the questions. Asking succeeds whatever the answer, so it has a fault name of its own. */
    private void renewLease() {
        faults.survive("The timer of questions to the log", () -> {
            CompletableFuture<Void> unused = latest();
        });
    }

    /** Completes when everything committed before this call is known; exceptionally if that cannot be found out. */
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
        } catch (RuntimeException | Error e) {
            giveUp(new StoreException("the database's log could not be asked", e));
        }
        return asked;
    }

    /** Whether the last question was answered, and the running one is younger than its news may be. */
    boolean areAnswered() {
        Lease asked = running;
        return failure == null && (asked == null || freshness.holds(asked));
    }

    /** Why the last finished question failed, without any identifier; null if it did not. */
    @Nullable String failure() {
        return failure;
    }

    /** No one may wait for a question that is never asked. */
    private void giveUp(StoreException why) {
        CompletableFuture<Void> asked = begin();
        if (asked != null) {
            asked.completeExceptionally(why);
        }
    }

    /** Questions that have not started by now never will. */
    void close() {
        thread.shutdown();
        giveUp(new StoreException("the checker was closed"));
    }

    private void ask() {
        CompletableFuture<Void> asked = begin();
        if (asked == null) {
            return;
        }
        try {
            Lease lease = freshness.now();
            running = lease;
            feed.awaitMark(timeout);
            freshness.renew(lease);
        } catch (RuntimeException | Error e) {
            failure = e instanceof StoreException
                    ? String.valueOf(e.getMessage())
                    : e.getClass().getName();
            running = null;
            failed.increment();
            asked.completeExceptionally(e);
            faults.failed(WHAT, e);
            return;
        }
        failure = null;
        running = null;
        answered.increment();
        asked.complete(null);
        faults.ended(WHAT);
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
