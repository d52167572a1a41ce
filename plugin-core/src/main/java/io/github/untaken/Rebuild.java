package io.github.untaken;

import io.github.untaken.Generations.Obstacle;
import io.github.untaken.fault.FaultLog;
import io.github.untaken.memory.Generation;
import io.github.untaken.memory.KeptGeneration;
import io.github.untaken.memory.Spelling;
import io.github.untaken.memory.UnsettledKeys;
import io.github.untaken.spi.ChangeFeed;
import io.github.untaken.spi.IdentifierNormalizer;
import io.github.untaken.spi.RegisteredIdentifierStore.DatabaseMark;
import io.github.untaken.spi.StoreException;
import io.github.untaken.store.Alphabet;
import io.github.untaken.store.EqualityProbe;
import io.github.untaken.store.PartitionedScan;
import io.github.untaken.store.Stores;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes the next generation from one scan of the store, while the present one, or the store, answers.
 *
 * <p>The order is what makes it complete: the new generation receives every addition from the first moment; then a barrier
 * waits for the transactions that had written before; then the scan. A row is seen by the scan, or its transaction was
 * told of and adds it. A scan that fails changes nothing.
 *
 * <p>{@link RebuildSchedule} lets one run at a time, and no audit beside it.
 */
final class Rebuild {
    /** Room for what registers until the next rebuild; a fuller filter is rebuilt before it refuses anything. */
    private static final double HEADROOM = 1.25;

    private static final long SMALLEST = 10_000;
    /** So that the threads end at about the same time, although the ranges differ in their rows. */
    private static final int PARTS_PER_THREAD = 4;

    /**
     * The scan that the serving generation was made by, or an earlier one.
     *
     * @param began by the settings' clock
     * @param database what tells what was read from all else
     */
    record Served(long began, String database) {}

    private final IdentifierKind kind;
    private final IdentifierNormalizer normalizer;
    private final Stores stores;
    private final EqualityProbe equality;
    private final Generations generations;
    private final UnsettledKeys unsettled;
    private final RegistrySettings settings;
    private final FalseAlarms falseAlarms;
    private final FaultLog faults;
    private final Supplier<ChangeFeed.Turn> turns;

    private volatile @Nullable Scan scan;
    private volatile long lastBegan;
    private volatile @Nullable Long lastGood;
    private volatile @Nullable Served served;
    // The rest belongs to whoever works.
    private long atLeast = SMALLEST;
    private List<DatabaseMark> marks = List.of();

    /** @param turns waits until no other node scans */
    Rebuild(
            IdentifierKind kind,
            IdentifierNormalizer normalizer,
            @Nullable Alphabet alphabet,
            Stores stores,
            Generations generations,
            UnsettledKeys unsettled,
            RegistrySettings settings,
            FalseAlarms falseAlarms,
            FaultLog faults,
            Supplier<ChangeFeed.Turn> turns) {
        this.kind = kind;
        this.normalizer = normalizer;
        this.stores = stores;
        this.equality = new EqualityProbe(kind, normalizer, alphabet);
        this.generations = generations;
        this.unsettled = unsettled;
        this.settings = settings;
        this.falseAlarms = falseAlarms;
        this.faults = faults;
        this.turns = turns;
        this.lastBegan = settings.nanoTime().getAsLong();
    }

    /** What was kept, about to take the place of the first scan; receives every addition from now on. */
    Resumption resumption(
            KeptGeneration kept,
            Supplier<CompletableFuture<Void>> news,
            ScheduledExecutorService thread,
            Resumption.Outcome outcome) {
        return new Resumption(
                kept, generations, stores, this::objectToEquality, news, thread, settings.tick(), outcome);
    }

    /** What was kept serves. */
    void serves(Generation generation, Generations.Baseline baseline, long began, List<DatabaseMark> present) {
        lastBegan = began;
        finish(generation, baseline, began, present);
    }

    /**
     * Blocks on the store, and before that on other nodes that scan.
     *
     * @throws FilterTooSmall if the next one must be larger, and will be
     */
    void run() {
        ChangeFeed.Turn turn = turns.get();
        try {
            if (!isClosed()) { // it may have been a long wait
                rebuild();
            }
        } catch (FilterTooSmall e) {
            atLeast = e.rows * 2;
            throw e;
        } finally {
            scan = null;
            turn.end();
        }
    }

