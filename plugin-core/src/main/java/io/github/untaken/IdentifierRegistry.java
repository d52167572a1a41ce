package io.github.untaken;

import io.github.untaken.Verdict.DecidedBy;
import io.github.untaken.Verdict.Status;
import io.github.untaken.fault.FaultLog;
import io.github.untaken.memory.Generation;
import io.github.untaken.memory.UnsettledKeys;
import io.github.untaken.memory.UnsettledKeys.State;
import io.github.untaken.memory.Whitelist;
import io.github.untaken.spi.IdentifierNormalizer;
import io.github.untaken.store.Alphabet;
import io.github.untaken.store.Recheck;
import io.github.untaken.store.Stores;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One kind's picture in memory, and the order in which its parts are asked.
 *
 * <p>The promise: a check that starts after a commit was acknowledged never answers "available" for the identifier
 * committed. It holds because of who is asked when:
 *
 * <ul>
 *   <li>An announced key is pending before its row can be committed, and leaves pending only after every generation has
 *       it. A check asks pending before the generation, so it finds the key in one of them.
 *   <li>A check reads the {@link View} once, and again before it answers "available" from memory. A swap or a loss of
 *       trust in between makes it start over.
 *   <li>The whitelist overrides the filter, so it learns only from a store read during which nothing happened: same view,
 *       same stamp, key neither pending nor doubtful, tested under the stripe's monitor that an announcement takes too.
 *   <li>Where others write too, the database's log tells of it; "available" needs news from it that are young enough, and the age is
 *       that of the news that were there before memory was asked.
 *   <li>Whatever is not known is not guessed: any state but {@code READY} asks the store, and a store that fails gives
 *       {@code UNKNOWN}.
 * </ul>
 *
 * <p>Locks: that of {@link Generations}, then a stripe's monitor; never held during I/O.
 */
final class IdentifierRegistry {
    private static final System.Logger LOG = System.getLogger("io.github.untaken");

    static final String CLOSED = "closed";
    static final String NEEDS_STORE = "needs_store";

    // Kept, so that an answer allocates nothing but its verdict.
    private static final Optional<DecidedBy> BY_FILTER = Optional.of(DecidedBy.FILTER);
    private static final Optional<DecidedBy> BY_WHITELIST = Optional.of(DecidedBy.WHITELIST);

    private final IdentifierKind kind;
    private final IdentifierNormalizer normalizer;
    private final Stores stores;
    private final RegistrySettings settings;
    private final UnsettledKeys unsettled;
    private final Whitelist whitelist;
    private final Generations generations;
    private final @Nullable Alphabet alphabet;
    private final Recheck recheck;
    private final StoreAnswers answers;
    private final Settlement settlement;
    private final Auditor auditor;
    private final Rebuild rebuild;
    private final RebuildSchedule schedule;
    private final KindCounters counters;
    private final FalseAlarms falseAlarms;
    private final FaultLog faults = new FaultLog("io.github.untaken");
    private final @Nullable FollowedLog log;
    private final Freshness freshness;
    private final boolean latest;

    /**
     * @param rechecks runs store reads; may refuse
     * @param rebuilds runs the rebuilds of this kind, one at a time
     * @param log the database's, if it is followed
     * @param latest whether each check asks for all that was committed before it
     */
    IdentifierRegistry(
            IdentifierKind kind,
            IdentifierNormalizer normalizer,
            Stores stores,
            RegistrySettings settings,
            Executor rechecks,
            ScheduledExecutorService rebuilds,
            @Nullable FollowedLog log,
            boolean latest) {
        this.kind = kind;
        this.normalizer = normalizer;
        this.stores = stores;
        this.settings = settings;
        this.log = log;
        this.freshness = log == null ? Freshness.UNBOUNDED : log.freshness();
        this.latest = latest;
        this.counters = new KindCounters(kind, settings.listener());
        this.falseAlarms = new FalseAlarms(counters::answeredByFilter);
        this.unsettled = new UnsettledKeys(settings.nanoTime());
        this.whitelist = new Whitelist(settings.whitelistSize(), settings.whitelistLifetime(), settings.nanoTime());
        this.generations = new Generations(kind, settings, whitelist, this::requestRebuild, stores.holdsKeys());
        Evidence evidence = new Evidence(generations, unsettled, whitelist, this::missProved, log);
        this.recheck = new Recheck(stores, settings.recheckTimeout(), rechecks, evidence::judge, this::metered);
        this.answers = new StoreAnswers(kind, recheck, generations, evidence, falseAlarms, counters, settings, log);
        Releases releases = new Releases(recheck, generations, () -> requestRebuild(settings.sweepDelay()));
        this.settlement = new Settlement(unsettled, whitelist, generations, recheck, releases, settings);
        this.alphabet = Alphabet.of(normalizer, stores).orElse(null);
        this.auditor = new Auditor(
                kind,
                normalizer,
                generations,
                evidence,
                stores,
                settings,
                ThreadLocalRandom.current().nextLong());
        this.rebuild = new Rebuild(
                kind,
                normalizer,
                alphabet,
                stores,
                generations,
                unsettled,
                settings,
                falseAlarms,
                faults,
                log == null ? () -> () -> {} : log::takeTurn);
        this.schedule = new RebuildSchedule(
                kind, rebuild, auditor, generations, unsettled, falseAlarms, settings, rebuilds, faults);
        if (log != null) {
            log.follow(this);
        }
    }

