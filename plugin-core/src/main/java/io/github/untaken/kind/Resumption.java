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
    private final Predicate<Errand> equality;
    private final Supplier<CompletableFuture<Void>> news;
    private final Later later;
    private final Duration barrierTimeout;
    private final Duration pause;
    private final Outcome outcome;
    private final long baseline;

    /** Runs the task after the delay, or says why not: {@link Outcome#scans}. */
    @FunctionalInterface
    interface Later {
        void run(Duration delay, Runnable task);
    }

    /** Who hears how it ended; exactly one of them is called, and once. */
    interface Outcome {
        void serves(KeptGeneration kept, long baseline, List<DatabaseMark> marks);

        void scans(String reason);
    }

    /**
     * To be made before the log tells of anything that is not in the generation.
     *
     * @param equality whether the database compares as it did
     * @param news asks for all that was committed before the call
     * @param later what follows runs there, one step at a time
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
     * @param errand nothing follows of what it brings once it is disowned
     */
    void run(Errand errand) {
        step(() -> {
            List<DatabaseMark> marks = stores.marks();
            errand.step();
            demand(
                    stores.identity(marks).equals(kept.scanned().database()),
                    "it is of another database, table or column");
            demand(equality.test(errand), "its database compares otherwise by now");
            errand.waits(barrierTimeout);
            boolean proved = stores.awaitOpenTransactions(barrierTimeout);
            errand.step();
            tellings.barrier(proved);
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
