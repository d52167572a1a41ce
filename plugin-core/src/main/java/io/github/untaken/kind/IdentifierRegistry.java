package io.github.untaken.kind;

import io.github.untaken.Announcement;
import io.github.untaken.IdentifierKind;
import io.github.untaken.KindState;
import io.github.untaken.KindStats;
import io.github.untaken.StoreRead;
import io.github.untaken.Verdict;
import io.github.untaken.Verdict.DecidedBy;
import io.github.untaken.Verdict.Status;
import io.github.untaken.fault.FaultLog;
import io.github.untaken.log.CatalogLease;
import io.github.untaken.log.FollowedKind;
import io.github.untaken.log.FollowedLog;
import io.github.untaken.log.Freshness;
import io.github.untaken.log.Lease;
import io.github.untaken.memory.Generation;
import io.github.untaken.memory.Generations;
import io.github.untaken.memory.HandedOut;
import io.github.untaken.memory.Mentions;
import io.github.untaken.memory.OpenTellings;
import io.github.untaken.memory.Served;
import io.github.untaken.memory.Telling;
import io.github.untaken.memory.Tellings;
import io.github.untaken.memory.View;
import io.github.untaken.spi.IdentifierNormalizer;
import io.github.untaken.store.Alphabet;
import io.github.untaken.store.Recheck;
import io.github.untaken.store.Stores;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One kind's picture in memory, and the order in which its parts are asked.
 *
 * <p>The promise: a check that starts after a commit was acknowledged never answers "available" for a text that the unique constraint
 * would refuse. It holds because each text is told to every living generation before its SQL is sent, nothing leaves a generation, and
 * whatever is not sure is asked of the database. A check reads the {@link View} once: by the promise the generation in it knows what was
 * committed before.
 *
 * <ul>
 *   <li>The whitelist overrides the filter, so a text is learnt only where it was not told of, see {@link Evidence}.
 *   <li>Where others write too, the database's log tells of it; "available" needs news from it that are young enough, and the age is
 *       that of the news that were there before memory was asked.
 *   <li>Memory is believed as long as the tables that it was filled from are known to be what they were, see {@link CatalogLease}.
 *   <li>What a request merely mentions is asked before the view is read: it leaves the mentioned only after it was told.
 * </ul>
 */
public final class IdentifierRegistry implements FollowedKind {
    static final String CLOSED = "closed";
    static final String NEEDS_STORE = "needs_store";

    public static final String NOT_LOOKED_AT =
            "whether the tables are still what they were is not known, since no look at the catalog has come back lately; the"
                    + " database is asked for everything until one does";

    // Kept, so that an answer allocates nothing but its verdict.
    private static final Optional<DecidedBy> BY_FILTER = Optional.of(DecidedBy.FILTER);
    private static final Optional<DecidedBy> BY_WHITELIST = Optional.of(DecidedBy.WHITELIST);
    private static final Optional<String> VARIANT = Optional.of("variant");

    private static final int MOST_MENTIONED = 10_000;

    private final IdentifierKind kind;
    private final IdentifierNormalizer normalizer;
    private final Stores stores;
    private final RegistrySettings settings;
    private final Generations generations;
    private final Tellings tellings;
    private final HandedOut handedOut;
    private final Mentions mentions = new Mentions(MOST_MENTIONED);
    private final WatchedTexts watched;
    private final Recheck recheck;
    private final StoreAnswers answers;
    private final Auditor auditor;
    private final Rebuild rebuild;
    private final RebuildSchedule schedule;
    private final KindCounters counters;
    private final FaultLog faults = new FaultLog("io.github.untaken");
    private final @Nullable FollowedLog log;
    private final Freshness freshness;
    private final CatalogLease catalog;
    private final boolean latest;
    private final boolean refusesVariants;

