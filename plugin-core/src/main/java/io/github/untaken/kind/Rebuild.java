package io.github.untaken.kind;

import io.github.untaken.IdentifierKind;
import io.github.untaken.KindState;
import io.github.untaken.KindStats;
import io.github.untaken.Obstacle;
import io.github.untaken.fault.FaultLog;
import io.github.untaken.log.CatalogLease;
import io.github.untaken.memory.Generation;
import io.github.untaken.memory.Generations;
import io.github.untaken.memory.KeptGeneration;
import io.github.untaken.memory.Served;
import io.github.untaken.memory.Tellings;
import io.github.untaken.memory.View;
import io.github.untaken.spi.IdentifierNormalizer;
import io.github.untaken.spi.RegisteredIdentifierStore.DatabaseMark;
import io.github.untaken.spi.StoreException;
import io.github.untaken.store.Equality;
import io.github.untaken.store.Errands.Errand;
import io.github.untaken.store.Stores;
import io.github.untaken.text.Fold;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes the next generation while the present one, or the store, answers.
 *
 * <p>The order makes it complete. The generation is listed, so that it is told of everything from then on; it is told
 * of all that is open; a barrier waits for the transactions that had written before; then comes the scan. The telling
 * of a committed row was open at the copy, or opened later, or was over before the barrier began. In the last case its
 * transaction had ended before the scan, which sees it. A birth that fails changes nothing.
 *
 * <p>A renewal is a birth that keeps the filter and needs no scan: only the told set and the whitelist start afresh.
 *
 * <p>{@link RebuildSchedule} runs one at a time, and no audit beside it.
 */
final class Rebuild {
    /** Room for registrations until the next rebuild; a fuller filter is rebuilt before it refuses anything. */
    private static final double HEADROOM = 1.25;

    private static final long SMALLEST = 10_000;
    /** A store that counts more is mistaken. */
    private static final long MOST_ROWS = 1L << 36;

    private final IdentifierKind kind;
    private final IdentifierNormalizer normalizer;
    private final Stores stores;
    private final boolean notesVariants; // values that are spelt differently from their key
    private final Equality equality;
    private final Generations generations;
    private final Tellings tellings;
    private final RegistrySettings settings;
    private final FalseAlarms falseAlarms;
    private final FaultLog faults;
    private final CatalogLease catalog;
    private final boolean demandsBarrier;

    private volatile @Nullable Scan scan;
    private volatile long lastBegan;
    private final LongAdder renewals = new LongAdder();
    private volatile long lastRenewed;
    private volatile long lastNanos;
    private volatile @Nullable Long lastGood;
    private volatile @Nullable Served served;
    // The rest is used only by the working thread.
    private long atLeast = SMALLEST;
    private List<DatabaseMark> marks = List.of();

    /**
     * @param catalog looked at before and after each scan
     * @param demandsBarrier whether a scan counts only if all transactions open at its start are proved to have ended
     */
    Rebuild(
            KindTerms terms,
            Generations generations,
            Tellings tellings,
            RegistrySettings settings,
            FalseAlarms falseAlarms,
            FaultLog faults,
            CatalogLease catalog,
            boolean demandsBarrier) {
        this.kind = terms.kind();
        this.normalizer = terms.normalizer();
        this.stores = terms.stores();
        this.notesVariants = terms.policy().refusesVariants();
        this.equality = new Equality(
                kind,
                normalizer,
                new SplittableRandom(ThreadLocalRandom.current().nextLong()));
        this.generations = generations;
        this.tellings = tellings;
        this.settings = settings;
        this.falseAlarms = falseAlarms;
        this.faults = faults;
        this.catalog = catalog;
        this.demandsBarrier = demandsBarrier;
        this.lastBegan = settings.time().now();
        this.lastRenewed = lastBegan;
    }

    /** A kept generation, about to replace the first scan; receives every addition from now on. */
    Resumption resumption(
            KeptGeneration kept,
            Supplier<CompletableFuture<Void>> news,
            Resumption.Later later,
            Resumption.Outcome outcome) {
        return new Resumption(
                kept,
                generations,
                tellings,
                stores,
                errand -> comparesAs(kept, errand),
                news,
                later,
                settings.births().barrierTimeout(),
                settings.time().tick(),
                outcome);
    }

