package io.github.untaken;

import io.github.untaken.Verdict.DecidedBy;
import io.github.untaken.Verdict.Status;
import io.github.untaken.store.Recheck;
import io.github.untaken.store.Recheck.Finding;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What the store is asked where memory cannot tell, and what its answer says: only "absent", and nothing else, makes a key available.
 * A store that is late, fails or refuses is {@code UNKNOWN}.
 */
final class StoreAnswers {
    static final String STORE_UNAVAILABLE = "store_unavailable";
    static final String SPELLING_UNCERTAIN = "spelling_uncertain";

    private final IdentifierKind kind;
    private final Recheck recheck;
    private final Generations generations;
    private final Evidence evidence;
    private final FalseAlarms falseAlarms;
    private final KindCounters counters;
    private final RegistrySettings settings;
    private final @Nullable FollowedLog log;

    /** @param log the database's, if it is followed */
    StoreAnswers(
            IdentifierKind kind,
            Recheck recheck,
            Generations generations,
            Evidence evidence,
            FalseAlarms falseAlarms,
            KindCounters counters,
            RegistrySettings settings,
            @Nullable FollowedLog log) {
        this.kind = kind;
        this.recheck = recheck;
        this.generations = generations;
        this.evidence = evidence;
        this.falseAlarms = falseAlarms;
        this.counters = counters;
        this.settings = settings;
        this.log = log;
    }

    /**
     * A read under way.
     *
     * @param news what an "absent" waits for as well, if the log alone may tell of a row that the read does not find
     */
    record Question(
            String key,
            CompletableFuture<Finding> read,
            @Nullable CompletableFuture<Void> news) {}

    /**
     * Begins a read that {@link #verdict} waits for.
     *
     * @param latest whether the verdict must know of all that was committed before this call
     */
    Question readAhead(String key, boolean latest) {
        boolean needsNews = latest && !generations.holdsKeys();
        return new Question(
                key, recheck.read(key, counters.storeAsked()), needsNews && log != null ? log.latest() : null);
    }

    /** Waits for the store no longer than the recheck timeout, and for news as long again. */
    Verdict verdict(Question asked) {
        String key = asked.key();
        return await(key, asked.read(), finding -> switch (finding) {
            case PRESENT -> verdict(Status.TAKEN, DecidedBy.STORE, key);
            case PENDING -> verdict(Status.TAKEN, DecidedBy.PENDING, key);
            case ODD -> verdict(Status.TAKEN, DecidedBy.FILTER, key);
            case ABSENT -> {
                if (evidence.suspectedByFilter(key)) {
                    falseAlarms.note();
                }
                yield absent(asked);
            }
            case UNCERTAIN -> unknown(key, SPELLING_UNCERTAIN);
        });
    }

    /**
     * Begins a read of the very text that was typed, if that may be taken although its key is free. A database that holds more equal than
     * keys are, and tells capitals from small letters, refuses "Jose" beside "José", and not "jose". Null if it cannot be.
     */
    @Nullable CompletableFuture<Boolean> readAheadAsTyped(String text, Verdict ofKey) {
        boolean needed = ofKey.available()
                && !text.equals(ofKey.key())
                && ofKey.decidedBy() == DecidedBy.STORE
                && generations.isRaised(Generations.Obstacle.COARSER_DATABASE);
        return needed ? recheck.readText(text) : null;
    }

    /** The verdict of the key, unless the store has the text. Waits as {@link #verdict} does. */
    Verdict verdictAsTyped(Verdict ofKey, CompletableFuture<Boolean> read) {
        String key = ofKey.key();
        return await(key, read, found -> found ? verdict(Status.TAKEN, DecidedBy.STORE, key) : ofKey);
    }

    private <T> Verdict await(String key, CompletableFuture<T> read, Function<T, Verdict> verdict) {
        try {
            return verdict.apply(read.get(settings.recheckTimeout().toNanos(), TimeUnit.NANOSECONDS));
        } catch (TimeoutException e) {
            counters.timedOut();
            return unknown(key, STORE_UNAVAILABLE);
        } catch (ExecutionException e) {
            Throwable failure = e.getCause();
            if (failure != null && Recheck.wasRefused(failure)) {
                counters.refused();
            }
            return unknown(key, STORE_UNAVAILABLE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return unknown(key, STORE_UNAVAILABLE);
        }
    }

    /** The store does not find the key, and nothing of it is known. */
    private Verdict absent(Question asked) {
        String key = asked.key();
        if (log != null && asked.news() != null) {
            boolean heard = log.heard(asked.news(), settings.recheckTimeout());
            View seen = generations.view();
            if (generations.isOdd(key)) {
                return verdict(Status.TAKEN, DecidedBy.FILTER, key);
            }
            if (!heard || !seen.knowsEveryValue()) {
                return unknown(key, SPELLING_UNCERTAIN);
            }
        }
        return verdict(Status.AVAILABLE, DecidedBy.STORE, key);
    }

    private Verdict verdict(Status status, DecidedBy decidedBy, String key) {
        return Verdict.of(kind, status, decidedBy, key);
    }

    private Verdict unknown(String key, String reason) {
        return Verdict.unknown(kind, key, reason);
    }
}