    /**
     * @param rechecks runs store reads; may refuse
     * @param clock a single thread for what never blocks
     * @param rebuilds runs the births of this kind, one at a time
     * @param log the database's, if it is followed
     * @param looks what decides for how long a look at the tables is believed
     * @param latest whether each check asks for all that was committed before it
     * @param refusesVariants whether a name is refused that is stored in another spelling
     */
    public IdentifierRegistry(
            IdentifierKind kind,
            IdentifierNormalizer normalizer,
            Stores stores,
            RegistrySettings settings,
            Executor rechecks,
            ScheduledExecutorService clock,
            Executor rebuilds,
            @Nullable FollowedLog log,
            CatalogLease.Terms looks,
            boolean latest,
            boolean refusesVariants) {
        this.kind = kind;
        this.normalizer = normalizer;
        this.stores = stores;
        this.settings = settings;
        this.log = log;
        this.freshness = log == null ? Freshness.UNBOUNDED : log.freshness();
        this.catalog = looks.lease(stores.catalogs(), this::redefined);
        this.latest = latest;
        this.refusesVariants = refusesVariants;
        this.counters = new KindCounters(kind, settings.listener());
        FalseAlarms falseAlarms = new FalseAlarms(counters::answeredByFilter);
        this.generations = new Generations(kind, settings.listener(), settings.nanoTime(), this::requestBirth);
        Alphabet alphabet = Alphabet.of(normalizer, stores).orElse(null);
        OpenTellings open = new OpenTellings(settings.announced().most(), settings.lingerTicks());
        this.tellings = new Tellings(
                generations,
                normalizer,
                text -> alphabet != null && !alphabet.holds(text),
                open,
                log != null,
                this::untold);
        this.handedOut = new HandedOut(tellings::linger);
        Evidence evidence = new Evidence(normalizer, generations, mentions, this::missProved, log);
        this.recheck = new Recheck(stores, settings.recheckTimeout(), rechecks, evidence::judge, this::metered);
        this.watched = new WatchedTexts(mentions, tellings, recheck, normalizer);
        this.answers = new StoreAnswers(kind, recheck, evidence, falseAlarms, counters, settings.recheckTimeout());
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
                tellings,
                settings,
                refusesVariants,
                falseAlarms,
                faults,
                catalog,
                log == null ? () -> () -> {} : log::takeTurn);
        this.schedule = new RebuildSchedule(
                kind, rebuild, auditor, generations, this::tick, falseAlarms, settings, clock, rebuilds, faults);
        if (log != null) {
            log.follow(this);
        }
    }

    @Override
    public void start() {
        schedule.start();
    }

    @Override
    public void start(FollowedLog.Kept left, FollowedLog from) {
        schedule.start(left, from::latest);
    }

    @Override
    public @Nullable Served served() {
        return rebuild.served();
    }

    @Override
    public Duration mostAge() {
        return settings.births().mostAge();
    }

    @Override
    public IdentifierNormalizer normalizer() {
        return normalizer;
    }

    @Override
    public Stores stores() {
        return stores;
    }

    // ---------------------------------------------------------------- checks

    /**
     * @param text as it was given
     * @param key what the normalizer makes of it
     * @param holder whose name it may look like, as a key; null for nobody's
     */
    Verdict check(String text, String key, BooleanSupplier mayRead, @Nullable String holder) {
        Verdict verdict = latest ? fromMemoryAfterAll(text, key) : fromMemory(text, key, freshness);
        if (verdict == null) {
            verdict = mayRead.getAsBoolean() ? fromStore(readAhead(text, key)) : unknown(key, NEEDS_STORE);
        }
        return unlessVariant(verdict, holder);
    }

    /** As {@link #check}, of a text that no rule has seen yet, if it is {@link Rules#freeAtOnce}; null where more must be asked. */
    @Nullable Verdict freeAtOnce(String text, Rules rules, @Nullable String holder) {
        Verdict verdict = latest || !Rules.isReadAtOnce(text) ? null : fromMemory(text, text, freshness, rules);
        return verdict != null && verdict.available() ? unlessVariant(verdict, holder) : null;
    }

    Verdict latest(String text, String key) {
        Verdict verdict = fromMemoryAfterAll(text, key);
        return unlessVariant(verdict != null ? verdict : fromStore(readAhead(text, key)), null);
    }

    Verdict checkInMemory(String text, String key) {
        Verdict verdict = fromMemory(text, key, freshness);
        return verdict != null ? unlessVariant(verdict, null) : unknown(key, NEEDS_STORE);
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
    private @Nullable Verdict fromMemoryAfterAll(String text, String key) {
        Verdict seen = fromMemory(text, key, Freshness.UNBOUNDED);
        if (seen == null || !seen.available()) {
            return seen;
        }
        return hearsAll() ? fromMemory(text, key, freshness) : null;
    }

    /**
     * Whether all that was committed before this call is known when this returns. Waits no longer than for a store read, and not at
     * all while the store answers in any case, or while there are no news and questions find no answer: a node that is cut off.
     */
    private boolean hearsAll() {
        return log == null || (generations.view().ready() && log.isHeard() && log.hearsAll(settings.recheckTimeout()));
    }

    private @Nullable Verdict fromMemory(String text, String key, Freshness demanded) {
        return fromMemory(text, key, demanded, null);
    }

    /**
     * The verdict, or null where only the store can tell. The order matters: lease, mentioned, view.
     *
     * @param rules what the text has still to pass, as its own key; null if it has passed
     */
    private @Nullable Verdict fromMemory(String text, String key, Freshness demanded, @Nullable Rules rules) {
        Lease lease = demanded.lease();
        Lease looked = catalog.lease();
        boolean mentioned = mentions.has(key);
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
        return absent.isPresent() && demanded.holds(lease) && catalog.holds(looked)
                ? new Verdict(kind, Status.AVAILABLE, absent.get(), key, Optional.empty())
                : null;
    }

    @SuppressWarnings("ReferenceEquality") // most texts are their own key
    private static Optional<DecidedBy> proofOfAbsence(String text, String key, Generation serving) {
        if (!serving.mightContain(key)) {
            return BY_FILTER;
        }
        boolean absent = serving.isProvedAbsent(key, key) && (text == key || serving.isProvedAbsent(text, key));
        return absent ? BY_WHITELIST : Optional.empty();
    }

    /** Answers many at once, null where only the store can tell. The view is read once for all. */
    void allFromMemory(List<String> texts, String[] keys, @Nullable Verdict[] verdicts) {
        if (latest && !hearsAll()) {
            return;
        }
        Lease lease = freshness.lease();
        Lease looked = catalog.lease();
        boolean anyMentioned = mentions.size() != 0;
        View seen = generations.view();
        Generation serving = seen.serving();
        if (anyMentioned || !seen.ready() || serving == null) {
            for (int i = 0; i < keys.length; i++) {
                verdicts[i] = fromMemory(texts.get(i), keys[i], freshness);
            }
            return;
        }
        boolean[] maybe = new boolean[keys.length];
        long[] hashes = new long[keys.length];
        for (int i = 0; i < keys.length; i++) {
            hashes[i] = serving.hash(keys[i]);
        }
        serving.mightContainAll(hashes, maybe);
        boolean holds = freshness.holds(lease) && catalog.holds(looked);
        for (int i = 0; i < keys.length; i++) {
            verdicts[i] = !maybe[i] && holds
                    ? new Verdict(kind, Status.AVAILABLE, DecidedBy.FILTER, keys[i], Optional.empty())
                    : fromMemory(texts.get(i), keys[i], freshness);
        }
    }

    /** Begins a read that {@link #fromStore} waits for. */
    StoreAnswers.Question readAhead(String text, String key) {
        return answers.readAhead(text, key);
    }

    Verdict fromStore(StoreAnswers.Question asked) {
        return answers.verdict(asked);
    }

    /** The policy, after all else: a free name is refused if it is stored in another spelling, by another than the holder. */
    Verdict unlessVariant(Verdict verdict, @Nullable String holder) {
        if (!refusesVariants || !verdict.available() || verdict.key().equals(holder)) {
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

    private void untold(Throwable why) {
        faults.failed("Telling an identifier of kind " + kind, why);
    }

    /** Memory is distrusted first, for where one is missing others may be: the text was added, and no other read will find it missing. */
    private void missProved() {
        try {
            generations.distrust("a committed identifier was missing from memory");
        } catch (RuntimeException | Error e) {
            generations.raiseUnseen(); // makes nothing
        }
        schedule.requestPaced(Duration.ZERO);
        counters.missProved();
        faults.say(
                System.Logger.Level.WARNING,
                "A committed identifier of kind {0} was missing from memory; it was added, and the store answers until a"
                        + " rescan has ended. Some write path is not seen: see the documentation on bulk and foreign writes.",
                kind);
    }

    /** Somebody has changed what memory was filled from, or how it compares, or who writes it. The clock asks for the birth. */
    private void redefined(Set<String> tables) {
        generations.distrust("the definition of " + String.join(", ", tables) + " has changed");
    }

    // ---------------------------------------------------------------- parts

    public String key(String value) {
        return normalizer.key(value);
    }

    public boolean followsLog() {
        return log != null;
    }

    public CatalogLease catalog() {
        return catalog;
    }

    @Override
    public IdentifierKind kind() {
        return kind;
    }

    @Override
    public Generations generations() {
        return generations;
    }

    Tellings tellings() {
        return tellings;
    }

    @Override
    public void committed(String value) {
        if (refusesVariants) {
            noteVariant(value);
        }
        tellings.logged(value);
    }

    private void noteVariant(String value) {
        try {
            String key = normalizer.key(value);
            if (!value.equals(key)) {
                generations.living().forEach(one -> one.addVariant(key));
            }
        } catch (RuntimeException | Error e) {
            // Told below, and not taken for told there.
        }
    }

    WatchedTexts watched() {
        return watched;
    }

    /** An announcement in the application's hands. */
    Announcement handOut(Telling telling) {
        return handedOut.of(telling);
    }

    // ---------------------------------------------------------------- the rest

    private void requestBirth(Duration delay) {
        schedule.requestPaced(delay);
    }

    private void tick() {
        recheck.tick(settings.tick());
        handedOut.tick();
        tellings.tick();
    }

    public void rescan() {
        schedule.request(Duration.ZERO);
    }

    public void clearWhitelist() {
        Generation serving = generations.view().serving();
        if (serving != null) {
            serving.forgetWhitelist();
        }
    }

    public KindState state() {
        return generations.view().state();
    }

    public KindStats stats() {
        View now = generations.view();
        Generation serving = now.serving();
        return new KindStats(
                now.state(),
                reason(now),
                new KindStats.Memory(
                        serving == null ? 0 : serving.entries(),
                        serving == null ? 0 : serving.bytes(),
                        serving == null ? 0 : serving.told(),
                        rebuild.renewals(),
                        serving == null ? 0 : serving.whitelisted(),
                        serving == null ? 0 : serving.variants()),
                new KindStats.UnderWay(tellings.open(), tellings.lingering(), mentions.size()),
                counters.answers(),
                counters.reads(recheck.waiting()),
                new KindStats.Scans(rebuild.sinceLastScan(), rebuild.progress(), schedule.failedScans()),
                counters.missesProved(),
                auditor.findings(),
                catalog.age(),
                Optional.ofNullable(log).map(followed -> followed.stats(latest)));
    }

    /** With what keeps the state from saying all. */
    private String reason(View now) {
        List<String> reasons = new ArrayList<>();
        if (!now.reason().isEmpty()) {
            reasons.add(now.reason());
        }
        if (now.ready() && catalog.isOut()) {
            reasons.add(NOT_LOOKED_AT);
        }
        int lost = recheck.lost();
        if (lost > 0) {
            reasons.add(lost + " store reads do not come back");
        }
        return String.join("; ", reasons);
    }

    public void close() {
        generations.close();
        recheck.close();
        schedule.close();
    }
}
