package io.github.untaken.kind;

import io.github.untaken.memory.Generations;
import io.github.untaken.memory.KeptGeneration;
import io.github.untaken.memory.Tellings;
import io.github.untaken.spi.RegisteredIdentifierStore.DatabaseMark;
import io.github.untaken.spi.StoreException;
import io.github.untaken.store.Errands.Errand;
import io.github.untaken.store.Stores;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * A generation read from a file, in place of the first scan. It receives every addition before the log reports
 * anything, waits for the barrier as any birth does, and serves once a question asked after that is answered: it then
 * knows what was committed while this process was down. If anything may have been missed by then, or the database is
 * another one or compares differently, a scan is made instead.
 */
final class Resumption {
    private final KeptGeneration kept;
    private final Generations generations;
    private final Tellings tellings;
    private final Stores stores;
    private final Predicate<Errand> equality;
    private final Supplier<CompletableFuture<Void>> news;
    private final Later later;
    private final Duration barrierTimeout;
    private final Duration pause;
    private final Outcome outcome;
    private final long baseline;

    /** Runs the task after the delay, or reports why not through {@link Outcome#scans}. */
    @FunctionalInterface
    interface Later {
        void run(Duration delay, Runnable task);
    }

    /** Notified how it ended: exactly one method is called, once. */
    interface Outcome {
        void serves(KeptGeneration kept, long baseline, List<DatabaseMark> marks);

        void scans(String reason);
    }

    /**
     * To be made before the log reports anything that is not in the generation.
     *
     * @param equality whether the database compares as it did
     * @param news asks for everything committed before the call
     * @param later runs the following steps, one at a time
     * @param pause how soon it asks again
     */
    Resumption(
            KeptGeneration kept,
            Generations generations,
            Tellings tellings,
            Stores stores,
            Predicate<Errand> equality,
            Supplier<CompletableFuture<Void>> news,
            Later later,
            Duration barrierTimeout,
            Duration pause,
            Outcome outcome) {
        this.kept = kept;
        this.generations = generations;
        this.tellings = tellings;
        this.stores = stores;
        this.equality = equality;
        this.news = news;
        this.later = later;
        this.barrierTimeout = barrierTimeout;
        this.pause = pause;
        this.outcome = outcome;
        this.baseline = tellings.born(kept.generation());
    }

    /**
     * Blocks on the store; the rest follows later.
     *
     * @param errand its result has no effect once it is disowned
     */
    void run(Errand errand) {
        step(() -> {
            List<DatabaseMark> marks = stores.marks();
            errand.step();
            demand(
                    stores.identity(marks).equals(kept.scanned().database()),
                    "it belongs to another database, table or column");
            demand(equality.test(errand), "its database compares texts differently now");
            errand.waits(barrierTimeout);
            boolean proved = stores.awaitOpenTransactions(barrierTimeout);
            errand.step();
            tellings.barrier(proved);
            listen(marks); // a question asked after the barrier covers every writer from before the birth
        });
    }

    /** The log may have a lot to report; it is waited for as long as nothing is missed. */
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
        demand(
                generations.standsAs(kept.generation(), baseline),
                "something may have been missed since it was written");
    }

    private static void demand(boolean fits, String otherwise) {
        if (!fits) {
            throw new StoreException(otherwise);
        }
    }

    private void later(Duration delay, Runnable next) {
        later.run(delay, () -> step(next));
    }

    private void step(Runnable next) {
        try {
            next.run();
        } catch (RuntimeException | Error e) {
            outcome.scans(why(e));
        }
    }

    static String why(Throwable failure) {
        return failure instanceof StoreException
                ? String.valueOf(failure.getMessage())
                : failure.getClass().getName();
    }
}