    /** A kept generation serves. */
    void serves(Generation generation, long baseline, long began, List<DatabaseMark> present) {
        lastBegan = began;
        finish(generation, baseline, began, present);
    }

    /**
     * Blocks on the store.
     *
     * @param errand its result has no effect once it is disowned
     * @throws FilterTooSmall if the filter must be larger; the next one will be
     */
    void run(Errand errand) {
        try {
            errand.step();
            rebuild(errand);
        } catch (FilterTooSmall e) {
            atLeast = e.rows * 2;
            throw e;
        } finally {
            if (!errand.isRefused()) {
                scan = null; // otherwise it belongs to another errand
            }
        }
    }

    private boolean isClosed() {
        return generations.view().state() == KindState.CLOSED;
    }

    private void rebuild(Errand errand) {
        long began = settings.time().now();
        lastBegan = began;
        Object defined = catalog.look(); // anything changed by now was changed before this generation is listed
        errand.step();
        List<DatabaseMark> before = stores.marks();
        errand.step();
        Fold fold = fold(errand);
        long expected = count();
        errand.step();
        long planned = Math.max(atLeast, (long) (expected * HEADROOM) + tellings.open());
        Generation generation = settings.births().generations().generation(fold, planned);
        long baseline = tellings.born(generation);
        if (baseline < 0) {
            if (tellings.awaitsBarrier()) {
                awaitOpenTransactions(errand);
            }
            return; // it is asked for again as soon as it may begin
        }
        awaitOpenTransactions(errand);
        Scan running = new Scan(generation, expected, errand);
        scan = running;
        stores.scan(kind, settings.births().scanThreads(), running::row);
        errand.step();
        if (!defined.equals(catalog.look())) {
            throw new StoreException("the tables were redefined during the scan");
        }
        if (!errand.back()) {
            throw new StoreException("the scan was given up");
        }
        generation.scanned();
        lastNanos = Math.max(0, settings.time().now() - began);
        finish(generation, baseline, began, before);
        faults.ended("The scan of kind " + kind);
        falseAlarms.swept();
        settings.listener().rebuilt(kind, running.rows.sum(), lastNanos);
        // The store may always count too few rows; each scan would then ask for the next.
        atLeast = generation.isOutgrown() ? (long) (generation.entries() * HEADROOM) : SMALLEST;
    }

    /** The number of rows; 0 if unknown, so that a slow count does not prevent the scan. */
    private long count() {
        String what = "Counting the rows of kind " + kind;
        try {
            long counted = stores.count();
            faults.ended(what);
            return counted > MOST_ROWS ? 0 : counted;
        } catch (StoreException e) {
            faults.failed(what, e);
            return 0;
        }
    }

    /** Gives the serving generation an empty told set and whitelist. Blocks on the barrier. */
    void renew(Errand errand) {
        lastRenewed = settings.time().now();
        View before = generations.view();
        Generation serving = before.serving();
        if (!before.ready() || serving == null || !serving.wantsRenewal()) {
            return;
        }
        Generation next = serving.renewed();
        if (tellings.born(next) < 0) {
            return;
        }
        try {
            awaitOpenTransactions(errand);
            generations.renew(serving, next);
            renewals.increment();
        } finally {
            generations.abandon(next);
        }
    }

    long renewals() {
        return renewals.sum();
    }

    /** When the last renewal or scan began. */
    long lastBirth() {
        return lastRenewed - lastBegan > 0 ? lastRenewed : lastBegan;
    }

    /** Duration of the last scan that finished, in nanoseconds; 0 before the first. */
    long lastNanos() {
        return lastNanos;
    }

    /** Blocks until every transaction that has written by now has ended, if the database can tell. */
    private void awaitOpenTransactions(Errand errand) {
        errand.waits(settings.births().barrierTimeout());
        boolean proved = stores.awaitOpenTransactions(settings.births().barrierTimeout());
        errand.step();
        if (!proved && demandsBarrier) {
            throw new StoreException(
                    "the database does not show its open transactions, and its log may hold a commit that is not"
                            + " visible yet: let the data source's user see them (MariaDB and MySQL: GRANT"
                            + " PROCESS ON *.*)");
        }
        if (!proved && tellings.reliesOnBarrier()) {
            throw new StoreException(
                    "the database no longer shows its open transactions; grant the right to see them again, or"
                            + " restart if another server answers now");
        }
        tellings.barrier(proved);
    }

