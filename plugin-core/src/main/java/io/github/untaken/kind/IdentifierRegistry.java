package io.github.untaken.kind;

import io.github.untaken.IdentifierKind;
import io.github.untaken.KindState;
import io.github.untaken.Verdict;
import io.github.untaken.Verdict.DecidedBy;
import io.github.untaken.Verdict.Status;
import io.github.untaken.log.CatalogLease;
import io.github.untaken.log.Freshness;
import io.github.untaken.log.Lease;
import io.github.untaken.log.Leases;
import io.github.untaken.memory.Generation;
import io.github.untaken.memory.Generations;
import io.github.untaken.memory.Mentions;
import io.github.untaken.memory.View;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The order in which a check consults what one kind knows.
 *
 * <p>The promise: a check that starts after a commit was acknowledged never answers "available" for a text that the
 * unique constraint would refuse. It holds because every living generation is told of each text before its SQL is sent,
 * nothing is removed from a generation, and the database is asked about whatever is uncertain. A check reads the
 * {@link View} once: by the promise, the generation in it knows what was committed before.
 *
 * <ul>
 *   <li>The whitelist overrides the filter, so a text is learnt only if it was not told, see {@link Evidence}.
 *   <li>If others write too, the database's log reports their writes. "Available" then needs news from it that is
 *       young enough; its age is that of the news present before memory was asked.
 *   <li>If others' writes are not reported, "available" needs a recent enough look that showed no other writer. A
 *       process that starts waits for that long, see {@link SingleWriter}.
 *   <li>Memory is trusted as long as the tables it was filled from are known to be unchanged, see
 *       {@link CatalogLease}.
 *   <li>Mentioned texts are looked up before the view is read: a text leaves them only after it was told.
 * </ul>
 */
final class IdentifierRegistry {
    static final String CLOSED = "closed";
    static final String NEEDS_STORE = "needs_store";

    // Kept, so that an answer allocates nothing but its verdict.
    private static final Optional<DecidedBy> BY_FILTER = Optional.of(DecidedBy.FILTER);
    private static final Optional<DecidedBy> BY_WHITELIST = Optional.of(DecidedBy.WHITELIST);
    private static final Optional<String> VARIANT = Optional.of("variant");

    private final IdentifierKind kind;
    private final Mentions mentions;
    private final Generations generations;
    private final Leases leases;
    private final StoreAnswers answers;
    private final KindCounters counters;
    private final KindTerms.Policy policy;
    private final Duration patience;

    /** @param patience how long a check waits for the log */
    IdentifierRegistry(
            KindTerms terms,
            Mentions mentions,
            Generations generations,
            Leases leases,
            StoreAnswers answers,
            KindCounters counters,
            Duration patience) {
        this.kind = terms.kind();
        this.policy = terms.policy();
        this.mentions = mentions;
        this.generations = generations;
        this.leases = leases;
        this.answers = answers;
        this.counters = counters;
        this.patience = patience;
    }

    /**
     * @param text as it was given
     * @param key the normalizer's key of it
     * @param holder the holder's key, whose name the text may look like; null for none
     */
    Verdict check(String text, String key, BooleanSupplier mayRead, @Nullable String holder) {
        Verdict verdict = policy.latest() ? fromMemoryAfterAll(text, key) : fromMemory(text, key, leases.news());
        if (verdict != null) {
            return unlessVariant(verdict, holder);
        }
        return mayRead.getAsBoolean() ? fromStore(readAhead(text, key), holder) : unknown(key, NEEDS_STORE);
    }

    /**
     * As {@link #check}, for a text not yet checked by any rule, if it is {@link Rules#freeAtOnce}; null if more must
     * be asked.
     */
    @Nullable Verdict freeAtOnce(String text, Rules rules, @Nullable String holder) {
        Verdict verdict =
                policy.latest() || !Rules.isReadAtOnce(text) ? null : fromMemory(text, text, leases.news(), rules);
        return verdict != null && verdict.available() ? unlessVariant(verdict, holder) : null;
    }

    Verdict latest(String text, String key) {
        Verdict verdict = fromMemoryAfterAll(text, key);
        return verdict != null ? unlessVariant(verdict, null) : fromStore(readAhead(text, key), null);
    }

    Verdict checkInMemory(String text, String key) {
        Verdict verdict = fromMemory(text, key, leases.news());
        return verdict != null ? unlessVariant(verdict, null) : unknown(key, NEEDS_STORE);
    }

    /** Counts a verdict that is about to be returned. */
    Verdict counted(Verdict verdict) {
        counters.checked(verdict);
        return verdict;
    }

    /**
     * The verdict of memory once it knows everything committed before this call, or null if only the store can tell. A
     * text that memory does not call available needs no news: they could not change that.
     */
    private @Nullable Verdict fromMemoryAfterAll(String text, String key) {
        Verdict seen = fromMemory(text, key, Freshness.UNBOUNDED);
        if (seen == null || !seen.available()) {
            return seen;
        }
        return hearsAll() ? fromMemory(text, key, leases.news()) : null;
    }