    void start() {
        schedule.start();
    }

    /** With what was kept in place of the first scan, before the log tells of anything that is not in it. */
    void start(FollowedLog.Kept left, FollowedLog from) {
        schedule.start(left, from::latest);
    }

    /** Which scan the serving generation was made by; to be asked before the view is. */
    Rebuild.@Nullable Served served() {
        return rebuild.served();
    }

    IdentifierNormalizer normalizer() {
        return normalizer;
    }

    Stores stores() {
        return stores;
    }

    RegistrySettings settings() {
        return settings;
    }

    // ---------------------------------------------------------------- checks

    Verdict check(String key) {
        return check(key, () -> true);
    }

    Verdict check(String key, BooleanSupplier mayRead) {
        Verdict verdict = latest ? fromMemoryAfterAll(key) : fromMemory(key, freshness);
        if (verdict != null) {
            return verdict;
        }
        return mayRead.getAsBoolean() ? fromStore(readAhead(key)) : unknown(key, NEEDS_STORE);
    }

    Verdict latest(String key) {
        Verdict verdict = fromMemoryAfterAll(key);
        return verdict != null ? verdict : fromStore(answers.readAhead(key, true));
    }

    Verdict checkInMemory(String key) {
        Verdict verdict = fromMemory(key, freshness);
        return verdict != null ? verdict : unknown(key, NEEDS_STORE);
    }

    /** Counts a verdict that is about to be given. */
    Verdict counted(Verdict verdict) {
        counters.checked(verdict);
        return verdict;
    }

    /**
     * The verdict of memory once it knows all that was committed before this call, or null where only the store can tell. What memory
     * does not call available needs no news: they could not change it.
     */
    private @Nullable Verdict fromMemoryAfterAll(String key) {
        Verdict seen = fromMemory(key, Freshness.UNBOUNDED);
        if (seen == null || !seen.available()) {
            return seen;
        }
        return hearsAll() ? fromMemory(key, freshness) : null;
    }

    /**
     * Whether all that was committed before this call is known when this returns. Waits no longer than for a store read, and not at
     * all while the store answers in any case, or while there are no news and questions find no answer: a node that is cut off.
     */
    private boolean hearsAll() {
        return log == null || (generations.view().ready() && log.isHeard() && log.hearsAll(settings.recheckTimeout()));
    }

    /** The verdict, or null where only the store can tell. */
    private @Nullable Verdict fromMemory(String key, Freshness demanded) {
        while (true) {
            Lease lease = demanded.lease();
            View seen = generations.view();
            if (seen.state() == KindState.CLOSED) {
                return unknown(key, CLOSED);
            }
            State state = unsettled.state(key);
            if (state == State.PENDING || state == State.DOUBTFUL_AND_ODD) {
                return verdict(Status.TAKEN, DecidedBy.PENDING, key);
            }
            Optional<DecidedBy> absent = state == null ? proofOfAbsence(key, seen) : Optional.empty();
            if (absent.isEmpty()) {
                return generations.isOdd(key) ? verdict(Status.TAKEN, DecidedBy.FILTER, key) : null;
            }
            if (generations.unchanged(seen)) {
                return demanded.holds(lease) ? verdict(Status.AVAILABLE, absent.get(), key) : null;
            }
        }
    }

    private Optional<DecidedBy> proofOfAbsence(String key, View seen) {
        Generation serving = seen.serving();
        if (!seen.ready() || serving == null) {
            return Optional.empty();
        }
        if (!serving.mightContain(key)) {
            return BY_FILTER;
        }
        return whitelist.knows(key, seen.epoch()) && unsettled.state(key) == null ? BY_WHITELIST : Optional.empty();
    }