    private void finish(Generation generation, long baseline, long began, List<DatabaseMark> before) {
        lastGood = began; // before the swap, or a tick in between would take the new view for an old one
        Served scanned = new Served(began, stores.identity(before));
        if (served == null) {
            served = scanned; // nothing serves yet that it could be mistaken for
        }
        generations.serve(generation, baseline);
        served = scanned;
        marks = before;
    }

    /** Whether the tables are changing, so that a scan had better wait until they have settled. */
    boolean hadBetterWait() {
        return catalog.isSettling();
    }

    /** A database that was restored, replaced or failed over knows less than memory does, or other things. */
    boolean findsItsDatabase(Errand errand) {
        List<DatabaseMark> present = stores.marks();
        errand.step();
        boolean same = Stores.follow(present, marks);
        marks = present;
        if (!same) {
            generations.loseTrust("this is not the database that memory was filled from, or an older state of it");
        }
        return same;
    }

    /** The scan that made the serving generation; to be read before the view; null before there is one. */
    @Nullable Served served() {
        return served;
    }

    /** How the next generation makes texts equal. A late answer must not lift another scan's objection. */
    private Fold fold(Errand errand) {
        Equality.Finding found = equality.look(stores);
        errand.step();
        found.objection()
                .ifPresentOrElse(
                        reason -> generations.raise(Obstacle.COARSER_DATABASE, reason),
                        () -> generations.lift(Obstacle.COARSER_DATABASE));
        return found.fold();
    }

    /** Whether the database compares as it did when the generation was kept. */
    private boolean comparesAs(KeptGeneration kept, Errand errand) {
        equality.know(kept.generation().fold());
        return fold(errand).equals(kept.generation().fold());
    }

    /** The age of what serves. A scan that has ended and is about to serve does not count yet. */
    Optional<Duration> sinceLastScan() {
        return Optional.ofNullable(served)
                .map(scanned -> Duration.ofNanos(settings.time().now() - scanned.began()));
    }

    /** When the last one began, whatever became of it; before the first, the start. */
    long lastBegan() {
        return lastBegan;
    }

    /** When the last one that finished began; to be read after the view. */
    @Nullable Long lastGood() {
        return lastGood;
    }

    Optional<KindStats.Progress> progress() {
        Scan running = scan;
        return running == null || running.errand.isRefused() ? Optional.empty() : Optional.of(running.progress());
    }

    /** One pass over the store. */
    private final class Scan {
        private final Generation generation;
        private final long expected;
        private final Errand errand;
        private final long began = System.nanoTime();
        private final LongAdder rows = new LongAdder();

        Scan(Generation generation, long expected, Errand errand) {
            this.generation = generation;
            this.expected = expected;
            this.errand = errand;
        }

        /** Called by several threads if the store is scanned in parts. */
        void row(String value) {
            errand.step();
            if (isClosed()) {
                throw new StoreException("the checker was closed during the scan");
            }
            if (notesVariants) {
                String key = normalizer.key(value);
                if (!value.equals(key)) {
                    generation.noteVariant(key);
                }
            }
            if (!generation.add(value)) {
                throw new FilterTooSmall(Math.max(rows.sum(), expected));
            }
            rows.increment();
        }

        KindStats.Progress progress() {
            long done = rows.sum();
            double seconds = (System.nanoTime() - began) / 1e9;
            double rate = seconds > 0 ? done / seconds : 0;
            double left = expected > 0 && rate > 0 ? Math.max(0, expected - done) / rate : Double.NaN;
            return new KindStats.Progress(done, expected, rate, left);
        }
    }

    /** More rows came than were counted, and the filter is full. */
    static final class FilterTooSmall extends RuntimeException {
        private static final long serialVersionUID = 1L;
        private final long rows;

        private FilterTooSmall(long rows) {
            super(null, null, false, false);
            this.rows = rows;
        }
    }
}
