package io.github.untaken;

import io.github.untaken.Generations.Obstacle;
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
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes the next generation from one scan of the store, while the present one, or the store, answers.
 *
 * <p>The order is what makes it complete: the new generation receives every addition from the first moment; then a barrier
 * waits for the transactions that had written before; then the scan. A row is seen by the scan, or its transaction was
 * told of and adds it. A scan that fails changes nothing and is tried again, later each time.
 */
final class Rebuild {
    private static final System.Logger LOG = System.getLogger("io.github.untaken");

    /** Room for what registers until the next rebuild; a fuller filter is rebuilt before it refuses anything. */
    private static final double HEADROOM = 1.25;

    private static final long SMALLEST = 10_000;
    private static final Duration LAST_RETRY = Duration.ofMinutes(1);
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
    private final ScheduledExecutorService thread;
    private final Auditor auditor;
    private final FalseAlarms falseAlarms;
    private final FaultLog faults;
    private final Supplier<ChangeFeed.Turn> turns;

    private volatile @Nullable Scan scan;
    private volatile long lastBegan;
    private volatile @Nullable Long lastGood;
    private volatile @Nullable Served served;
    private final LongAdder failedScans = new LongAdder();
    /** After a failure nobody but a request hurries the next try. */
    private volatile long patientUntil;

    private @Nullable ScheduledFuture<?> next; // guarded by this
    private long due; // guarded by this
    private boolean working; // guarded by this; a rebuild or an audit, one at a time
    private boolean again; // guarded by this; a rebuild was due meanwhile
    private volatile long lastAudit;
    // The rest belongs to whoever works.
    private Duration retry;
    private long atLeast = SMALLEST;
    private List<DatabaseMark> marks = List.of();

    Rebuild(
            IdentifierKind kind,
            IdentifierNormalizer normalizer,
            @Nullable Alphabet alphabet,
            Stores stores,
            Generations generations,
            UnsettledKeys unsettled,
            RegistrySettings settings,
            ScheduledExecutorService thread,
            Auditor auditor,
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
        this.thread = thread;
        this.auditor = auditor;
        this.falseAlarms = falseAlarms;
        this.faults = faults;
        this.turns = turns;
        this.lastBegan = settings.nanoTime().getAsLong();
        this.lastAudit = lastBegan;
        this.patientUntil = lastBegan;
        this.retry = settings.tick();
    }

    void start() {
        request(Duration.ZERO);
        lookAtTheClock();
    }

    /**
     * As {@link #start()}, but what was kept takes the place of the first scan, if nothing speaks against it.
     *
     * @param news asks the log for all that was committed before the call
     */
    void start(FollowedLog.Kept left, Supplier<CompletableFuture<Void>> news) {
        synchronized (this) {
            if (working) { // a rebuild that was asked for before the log was followed, and would go on
                again = true;
                lookAtTheClock();
                return;
            }
            working = true; // a rebuild would take the additions away from it
        }
        Resumption resumption = new Resumption(
                kind,
                left.generation(),
                generations,
                stores,
                this::objectToEquality,
                news,
                thread,
                settings.tick(),
                new Resumed(left.began()));
        try {
            thread.execute(resumption::run);
        } catch (RejectedExecutionException e) {
            return; // closed
        }
        lookAtTheClock();
    }

    /** What was kept serves, or is scanned for after all. */
    private final class Resumed implements Resumption.Outcome {
        private final long began;

        Resumed(long began) {
            this.began = began;
        }

        @Override
        public void serves(KeptGeneration kept, Generations.Baseline baseline, List<DatabaseMark> present) {
            lastBegan = began;
            finish(kept.generation(), baseline, began, present);
            worked();
        }

        @Override
        public void scans(String reason) {
            if (!isClosed()) {
                generations.abandonBuilding("what was kept is not gone on with (" + reason + "); the store is scanned");
                LOG.log(
                        System.Logger.Level.INFO,
                        "What was kept of kind {0} is not gone on with ({1}); the store is scanned",
                        kind,
                        reason);
            }
            request(Duration.ZERO);
            worked();
        }
    }