    /**
     * Answers many keys at once, null where only the store can tell. All pending and doubtful keys are read before the
     * first load of the filter, and the view once for all.
     */
    void allFromMemory(String[] keys, @Nullable Verdict[] verdicts) {
        boolean hearsAll = !latest || hearsAll();
        Lease lease = freshness.lease();
        View seen = generations.view();
        Generation serving = seen.serving();
        boolean[] maybe = new boolean[keys.length];
        boolean[] excluded = new boolean[keys.length];
        boolean together = seen.ready() && serving != null;
        if (together && serving != null) {
            for (int i = 0; i < keys.length; i++) {
                excluded[i] = unsettled.state(keys[i]) != null;
            }
            long[] hashes = new long[keys.length];
            for (int i = 0; i < keys.length; i++) {
                hashes[i] = serving.hash(keys[i]);
            }
            serving.mightContainAll(hashes, maybe);
            together = generations.unchanged(seen) && freshness.holds(lease);
        }
        for (int i = 0; i < keys.length && hearsAll; i++) {
            verdicts[i] = together && !excluded[i] && !maybe[i]
                    ? verdict(Status.AVAILABLE, DecidedBy.FILTER, keys[i])
                    : fromMemory(keys[i], freshness);
        }
    }

    /** Begins a read that {@link #fromStore} waits for. */
    StoreAnswers.Question readAhead(String key) {
        return answers.readAhead(key, latest);
    }

    Verdict fromStore(StoreAnswers.Question asked) {
        return answers.verdict(asked);
    }

    /** Null if the text as it was typed need not be asked for. */
    @Nullable CompletableFuture<Boolean> readAheadAsTyped(String text, Verdict ofKey) {
        return answers.readAheadAsTyped(text, ofKey);
    }

    /** The verdict of the key, unless the store has the text. */
    Verdict fromStoreAsTyped(Verdict ofKey, CompletableFuture<Boolean> read) {
        return answers.verdictAsTyped(ofKey, read);
    }

    private Verdict unknown(String key, String reason) {
        return Verdict.unknown(kind, key, reason);
    }

    private Verdict verdict(Status status, DecidedBy decidedBy, String key) {
        return Verdict.of(kind, status, decidedBy, key);
    }

    // ---------------------------------------------------------------- store reads

    private void metered(List<Object> askers, int keys, long nanos, @Nullable Throwable failure) {
        String what = "A store read of kind " + kind;
        if (failure == null) {
            faults.ended(what);
        } else {
            faults.failed(what, failure);
        }
        counters.storeRead(new StoreRead(askers, keys, nanos, failure == null));
    }

    private void missProved() {
        counters.missProved();
        LOG.log(
                System.Logger.Level.WARNING,
                "A committed identifier of kind {0} was missing from memory; it was added, and the store answers until a"
                        + " rescan has ended. Some write path is not seen: see the documentation on bulk and foreign writes.",
                kind);
        // Where one is missing others may be.
        generations.distrust("a committed identifier was missing from memory");
        schedule.requestAfterInterval();
    }

    // ---------------------------------------------------------------- parts

    String key(String value) {
        return normalizer.key(value);
    }

    /** Whether the database may hold this value equal to a key that is not its own; which, only a scan finds. */
    boolean mayEqualAnotherKey(String value) {
        return alphabet != null && !alphabet.holds(value);
    }

    boolean followsLog() {
        return log != null;
    }

    IdentifierKind kind() {
        return kind;
    }

    Generations generations() {
        return generations;
    }

    Settlement settlement() {
        return settlement;
    }

    // ---------------------------------------------------------------- the rest

    private void requestRebuild(Duration delay) {
        schedule.request(delay);
    }

    void rescan() {
        schedule.request(Duration.ZERO);
    }

    void clearWhitelist() {
        whitelist.clear();
    }

    KindState state() {
        return generations.view().state();
    }

    KindStats stats() {
        View now = generations.view();
        Generation serving = now.serving();
        long entries = serving == null ? 0 : serving.entries();
        long bytes = serving == null ? 0 : serving.bytes();
        return new KindStats(
                now.state(),
                now.reason(),
                now.epoch(),
                entries,
                bytes,
                entries == 0 ? 0 : bytes * 8.0 / entries,
                unsettled.pending(),
                unsettled.doubtful(),
                whitelist.size(),
                counters.checks(),
                counters.decided(),
                counters.storeReads(),
                recheck.waiting(),
                counters.failures(schedule.failedScans()),
                serving == null ? 0 : serving.stale(),
                counters.missesProved(),
                serving == null ? 0 : serving.odd().size(),
                auditor.findings(),
                rebuild.sinceLastScan(),
                rebuild.progress(),
                Optional.ofNullable(log).map(followed -> followed.stats(latest)));
    }

    void close() {
        generations.close();
        recheck.close();
        schedule.close();
    }
}
