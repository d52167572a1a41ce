package io.github.untaken.kind;

import io.github.untaken.IdentifierKind;
import io.github.untaken.Verdict;
import io.github.untaken.Verdict.DecidedBy;
import io.github.untaken.Verdict.Status;
import io.github.untaken.spi.RegisteredIdentifierStore.Presence;
import io.github.untaken.store.Recheck;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * What the store is asked when memory cannot tell: the text as given and, if different, its key. The text is available
 * if no row that counts holds either. If the store is late, fails or refuses, the answer is {@code UNKNOWN}.
 */
public final class StoreAnswers {
    public static final String STORE_UNAVAILABLE = "store_unavailable";
    public static final String STORE_BUSY = "store_busy";

    private final IdentifierKind kind;
    private final Recheck recheck;
    private final Evidence evidence;
    private final FalseAlarms falseAlarms;
    private final KindCounters counters;
    private final Duration timeout;

    StoreAnswers(
            IdentifierKind kind,
            Recheck recheck,
            Evidence evidence,
            FalseAlarms falseAlarms,
            KindCounters counters,
            Duration timeout) {
        this.kind = kind;
        this.recheck = recheck;
        this.evidence = evidence;
        this.falseAlarms = falseAlarms;
        this.counters = counters;
        this.timeout = timeout;
    }

    /**
     * Reads under way.
     *
     * @param text the read for the text as given; null if that is its key
     * @param deadline by {@link System#nanoTime}
     */
    record Question(
            String key,
            CompletableFuture<Presence> ofKey,
            @Nullable CompletableFuture<Presence> text,
            long deadline) {

        boolean isDone() {
            return ofKey.isDone() && (text == null || text.isDone());
        }
    }

    /** Starts the reads that {@link #answer} waits for. */
    Question readAhead(String text, String key) {
        long deadline = System.nanoTime() + timeout.toNanos();
        Object asker = counters.storeAsked();
        CompletableFuture<Presence> ofKey = recheck.read(key, asker, deadline);
        return new Question(key, ofKey, text.equals(key) ? null : recheck.read(text, asker, deadline), deadline);
    }

    /**
     * The store's answer.
     *
     * @param uncounted whether rows hold it but none counts, so it is free
     */
    record Answer(Verdict verdict, boolean uncounted) {}

    /** Waits for the store at most for the recheck timeout, counted from the question. */
    Answer answer(Question asked) {
        String key = asked.key();
        Presence found;
        try {
            CompletableFuture<Presence> text = asked.text();
            found = await(asked.ofKey(), asked);
            if (found != Presence.COUNTED && text != null) {
                found = found.and(await(text, asked));
            }
        } catch (TimeoutException e) {
            counters.timedOut();
            return unknown(key, STORE_UNAVAILABLE);
        } catch (ExecutionException e) {
            Throwable failure = e.getCause();
            boolean refused = failure != null && Recheck.wasRefused(failure);
            if (refused) {
                counters.refused();
            }
            return unknown(key, refused ? STORE_BUSY : STORE_UNAVAILABLE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return unknown(key, STORE_UNAVAILABLE);
        }
        if (found == Presence.ABSENT && evidence.suspectedByFilter(key)) {
            falseAlarms.note();
        }
        Status status = found == Presence.COUNTED ? Status.TAKEN : Status.AVAILABLE;
        Verdict verdict = new Verdict(kind, status, DecidedBy.STORE, key, Optional.empty());
        return new Answer(verdict, found == Presence.UNCOUNTED);
    }

    private static Presence await(CompletableFuture<Presence> read, Question asked)
            throws InterruptedException, ExecutionException, TimeoutException {
        return read.get(Math.max(0, asked.deadline() - System.nanoTime()), TimeUnit.NANOSECONDS);
    }

    private Answer unknown(String key, String reason) {
        return new Answer(new Verdict(kind, Status.UNKNOWN, DecidedBy.STORE, key, Optional.of(reason)), false);
    }
}
