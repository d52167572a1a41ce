package io.github.untaken.kind;

import io.github.untaken.Announcement;
import io.github.untaken.IdentifierKind;
import io.github.untaken.KindState;
import io.github.untaken.KindStats;
import io.github.untaken.StoreRead;
import io.github.untaken.fault.FaultLog;
import io.github.untaken.log.CatalogLease;
import io.github.untaken.log.FollowedKind;
import io.github.untaken.log.FollowedLog;
import io.github.untaken.memory.Freshness;
import io.github.untaken.memory.Generation;
import io.github.untaken.memory.Generations;
import io.github.untaken.memory.HandedOut;
import io.github.untaken.memory.Leases;
import io.github.untaken.memory.Mentions;
import io.github.untaken.memory.OpenTellings;
import io.github.untaken.memory.Served;
import io.github.untaken.memory.Telling;
import io.github.untaken.memory.Tellings;
import io.github.untaken.memory.View;
import io.github.untaken.spi.IdentifierNormalizer;
import io.github.untaken.store.Recheck;
import io.github.untaken.store.Stores;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * One kind put together: its parts, their connections, and its life from start to end. What a check asks, and in which
 * order, is up to {@link IdentifierRegistry}.
 */
public final class RegisteredKind implements FollowedKind {
    public static final String NOT_LOOKED_AT =
            "no look at the catalog has succeeded lately, so the tables may have changed; the database answers"
                    + " every check until one succeeds";

    private static final int MOST_MENTIONED = 10_000;

    private final KindTerms terms;
    private final RegistrySettings settings;
    private final @Nullable FollowedLog log;
    private final KindCounters counters;
    private final Generations generations;
    private final Tellings tellings;
    private final HandedOut handedOut;
    private final Mentions mentions = new Mentions(MOST_MENTIONED);
    private final WatchedTexts watched;
    private final Recheck recheck;
    private final CatalogLease catalog;
    private final Leases leases;
    private final IdentifierRegistry registry;
    private final Auditor auditor;
    private final Rebuild rebuild;
    private final RebuildSchedule schedule;
    private final FaultLog faults = new FaultLog("io.github.untaken");

    /** @param log the database's log, if it is followed */
    public RegisteredKind(KindTerms terms, RegistrySettings settings, @Nullable FollowedLog log) {
        this.terms = terms;
        this.settings = settings;
        this.log = log;
        this.counters = new KindCounters(terms.kind(), settings.listener());
        FalseAlarms falseAlarms = new FalseAlarms(counters::answeredByFilter);
        this.generations = new Generations(
                terms.kind(), settings.listener(), settings.time().nanoTime(), this::requestBirth);
        this.catalog = terms.looks().lease(terms.stores().catalogs(), this::redefined);
        this.leases = new Leases(log == null ? Freshness.UNBOUNDED : log.freshness(), catalog.freshness());
        this.tellings = new Tellings(
                generations,
                new OpenTellings(settings.announced().most(), settings.lingerTicks()),
                log != null,
                this::untold);
        this.handedOut = new HandedOut(tellings::linger);
        Evidence evidence = new Evidence(generations, mentions, this::missProved, log);
        this.recheck = new Recheck(
                terms.stores(), settings.recheckTimeout(), terms.workers().rechecks(), evidence::judge, this::metered);
        this.watched = new WatchedTexts(mentions, generations, tellings, recheck, terms.normalizer());
        this.registry = new IdentifierRegistry(
                terms,
                mentions,
                generations,
                leases,
                log,
                new StoreAnswers(terms.kind(), recheck, evidence, falseAlarms, counters, settings.recheckTimeout()),
                counters,
                settings.recheckTimeout());
        this.auditor = new Auditor(
                terms,
                generations,
                evidence,
                settings,
                ThreadLocalRandom.current().nextLong());
        this.rebuild = new Rebuild(
                terms, generations, tellings, settings, falseAlarms, faults, catalog, log != null && log.runsAhead());
        this.schedule =
                new RebuildSchedule(terms, rebuild, auditor, generations, this::tick, falseAlarms, settings, faults);
        if (log != null) {
            log.follow(this);
        }
    }

    // ---------------------------------------------------------------- its life

    @Override
    public void start() {
        schedule.start();
    }