    private boolean isClosed() {
        return generations.view().state() == KindState.CLOSED;
    }

    private void rebuild() {
        long began = settings.nanoTime().getAsLong();
        lastBegan = began;
        List<DatabaseMark> before = stores.marks();
        objectToEquality();
        boolean folds = stores.foldAsciiCase();
        generations.lookAtFolding(folds);
        long expected = stores.count();
        long planned = Math.max(atLeast, (long) (expected * HEADROOM) + unsettled.pending());
        Generation generation = settings.generations().generation(planned, folds);
        Generations.Baseline baseline = generations.beginBuilding(generation);
        awaitOpenTransactions();
        Scan running = new Scan(generation, expected);
        scan = running;
        PartitionedScan.run(
                kind,
                stores.partitions(settings.scanThreads() == 1 ? 1 : settings.scanThreads() * PARTS_PER_THREAD),
                settings.scanThreads(),
                running::row);
        long nanos = settings.nanoTime().getAsLong() - began;
        finish(generation, baseline, began, before);
        faults.ended("The scan of kind " + kind);
        falseAlarms.swept();
        settings.listener().rebuilt(kind, running.rows.sum(), nanos);
        unsettled.forgetDoubtsUntil(began - settings.doubtLifetime().toNanos());
        // The store may always count too few rows; then each rebuild would ask for the next.
        atLeast = generation.wantsRebuild(settings.staleShare()) ? (long) (generation.entries() * HEADROOM) : SMALLEST;
    }

    private void finish(Generation generation, Generations.Baseline baseline, long began, List<DatabaseMark> before) {
        lastGood = began; // before the swap, or a look at the clock meanwhile would take the new view for an old one
        Served scanned = new Served(began, stores.identity(before));
        if (served == null) {
            served = scanned; // nothing is served that it could be taken for
        }
        generations.finishBuilding(generation, baseline);
        served = scanned;
        marks = before;
    }

    /** A database that was restored, replaced or failed over knows less than memory does, or other things. */
    boolean findsItsDatabase() {
        List<DatabaseMark> present = stores.marks();
        boolean same = Stores.follow(present, marks);
        marks = present;
        if (!same) {
            generations.loseTrust("the database is another one than memory was filled from, or an older state of it");
        }
        return same;
    }

    /** Which scan the serving generation was made by; to be asked before the view is, and null before there is one. */
    @Nullable Served served() {
        return served;
    }

    /** What they have written may be missing from memory, if it is not theirs alone that nobody told of it. */
    private void awaitOpenTransactions() {
        try {
            stores.awaitOpenTransactions(settings.barrierTimeout());
        } catch (StoreException e) {
            generations.distrust("what open transactions have written may be missing from memory");
            throw e;
        }
    }

    private void objectToEquality() {
        equality.objection(stores)
                .ifPresentOrElse(
                        reason -> generations.raise(Obstacle.COARSER_DATABASE, reason),
                        () -> generations.lift(Obstacle.COARSER_DATABASE));
    }

    Optional<Duration> sinceLastScan() {
        Long good = lastGood;
        return good == null
                ? Optional.empty()
                : Optional.of(Duration.ofNanos(settings.nanoTime().getAsLong() - good));
    }

    /** When the last one began, whatever became of it; before the first, the start. */
    long lastBegan() {
        return lastBegan;
    }

    /** When the last one began that has reached its end; to be asked after the view is. */
    @Nullable Long lastGood() {
        return lastGood;
    }

    Optional<KindStats.Progress> progress() {
        Scan running = scan;
        return running == null ? Optional.empty() : Optional.of(running.progress());
    }

    /** One pass over the store. */
    private final class Scan {
        private final Generation generation;
        private final long expected;
        private final long began = System.nanoTime();
        private final LongAdder rows = new LongAdder();

        Scan(Generation generation, long expected) {
            this.generation = generation;
            this.expected = expected;
        }

        /** Called by several threads where the store is scanned in parts. */
        void row(String value) {
            if (isClosed()) {
                throw new StoreException("the checker was closed during the scan");
            }
            String key = normalizer.key(value);
            boolean odd = !generation.odd().isEmpty();
            if (!generation.add(key, Spelling.of(value, key))) {
                throw new FilterTooSmall(Math.max(rows.sum(), expected));
            }
            if (!odd && !generation.odd().isEmpty()) {
                generations.lookAtOddSpellings(generation);
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