    /**
     * Whether, on return, everything committed before this call is known. Does not wait if the store answers anyway.
     */
    private boolean hearsAll() {
        return generations.view().ready() && leases.hearAll(patience);
    }

    private @Nullable Verdict fromMemory(String text, String key, Freshness demanded) {
        return fromMemory(text, key, demanded, null);
    }

    /**
     * The verdict, or null if only the store can tell. The order matters: leases, mentioned, view.
     *
     * @param rules rules still to be applied to the text, as its own key; null if it has passed
     */
    private @Nullable Verdict fromMemory(String text, String key, Freshness demanded, @Nullable Rules rules) {
        Lease heard = demanded.lease();
        Lease looked = leases.looked();
        Lease alone = leases.alone();
        boolean mentioned = isMentioned(text, key);
        View seen = generations.view();
        if (seen.state() == KindState.CLOSED) {
            return unknown(key, CLOSED);
        }
        Generation serving = seen.serving();
        if (mentioned || !seen.ready() || serving == null) {
            return null;
        }
        Optional<DecidedBy> absent = rules == null
                ? proofOfAbsence(text, key, serving)
                : rules.freeAtOnce(text, serving) ? BY_FILTER : Optional.empty();
        return absent.isPresent() && leases.hold(demanded, heard, looked, alone)
                ? new Verdict(kind, Status.AVAILABLE, absent.get(), key, Optional.empty())
                : null;
    }

    @SuppressWarnings("ReferenceEquality") // most texts are their own key
    private boolean isMentioned(String text, String key) {
        return mentions.has(key) || text != key && mentions.has(text);
    }

    /** Both the text and its key must be free: the database may hold a row equal to either. */
    @SuppressWarnings("ReferenceEquality") // most texts are their own key
    private static Optional<DecidedBy> proofOfAbsence(String text, String key, Generation serving) {
        Optional<DecidedBy> ofKey = proofOfAbsence(key, serving);
        if (text == key || ofKey.isEmpty()) {
            return ofKey;
        }
        Optional<DecidedBy> ofText = proofOfAbsence(text, serving);
        return ofText.equals(BY_FILTER) ? ofKey : ofText;
    }

    private static Optional<DecidedBy> proofOfAbsence(String text, Generation serving) {
        if (!serving.mightContain(text)) {
            return BY_FILTER;
        }
        return serving.isProvedAbsent(text) ? BY_WHITELIST : Optional.empty();
    }

    /** Answers many at once; null where only the store can tell. The view is read once for all. */
    void allFromMemory(List<String> texts, String[] keys, @Nullable Verdict[] verdicts) {
        if (policy.latest() && !hearsAll()) {
            return;
        }
        Lease heard = leases.news().lease();
        Lease looked = leases.looked();
        Lease alone = leases.alone();
        boolean anyMentioned = mentions.size() != 0;
        View seen = generations.view();
        Generation serving = seen.serving();
        if (anyMentioned || !seen.ready() || serving == null) {
            for (int i = 0; i < keys.length; i++) {
                verdicts[i] = fromMemory(texts.get(i), keys[i], leases.news());
            }
            return;
        }
        boolean[] maybe = new boolean[keys.length];
        long[] hashes = new long[keys.length];
        for (int i = 0; i < keys.length; i++) {
            hashes[i] = serving.hash(keys[i]);
        }
        serving.mightContainAll(hashes, maybe);
        boolean hold = leases.hold(leases.news(), heard, looked, alone);
        for (int i = 0; i < keys.length; i++) {
            verdicts[i] = !maybe[i] && hold && texts.get(i).equals(keys[i])
                    ? new Verdict(kind, Status.AVAILABLE, DecidedBy.FILTER, keys[i], Optional.empty())
                    : fromMemory(texts.get(i), keys[i], leases.news());
        }
    }

    /** Starts a read that {@link #fromStore} waits for. */
    StoreAnswers.Question readAhead(String text, String key) {
        return answers.readAhead(text, key);
    }

    /** If rows hold the name but none counts, the other spelling that memory knows is theirs. */
    Verdict fromStore(StoreAnswers.Question asked, @Nullable String holder) {
        StoreAnswers.Answer answer = answers.answer(asked);
        return answer.uncounted() ? answer.verdict() : unlessVariant(answer.verdict(), holder);
    }

    /**
     * The policy, applied last: a free name is refused if it is stored in another spelling, by anyone but the holder.
     */
    Verdict unlessVariant(Verdict verdict, @Nullable String holder) {
        if (!policy.refusesVariants() || !verdict.available() || verdict.key().equals(holder)) {
            return verdict;
        }
        Generation serving = generations.view().serving();
        return serving != null && serving.hasVariant(verdict.key())
                ? new Verdict(kind, Status.TAKEN, DecidedBy.NORMALIZER, verdict.key(), VARIANT)
                : verdict;
    }

    private Verdict unknown(String key, String reason) {
        return new Verdict(kind, Status.UNKNOWN, DecidedBy.STORE, key, Optional.of(reason));
    }
}