    @Override
    public void start(FollowedLog.Kept left, FollowedLog from) {
        schedule.start(left, from::latest);
    }

    private void tick() {
        recheck.tick(settings.time().tick());
        handedOut.tick();
        tellings.tick();
    }

    private void requestBirth(Duration delay) {
        schedule.requestPaced(delay);
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

    public void close() {
        generations.close();
        recheck.close();
        schedule.close();
    }

    // ---------------------------------------------------------------- what its parts report

    private void metered(List<Object> askers, int keys, long nanos, @Nullable Throwable failure) {
        String what = "A store read of kind " + kind();
        if (failure == null) {
            faults.ended(what);
        } else {
            faults.failed(what, failure);
        }
        counters.storeRead(new StoreRead(askers, keys, nanos, failure == null));
    }

    private void untold(Throwable why) {
        faults.failed("Recording an identifier of kind " + kind(), why);
    }

    /**
     * First stops trusting memory, since more may be missing: the text was added, and no other read will find it
     * missing.
     */
    private void missProved() {
        try {
            generations.distrust("a committed identifier was missing from memory");
        } catch (RuntimeException | Error e) {
            generations.raiseUnseen(); // allocates nothing
        }
        schedule.requestPaced(Duration.ZERO);
        counters.missProved();
        faults.say(
                System.Logger.Level.WARNING,
                "A committed identifier of kind {0} was missing from memory. It was added, and the store answers"
                        + " until a rescan ends. Some write path is not seen: see \"A write path that is not"
                        + " seen\" in docs/troubleshooting.md",
                kind());
    }

    /**
     * Someone has changed what memory was filled from, how it compares, or who writes it. The clock asks for the birth.
     */
    private void redefined(Set<String> tables) {
        generations.distrust("the definition of " + String.join(", ", tables) + " has changed");
    }

    @Override
    public void committed(String value) {
        if (terms.policy().refusesVariants()) {
            noteVariant(value);
        }
        tellings.logged(value);
    }

    private void noteVariant(String value) {
        try {
            String key = terms.normalizer().key(value);
            if (!value.equals(key)) {
                generations.living().forEach(one -> one.noteVariant(key));
            }
        } catch (RuntimeException | Error e) {
            // The value is told next; if that fails, it counts as unseen.
        }
    }

    // ---------------------------------------------------------------- its parts

    IdentifierRegistry registry() {
        return registry;
    }

    @Override
    public IdentifierKind kind() {
        return terms.kind();
    }

    @Override
    public IdentifierNormalizer normalizer() {
        return terms.normalizer();
    }

    @Override
    public Stores stores() {
        return terms.stores();
    }

    @Override
    public Generations generations() {
        return generations;
    }

    @Override
    public @Nullable Served served() {
        return rebuild.served();
    }

    @Override
    public Duration mostAge() {
        return settings.births().pace().mostAge();
    }

    public boolean followsLog() {
        return log != null;
    }

    public CatalogLease catalog() {
        return catalog;
    }

    Leases leases() {
        return leases;
    }

    Tellings tellings() {
        return tellings;
    }

    WatchedTexts watched() {
        return watched;
    }

    /** An announcement for the application to close. */
    Announcement handOut(Telling telling) {
        return handedOut.of(telling);
    }

    // ---------------------------------------------------------------- its figures

    public KindState state() {
        return generations.view().state();
    }

    public KindStats stats() {
        View now = generations.view();
        Generation serving = now.serving();
        return new KindStats(
                now.state(),
                reason(now),
                generations.obstacles(),
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
                Optional.ofNullable(log)
                        .map(followed -> followed.stats(terms.policy().latest())));
    }

    /** With what the state itself does not show. */
    private String reason(View now) {
        List<String> reasons = new ArrayList<>();
        if (!now.reason().isEmpty()) {
            reasons.add(now.reason());
        }
        if (now.ready() && catalog.isOut()) {
            reasons.add(NOT_LOOKED_AT);
        }
        if (now.ready() && log != null) {
            log.silence().ifPresent(reasons::add);
        }
        int lost = recheck.lost();
        if (lost > 0) {
            reasons.add(lost + " store reads hang; end their database sessions, or restart");
        }
        return String.join("; ", reasons);
    }
}