    private void lookAtTheClock() {
        try {
            long tick = settings.tick().toNanos();
            // Whatever a look throws must not end the looks: no rescan and no audit would follow, and nobody would hear
            // of it.
            ScheduledFuture<?> unused = thread.scheduleWithFixedDelay(
                    () -> faults.survive("The look after kind " + kind, this::tick), tick, tick, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            LOG.log(System.Logger.Level.DEBUG, "The checker was closed before kind {0} had started", kind);
        }
    }

    /** Asks for a rebuild as soon as the last one began a {@link RegistrySettings#rebuildInterval} ago. */
    void requestAfterInterval() {
        long since = settings.nanoTime().getAsLong() - lastBegan;
        request(Duration.ofNanos(Math.max(0, settings.rebuildInterval().toNanos() - since)));
    }

    /** Asks for a rebuild that begins after this call, no later than the delay, unless one runs then. */
    synchronized void request(Duration delay) {
        long wanted = settings.nanoTime().getAsLong() + delay.toNanos();
        if (next != null && due - wanted <= 0) {
            return;
        }
        if (next != null) {
            next.cancel(false);
            next = null; // or, if the schedule fails, everybody would wait for this one
        }
        try {
            due = wanted;
            next = thread.schedule(this::run, delay.toNanos(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            // closed: nothing answers from memory any more
        }
    }

    private void tick() {
        long now = settings.nanoTime().getAsLong();
        long sinceLast = now - lastBegan;
        degradeIfOutdated(now);
        boolean wanted = wantsRebuild()
                || (falseAlarms.areFrequent()
                        && sinceLast > settings.sweepDelay().toNanos())
                || unsettled.hasDoubtsUntil(now - settings.doubtLifetime().toNanos())
                || sinceLast > settings.rescanInterval().toNanos();
        if (wanted && now - patientUntil >= 0) {
            request(Duration.ZERO);
        } else if (isAuditDue()) {
            ScheduledFuture<?> unused = thread.schedule(this::runAudit, 0, TimeUnit.NANOSECONDS);
        }
    }

    /** What nobody tells of is found within the rescan interval, or memory does not answer. */
    private void degradeIfOutdated(long now) {
        View seen = generations.view();
        Long good = lastGood;
        if (good != null && now - good > settings.mostAge().toNanos()) {
            generations.outdated(
                    seen, "the last complete scan began longer ago than the rescan interval and a margin allow");
        }
    }

    /** A database that was restored, replaced or failed over knows less than memory does, or other things. */
    private void audit() {
        List<DatabaseMark> present = stores.marks();
        if (!Stores.follow(present, marks)) {
            marks = present;
            generations.loseTrust("the database is another one than memory was filled from, or an older state of it");
            return;
        }
        marks = present;
        auditor.audit();
    }

    private boolean wantsRebuild() {
        Generation serving = generations.view().serving();
        return serving != null && serving.wantsRebuild(settings.staleShare());
    }

    private boolean isClosed() {
        return generations.view().state() == KindState.CLOSED;
    }

    private void run() {
        synchronized (this) {
            next = null; // what is asked for from here on is a further rebuild
            if (working) {
                again = true;
                return;
            }
            working = true;
        }
        try {
            if (!isClosed()) {
                tryToRebuild();
            }
        } finally {
            worked();
        }
    }

    private void tryToRebuild() {
        try {
            rebuildInTurn();
            retry = settings.tick();
        } catch (FilterTooSmall e) {
            atLeast = e.rows * 2;
            generations.abandonBuilding("the store held more rows than it said; scanning again with a larger filter");
            request(Duration.ZERO);
        } catch (RuntimeException | Error e) {
            failed(e);
        } finally {
            scan = null;
        }
    }

    private void rebuildInTurn() {
        ChangeFeed.Turn turn = turns.get();
        try {
            if (!isClosed()) { // it may have been a long wait
                rebuild();
            }
        } finally {
            turn.end();
        }
    }

    private boolean isAuditDue() {
        return settings.nanoTime().getAsLong() - lastAudit
                > settings.auditInterval().toNanos();
    }

    private void runAudit() {
        synchronized (this) {
            if (working || !isAuditDue()) {
                return; // the next look at the clock asks again
            }
            working = true;
            lastAudit = settings.nanoTime().getAsLong();
        }
        try {
            faults.survive("The audit of kind " + kind, this::audit);
        } finally {
            worked();
        }
    }

    /** In one step, or a request that begins in between and this one would be two scans for one. */
    private synchronized void worked() {
        working = false;
        boolean asked = again;
        again = false;
        if (asked) {
            request(Duration.ZERO);
        }
    }

    private void failed(Throwable e) {
        if (isClosed()) {
            return;
        }
        failedScans.increment();
        // Whatever logging or telling may throw: the next try is asked for by then.
        request(retry);
        patientUntil = settings.nanoTime().getAsLong() + retry.toNanos();
        retry = retry.compareTo(LAST_RETRY) < 0 ? retry.multipliedBy(2) : LAST_RETRY;
        String why = e instanceof StoreException ? e.getMessage() : e.getClass().getSimpleName();
        generations.abandonBuilding("the last scan failed (" + why + "); it is tried again");
        faults.failed("The scan of kind " + kind, e);
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

    /** Which scan the serving generation was made by; to be asked before the view is, and null before there is one. */
    @Nullable Served served() {
        return served;
    }

    /** What they have written may be missing from memory, if it is not theirs alone that nobody told of it. */
    private void awaitOpenTransactions() {
        try {
            stores.awaitOpenTransactions(settings.barrierTimeout());
        } catch (StoreException e) {
            generations.distrust("no scan can begin: " + e.getMessage());
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

    long failedScans() {
        return failedScans.sum();
    }

    Optional<KindStats.Progress> progress() {
        Scan running = scan;
        return running == null ? Optional.empty() : Optional.of(running.progress());
    }

    void close() {
        synchronized (this) {
            if (next != null) {
                next.cancel(false);
            }
        }
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
    private static final class FilterTooSmall extends RuntimeException {
        private static final long serialVersionUID = 1L;
        private final long rows;

        FilterTooSmall(long rows) {
            super(null, null, false, false);
            this.rows = rows;
        }
    }
}
