package io.github.untaken;

import io.github.untaken.Generations.Obstacle;
import io.github.untaken.spi.IdentifierKind;
import io.github.untaken.spi.IdentifierNormalizer;
import io.github.untaken.spi.StoreException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
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
    /** How many values that are not their own key are looked up by it, to find out whether the store folds. */
    private static final int FOLDING_PROBES = NonCanonicalKeys.LIMIT;
    /** One key found by folding is proof; more are kept because some turn out to have a row of their own. */
    private static final int FOLDING_EVIDENCE = 100;

    private final IdentifierKind kind;
    private final IdentifierNormalizer normalizer;
    private final Stores stores;
    private final EqualityProbe equality;
    private final Generations generations;
    private final PendingKeys pending;
    private final RegistrySettings settings;
    private final ScheduledExecutorService thread;
    private final Auditor auditor;

    private volatile @Nullable Scan scan;
    private volatile long lastBegan;
    private @Nullable ScheduledFuture<?> next; // guarded by this
    private long due; // guarded by this
    // The rest belongs to the rebuild thread.
    private Duration retry;
    private long atLeast = SMALLEST;
    private boolean spellingsProbed;
    private long lastAudit;

    Rebuild(
            IdentifierKind kind,
            IdentifierNormalizer normalizer,
            Stores stores,
            Generations generations,
            PendingKeys pending,
            RegistrySettings settings,
            ScheduledExecutorService thread,
            Auditor auditor) {
        this.kind = kind;
        this.normalizer = normalizer;
        this.stores = stores;
        this.equality = new EqualityProbe(kind, normalizer);
        this.generations = generations;
        this.pending = pending;
        this.settings = settings;
        this.thread = thread;
        this.auditor = auditor;
        this.lastBegan = settings.nanoTime().getAsLong();
        this.lastAudit = lastBegan;
        this.retry = settings.tick();
    }

    void start() {
        request(Duration.ZERO);
        try {
            long tick = settings.tick().toNanos();
            ScheduledFuture<?> unused = thread.scheduleWithFixedDelay(this::tick, tick, tick, TimeUnit.NANOSECONDS);
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
        }
        try {
            due = wanted;
            next = thread.schedule(this::run, delay.toNanos(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            next = null; // closed: nothing answers from memory any more
        }
    }

    private void tick() {
        long now = settings.nanoTime().getAsLong();
        if (wantsRebuild()
                || pending.hasDoubtfulUntil(now - settings.doubtLifetime().toNanos())) {
            request(Duration.ZERO);
        } else if (now - lastBegan > settings.rescanInterval().toNanos()) {
            request(Duration.ZERO);
        } else if (now - lastAudit > settings.auditInterval().toNanos()) {
            lastAudit = now;
            audit();
        }
    }

    private void audit() {
        try {
            auditor.audit();
        } catch (RuntimeException e) {
            LOG.log(System.Logger.Level.DEBUG, "The audit of kind " + kind + " failed; the next one follows", e);
        }
    }

    private boolean wantsRebuild() {
        Generation serving = generations.view().serving();
        return serving != null && serving.wantsRebuild();
    }

    private boolean isClosed() {
        return generations.view().state() == RegistryState.CLOSED;
    }

    private void run() {
        synchronized (this) {
            next = null; // what is asked for from here on is a further rebuild
        }
        if (isClosed()) {
            return;
        }
        try {
            rebuild();
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

    private void failed(Throwable e) {
        if (isClosed()) {
            return;
        }
        LOG.log(
                System.Logger.Level.WARNING,
                "The scan of kind " + kind + " failed; the next try follows in " + retry,
                e);
        generations.abandonBuilding("the last scan failed (" + e.getClass().getSimpleName() + "); it is tried again");
        request(retry);
        retry = retry.compareTo(LAST_RETRY) < 0 ? retry.multipliedBy(2) : LAST_RETRY;
    }

    private void rebuild() {
        long began = settings.nanoTime().getAsLong();
        lastBegan = began;
        if (!spellingsProbed) {
            probeSpellings();
        }
        objectToEquality();
        long expected = stores.count();
        long planned = Math.max(atLeast, (long) (expected * HEADROOM) + pending.pending());
        Generation generation = settings.generations().generation(planned);
        Generations.Baseline baseline = generations.beginBuilding(generation);
        stores.awaitOpenTransactions(settings.barrierTimeout());
        Scan running = new Scan(generation, expected);
        scan = running;
        PartitionedScan.run(
                kind,
                stores.partitions(settings.scanThreads() == 1 ? 1 : settings.scanThreads() * PARTS_PER_THREAD),
                settings.scanThreads(),
                running::row);
        running.finish();
        long nanos = settings.nanoTime().getAsLong() - began;
        generations.finishBuilding(generation, baseline, pending::isUnsettled);
        settings.listener().rebuilt(kind, running.rows.sum(), nanos);
        pending.forgetDoubtfulUntil(began - settings.doubtLifetime().toNanos());
        // The store may always count too few rows; then each rebuild would ask for the next.
        atLeast = generation.wantsRebuild() ? (long) (generation.entries() * HEADROOM) : SMALLEST;
    }

    private void probeSpellings() {
        boolean others = true;
        try {
            others = stores.storesOtherSpellings();
            spellingsProbed = true;
        } finally {
            generations.spellingsProbed(!others);
        }
    }

    private void objectToEquality() {
        equality.objection(stores)
                .ifPresentOrElse(
                        reason -> generations.raise(Obstacle.COARSER_DATABASE, reason),
                        () -> generations.lift(Obstacle.COARSER_DATABASE));
    }

    Optional<RegistryStats.Progress> progress() {
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
        private int probed; // guarded by this
        private boolean overlooked; // guarded by this
        private boolean uncounted; // guarded by this
        /**
         * Keys the store found although no row is the key itself, as far as is known: only a store that folds does. Each with
         * the stamp it had before the store was asked, for such a row may come and go while the scan is elsewhere.
         */
        private final Map<String, Long> foundByFolding = new ConcurrentHashMap<>();

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
            if (!key.equals(value)) {
                noteSpelling(key);
            }
            if (!generation.add(generation.hash(key))) {
                throw new FilterTooSmall(Math.max(rows.sum(), expected));
            }
            if (!foundByFolding.isEmpty() && key.equals(value)) {
                foundByFolding.remove(key);
            }
            rows.increment();
        }

        /**
         * A value that is not its own key: does the store find it by its key? Call before it is added. That the store finds
         * the key proves nothing if another row is the key itself, which this scan, or a pending key, would tell of.
         */
        private synchronized void noteSpelling(String key) {
            if (probed == FOLDING_PROBES && !overlooked) {
                uncounted = true;
                generation.nonCanonical().noteFound();
                return;
            }
            generation.nonCanonical().note(key);
            if (probed < FOLDING_PROBES) {
                probed++;
                long stamp = pending.stripe(key).stamp();
                if (!stores.exists(key, settings.recheckTimeout())) {
                    overlooked = true;
                } else if (foundByFolding.size() < FOLDING_EVIDENCE) {
                    foundByFolding.put(key, stamp);
                    if (pending.isUnsettled(key) || generation.mightContain(key)) {
                        foundByFolding.remove(key);
                    }
                }
            }
        }

        /** A row that is the key itself, and that the scan missed, has gone by now or was announced again since. */
        private boolean isFoundByFolding(String key, long stamp) {
            return stores.exists(key, settings.recheckTimeout())
                    && pending.stripe(key).stamp() == stamp
                    && !pending.isUnsettled(key);
        }

        synchronized void finish() {
            long seen = generation.nonCanonical().seen();
            foundByFolding.entrySet().removeIf(each -> !isFoundByFolding(each.getKey(), each.getValue()));
            if (!overlooked && !foundByFolding.isEmpty()) {
                generation.nonCanonical().storeFolds();
            } else if (probed > 0) {
                if (uncounted) {
                    generation.nonCanonical().overflow();
                }
                LOG.log(
                        System.Logger.Level.WARNING,
                        "{0} stored values of kind {1} are not their own key, and the store was not seen to find them by it. Their"
                                + " keys are answered as taken. Store the key in the annotated attribute and the display form in"
                                + " another.",
                        seen,
                        kind);
            }
        }

        RegistryStats.Progress progress() {
            long done = rows.sum();
            double seconds = (System.nanoTime() - began) / 1e9;
            double rate = seconds > 0 ? done / seconds : 0;
            double left = expected > 0 && rate > 0 ? Math.max(0, expected - done) / rate : Double.NaN;
            return new RegistryStats.Progress(done, expected, rate, left);
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
