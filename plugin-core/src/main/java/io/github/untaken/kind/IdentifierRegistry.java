package io.github.untaken.kind;

import io.github.untaken.IdentifierKind;
import io.github.untaken.KindState;
import io.github.untaken.Verdict;
import io.github.untaken.Verdict.DecidedBy;
import io.github.untaken.Verdict.Status;
import io.github.untaken.log.CatalogLease;
import io.github.untaken.log.FollowedLog;
import io.github.untaken.memory.Generation;
import io.github.untaken.memory.Generations;
import io.github.untaken.memory.Leases;
import io.github.untaken.memory.Mentions;
import io.github.untaken.memory.View;
import io.github.untaken.text.Fold;
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

    private static final Optional<String> VARIANT = Optional.of("variant");

    private final IdentifierKind kind;
    private final Mentions mentions;
    private final Generations generations;
    private final Leases leases;
    private final @Nullable FollowedLog log;
    private final StoreAnswers answers;
    private final KindCounters counters;
    private final KindTerms.Policy policy;
    private final Duration patience;

    /**
     * @param log null if none is followed
     * @param patience how long a check waits for the log
     */
    IdentifierRegistry(
            KindTerms terms,
            Mentions mentions,
            Generations generations,
            Leases leases,
            @Nullable FollowedLog log,
            StoreAnswers answers,
            KindCounters counters,
            Duration patience) {
        this.kind = terms.kind();
        this.policy = terms.policy();
        this.mentions = mentions;
        this.generations = generations;
        this.leases = leases;
        this.log = log;
        this.answers = answers;
        this.counters = counters;
        this.patience = patience;
    }

    /**
     * @param text as it was given
     * @param key the normalizer's key of it
     * @param plain whether it is known to be its own key and {@linkplain Fold#keepsPlain plain}
     * @param holder the holder's key, whose name the text may look like; null for none
     */
    Verdict check(String text, String key, boolean plain, BooleanSupplier mayRead, @Nullable String holder) {
        boolean spellings = spellingsMatter(key, holder);
        Verdict verdict = policy.latest()
                ? fromMemoryAfterAll(text, key, spellings)
                : fromMemory(leases.read(), text, key, plain, spellings);
        if (verdict != null) {
            return verdict;
        }
        return mayRead.getAsBoolean() ? fromStore(readAhead(text, key), holder) : unknown(key, NEEDS_STORE);
    }

    Verdict latest(String text, String key) {
        Verdict verdict = fromMemoryAfterAll(text, key, policy.refusesVariants());
        return verdict != null ? verdict : fromStore(readAhead(text, key), null);
    }

    Verdict checkInMemory(String text, String key) {
        Verdict verdict = fromMemory(leases.read(), text, key, false, policy.refusesVariants());
        return verdict != null ? verdict : unknown(key, NEEDS_STORE);
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
    private @Nullable Verdict fromMemoryAfterAll(String text, String key, boolean spellings) {
        Verdict seen = fromMemory(leases.readWithoutNews(), text, key, false, false);
        if (seen == null || !seen.available()) {
            return seen;
        }
        return hearsAll() ? fromMemory(leases.read(), text, key, false, spellings) : null;
    }

    /**
     * Whether, on return, everything committed before this call is known. Does not wait if the store answers anyway.
     */
    private boolean hearsAll() {
        return generations.view().ready() && (log == null || log.hearsAll(patience));
    }

    /**
     * The verdict, or null if only the store can tell. The order matters: leases, mentioned, view. The policy on other
     * spellings only makes a free name taken.
     *
     * @param read just now, by the caller
     */
    private @Nullable Verdict fromMemory(Leases.Read read, String text, String key, boolean plain, boolean spellings) {
        boolean mentioned = mentions.has(key) || mentions.has(text);
        View seen = generations.view();
        if (seen.state() == KindState.CLOSED) {
            return unknown(key, CLOSED);
        }
        Generation serving = seen.serving();
        if (mentioned || !seen.ready() || serving == null) {
            return null;
        }
        DecidedBy decider = serving.decider(text, key, plain, spellings);
        if (decider == null || !read.hold()) {
            return null;
        }
        return decider == DecidedBy.NORMALIZER
                ? variant(key)
                : new Verdict(kind, Status.AVAILABLE, decider, key, Optional.empty());
    }

    /** Answers many at once; null where only the store can tell. The view is read once for all. */
    void allFromMemory(List<String> texts, String[] keys, @Nullable Verdict[] verdicts) {
        if (policy.latest() && !hearsAll()) {
            return;
        }
        Leases.Read read = leases.read();
        boolean spellings = policy.refusesVariants();
        boolean anyMentioned = mentions.size() != 0;
        View seen = generations.view();
        Generation serving = seen.serving();
        if (anyMentioned || !seen.ready() || serving == null) {
            for (int i = 0; i < keys.length; i++) {
                verdicts[i] = fromMemory(leases.read(), texts.get(i), keys[i], false, spellings);
            }
            return;
        }
        boolean[] maybe = new boolean[keys.length];
        long[] hashes = new long[keys.length];
        for (int i = 0; i < keys.length; i++) {
            hashes[i] = serving.hash(keys[i]);
        }
        serving.mightContainAll(hashes, maybe);
        boolean hold = read.hold();
        for (int i = 0; i < keys.length; i++) {
            boolean free = !maybe[i] && hold && texts.get(i).equals(keys[i]);
            verdicts[i] = free && !(spellings && serving.hasVariant(keys[i]))
                    ? new Verdict(kind, Status.AVAILABLE, DecidedBy.FILTER, keys[i], Optional.empty())
                    : fromMemory(leases.read(), texts.get(i), keys[i], false, spellings);
        }
    }

    /** Starts a read that {@link #fromStore} waits for. */
    StoreAnswers.Question readAhead(String text, String key) {
        return answers.readAhead(text, key);
    }

    /** If rows hold the name but none counts, the other spelling that memory knows is theirs. */
    Verdict fromStore(StoreAnswers.Question asked, @Nullable String holder) {
        StoreAnswers.Answer answer = answers.answer(asked);
        Verdict verdict = answer.verdict();
        if (answer.uncounted() || !verdict.available() || !spellingsMatter(verdict.key(), holder)) {
            return verdict;
        }
        Generation serving = generations.view().serving();
        return serving != null && serving.hasVariant(verdict.key()) ? variant(verdict.key()) : verdict;
    }

    /** Whether a free name is refused if it is stored in another spelling, as it is for anyone but the holder. */
    private boolean spellingsMatter(String key, @Nullable String holder) {
        return policy.refusesVariants() && !key.equals(holder);
    }

    private Verdict variant(String key) {
        return new Verdict(kind, Status.TAKEN, DecidedBy.NORMALIZER, key, VARIANT);
    }

    private Verdict unknown(String key, String reason) {
        return new Verdict(kind, Status.UNKNOWN, DecidedBy.STORE, key, Optional.of(reason));
    }
}
