package io.github.untaken;

import io.github.untaken.memory.KeptGeneration;
import io.github.untaken.spi.RegisteredIdentifierStore.DatabaseMark;
import io.github.untaken.spi.StoreException;
import io.github.untaken.store.Stores;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * A generation that was read from a file, in the place of the first scan. It receives every addition before the log tells of anything,
 * waits for the barrier as any birth does, and serves once a question is answered that was asked after that: then it knows what was
 * committed while nobody was here. If
 * anything may have been missed by then, or if the database is another one or compares otherwise, a scan is made instead.
 */
final class Resumption {
    private final KeptGeneration kept;
    private final Generations generations;
    private final Tellings tellings;
    private final Stores stores;
    private final Runnable equality;
    private final Supplier<CompletableFuture<Void>> news;
    private final ScheduledExecutorService thread;
    private final Duration barrierTimeout;
    private final Duration pause;
    private final Outcome outcome;
    private final long baseline;

    /** Who hears how it ended; exactly one of them is called, and once. */
    interface Outcome {
        void serves(KeptGeneration kept, long baseline, List<DatabaseMark> marks);

        void scans(String reason);
    }

    /**
     * To be made before the log tells of anything that is not in the generation.
     *
     * @param equality compares the database's notion of equality with the key function, and objects if need be
     * @param news asks for all that was committed before the call
     * @param pause how soon it asks again
     */
    Resumption(
            KeptGeneration kept,
            Generations generations,
            Tellings tellings,
            Stores stores,
            Runnable equality,
            Supplier<CompletableFuture<Void>> news,
            ScheduledExecutorService thread,
            Duration barrierTimeout,
            Duration pause,
            Outcome outcome) {
        this.kept = kept;
        this.generations = generations;
        this.tellings = tellings;
        this.stores = stores;
        this.equality = equality;
        this.news = news;
        this.thread = thread;
        this.barrierTimeout = barrierTimeout;
        this.pause = pause;
        this.outcome = outcome;
        this.baseline = tellings.born(kept.generation());
    }

    /** Blocks on the store; the rest follows on the thread. */
    void run() {
        step(() -> {
            List<DatabaseMark> marks = stores.marks();
            demand(
                    stores.identity(marks).equals(kept.scanned().database()),
                    "it is of another database, table or column");
            equality.run();
            tellings.barrier(stores.awaitOpenTransactions(barrierTimeout));
            listen(marks); // what is asked after the barrier knows of whoever had written before the birth
        });
    }

    /** The log may have a lot to tell; as long as nothing is missed, it is waited for. */
    private void listen(List<DatabaseMark> marks) {
        CompletableFuture<Void> unused = news.get().whenComplete((all, failure) -> {
            if (failure == null) {
                later(Duration.ZERO, () -> serve(marks));
            } else {
                later(pause, () -> {
                    demandNothingMissed();
                    listen(marks);
                });
            }
        });
    }

    private void serve(List<DatabaseMark> marks) {
        demandNothingMissed();
        outcome.serves(kept, baseline, marks);
    }

    private void demandNothingMissed() {
        demand(generations.standsAs(kept.generation(), baseline), "something may have been missed since");
    }

    private static void demand(boolean fits, String otherwise) {
        if (!fits) {
            throw new StoreException(otherwise);
        }
    }

    private void later(Duration delay, Runnable next) {
        try {
            ScheduledFuture<?> unused = thread.schedule(() -> step(next), delay.toNanos(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            // closed: nothing answers from memory any more
        }
    }

    private void step(Runnable next) {
        try {
            next.run();
        } catch (RuntimeException | Error e) {
            String why = e instanceof StoreException
                    ? String.valueOf(e.getMessage())
                    : e.getClass().getName();
            outcome.scans(why);
        }
    }
}
