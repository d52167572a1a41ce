package io.github.untaken.log;

import io.github.untaken.fault.FaultLog;
import io.github.untaken.memory.Lease;
import io.github.untaken.spi.StoreException;
import io.github.untaken.spi.TableCatalog;
import io.github.untaken.spi.TableCatalog.Look;
import io.github.untaken.store.Attempts;
import io.github.untaken.store.DaemonThread;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Looks at each catalog at intervals, and at once after this application has defined data. A look that does not come
 * back does not hold up other catalogs, and counts as one that failed.
 */
public final class CatalogLooks {
    /** By then a driver that can give up has done so. */
    private static final Duration MOST_PATIENCE = Duration.ofSeconds(3);

    private static final Duration MOST_BETWEEN_TICKS = Duration.ofSeconds(1);

    /** However often data is defined, there are at most ten looks a second. */
    private static final long LEAST_BETWEEN_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final List<Watched> catalogs;
    private final Duration interval;
    private final Duration tick;
    private final FaultLog faults = new FaultLog("io.github.untaken");
    private final ScheduledExecutorService clock =
            Executors.newSingleThreadScheduledExecutor(task -> new DaemonThread(task, "untaken-catalog-clock"));
    /** Runs one look for each catalog, plus those that are lost. */
    private final ExecutorService asking =
            Executors.newCachedThreadPool(task -> new DaemonThread(task, "untaken-catalog"));

    /** A catalog, and the kinds that depend on it. */
    private final class Watched {
        private final TableCatalog catalog;
        private final List<CatalogLease> leases;
        private final Attempts looks = new Attempts(asking, MOST_PATIENCE);
        private final String what;
        /** Whether data has been defined since the last look was sent. */
        private volatile boolean wanted;

        private final AtomicBoolean soon = new AtomicBoolean();
        private volatile long sent = System.nanoTime() - LEAST_BETWEEN_NANOS;
        private Duration since = interval; // time since the last look; used only by the clock

        Watched(TableCatalog catalog, List<CatalogLease> leases) {
            this.catalog = catalog;
            this.leases = leases;
            this.what = "A look at the catalog for " + catalog;
        }

        /** Does no work on the calling thread, which is the application's. */
        void defined() {
            wanted = true;
            if (soon.compareAndSet(false, true)) {
                faults.survive("Asking for a look at the catalog", () -> {
                    long pause = LEAST_BETWEEN_NANOS - (System.nanoTime() - sent);
                    ScheduledFuture<?> unused =
                            clock.schedule(this::lookIfWanted, Math.max(0, pause), TimeUnit.NANOSECONDS);
                });
            }
        }

        private void lookIfWanted() {
            soon.set(false);
            if (wanted) {
                look();
            }
        }

        void tick(Duration time) {
            looks.tick(time);
            since = since.plus(time);
            if (wanted || leases.stream().anyMatch(CatalogLease::isSettling) || since.compareTo(interval) >= 0) {
                since = Duration.ZERO;
                look();
            }
        }

        private void look() {
            faults.survive("Asking for a look at the catalog", () -> looks.begin(this::ask, this::failed));
        }

        private Runnable ask() {
            sent = System.nanoTime();
            wanted = false; // definitions from here on need another look
            List<Lease> asked = leases.stream().map(CatalogLease::now).toList();
            Look look;
            try {
                look = catalog.look();
            } catch (StoreException e) {
                faults.failed(what, e);
                return this::failed;
            }
            return () -> faults.survive(what, () -> {
                for (int i = 0; i < asked.size(); i++) {
                    leases.get(i).heed(catalog, asked.get(i), look);
                }
            });
        }

        private void failed() {
            leases.forEach(lease -> lease.failed(catalog));
        }
    }

    public CatalogLooks(List<CatalogLease> leases, Duration interval) {
        this.interval = interval;
        this.tick = interval.compareTo(MOST_BETWEEN_TICKS) < 0 ? interval : MOST_BETWEEN_TICKS;
        Set<TableCatalog> all = new LinkedHashSet<>();
        leases.forEach(lease -> all.addAll(lease.catalogs()));
        this.catalogs = all.stream()
                .map(catalog -> new Watched(
                        catalog,
                        leases.stream()
                                .filter(lease -> lease.catalogs().contains(catalog))
                                .toList()))
                .toList();
    }

    public void start() {
        catalogs.forEach(each -> each.catalog.onDefinition(each::defined));
        ScheduledFuture<?> unused = clock.scheduleWithFixedDelay(this::tick, 0, tick.toNanos(), TimeUnit.NANOSECONDS);
    }

    private void tick() {
        catalogs.forEach(each -> faults.survive("The timer of looks at the catalog", () -> each.tick(tick)));
    }

    /** Gives back what was kept for the looks; returns once that is done, or after the wait. */
    public void close(long waitSeconds) {
        if (clock.isShutdown()) {
            return;
        }
        clock.shutdown();
        catalogs.forEach(each -> each.catalog.onDefinition(() -> {}));
        catalogs.forEach(each -> asking.execute(each.catalog::release));
        asking.shutdown();
        try {
            boolean unused = asking.awaitTermination(waitSeconds, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
