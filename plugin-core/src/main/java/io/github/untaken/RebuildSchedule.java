package io.github.untaken;

import io.github.untaken.fault.FaultLog;
import io.github.untaken.memory.Generation;
import io.github.untaken.memory.KeptGeneration;
import io.github.untaken.spi.RegisteredIdentifierStore.DatabaseMark;
import io.github.untaken.spi.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * When a kind is rebuilt and when it is audited: on request, by the clock, and one at a time. A rebuild that fails is tried again,
 * later each time.
 */
final class RebuildSchedule {
    private static final System.Logger LOG = System.getLogger("io.github.untaken");

    private static final Duration LAST_RETRY = Duration.ofMinutes(1);
    private static final Duration MOST_PAUSE = Duration.ofMinutes(1);
    /** How soon a scan follows that only makes memory smaller. */
    private static final Duration SWEEP = Duration.ofMinutes(5);

    private final IdentifierKind kind;
    private final Rebuild rebuild;
    private final Auditor auditor;
    private final Generations generations;
    private final Runnable ageing;
    private final FalseAlarms falseAlarms;
    private final RegistrySettings settings;
    private final ScheduledExecutorService thread;
    private final FaultLog faults;

    private final LongAdder failedScans = new LongAdder();
    /** After a failure nobody but a request hurries the next try. */
    private volatile long patientUntil;

    private @Nullable ScheduledFuture<?> looks; // guarded by this
    private @Nullable ScheduledFuture<?> next; // guarded by this
    private long due; // guarded by this
    private boolean working; // guarded by this; a rebuild or an audit, one at a time
    private boolean again; // guarded by this; a rebuild was due meanwhile
    private volatile long lastAudit;
    private Duration retry; // belongs to whoever works

    RebuildSchedule(
            IdentifierKind kind,
            Rebuild rebuild,
            Auditor auditor,
            Generations generations,
            Runnable ageing,
            FalseAlarms falseAlarms,
            RegistrySettings settings,
            ScheduledExecutorService thread,
            FaultLog faults) {
        this.kind = kind;
        this.rebuild = rebuild;
        this.auditor = auditor;
        this.generations = generations;
        this.ageing = ageing;
        this.falseAlarms = falseAlarms;
        this.settings = settings;
        this.thread = thread;
        this.faults = faults;
        this.lastAudit = now();
        this.patientUntil = lastAudit;
        this.retry = settings.tick();
    }

    private long now() {
        return settings.nanoTime().getAsLong();
    }

    /** The looks come first: whatever fails after them is mended by one. May be called again if it has failed. */
    void start() {
        lookAtTheClock();
        request(Duration.ZERO);
    }

    /**
     * As {@link #start()}, but what was kept takes the place of the first scan, if nothing speaks against it.
     *
     * @param news asks the log for all that was committed before the call
     */
    void start(FollowedLog.Kept left, Supplier<CompletableFuture<Void>> news) {
        lookAtTheClock();
        synchronized (this) {
            if (working) { // a rebuild that was asked for before the log was followed, and would go on
                again = true;
                return;
            }
            working = true; // a rebuild would take the additions away from it
        }
        Resumption resumption = rebuild.resumption(left.generation(), news, thread, new Resumed(left.began()));
        try {
            thread.execute(resumption::run);
        } catch (RejectedExecutionException e) {
            // closed
        }
    }

    /** What was kept serves, or is scanned for after all. */
    private final class Resumed implements Resumption.Outcome {
        private final long began;

        Resumed(long began) {
            this.began = began;
        }

        @Override
        public void serves(KeptGeneration kept, long baseline, List<DatabaseMark> present) {
            rebuild.serves(kept.generation(), baseline, began, present);
            worked();
            faults.say(
                    System.Logger.Level.INFO,
                    "Kind {0} goes on with what was kept of the scan of {1}",
                    kind,
                    kept.scanned().at());
        }

        @Override
        public void scans(String reason) {
            boolean closed = isClosed();
            try {
                if (!closed) {
                    generations.abandon("what was kept is not gone on with (" + reason + "); the store is scanned");
                }
                request(Duration.ZERO);
            } finally {
                worked();
            }
            if (!closed) {
                faults.say(
                        System.Logger.Level.INFO,
                        "What was kept of kind {0} is not gone on with ({1}); the store is scanned",
                        kind,
                        reason);
            }
        }
    }

    private synchronized void lookAtTheClock() {
        if (looks != null) {
            return;
        }
        try {
            long tick = settings.tick().toNanos();
            // Whatever a look throws must not end the looks: no rescan and no audit would follow, and nobody would hear
            // of it.
            looks = thread.scheduleWithFixedDelay(
                    () -> faults.survive("The look after kind " + kind, this::tick), tick, tick, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            LOG.log(System.Logger.Level.DEBUG, "The checker was closed before kind {0} had started", kind);
        }
    }

    /** Asks for a rebuild as soon as the last one began a {@link RegistrySettings#rebuildInterval} ago. */
    void requestAfterInterval() {
        long since = now() - rebuild.lastBegan();
        request(Duration.ofNanos(Math.max(0, settings.rebuildInterval().toNanos() - since)));
    }

    /**
     * As {@link #request}, no sooner than the last scan's duration after the last one began, and a minute at most: unseen work that
     * goes on and on must not start one scan after the other, each of which comes too late.
     */
    void requestPaced(Duration delay) {
        long pause = Math.min(rebuild.lastNanos(), MOST_PAUSE.toNanos());
        long left = pause - (now() - rebuild.lastBegan());
        request(Duration.ofNanos(Math.max(delay.toNanos(), left)));
    }

    /** Asks for a rebuild that begins after this call, no later than the delay, unless one runs then. */
    synchronized void request(Duration delay) {
        long wanted = now() + delay.toNanos();
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
        ageing.run();
        long now = now();
        long sinceLast = now - rebuild.lastBegan();
        degradeIfOutdated(now);
        boolean wanted = isOutgrown() && sinceLast > settings.rebuildInterval().toNanos()
                || falseAlarms.areFrequent() && sinceLast > SWEEP.toNanos()
                || sinceLast > settings.rescanInterval().toNanos();
        if (wanted && now - patientUntil >= 0) {
            request(Duration.ZERO);
        } else if (isRenewalDue(now)) {
            ScheduledFuture<?> unused = thread.schedule(this::runRenewal, 0, TimeUnit.NANOSECONDS);
        } else if (isAuditDue()) {
            ScheduledFuture<?> unused = thread.schedule(this::runAudit, 0, TimeUnit.NANOSECONDS);
        }
    }

    /** What nobody tells of is found within the rescan interval, or memory does not answer. */
    private void degradeIfOutdated(long now) {
        View seen = generations.view();
        Long good = rebuild.lastGood();
        if (good != null && now - good > settings.mostAge().toNanos()) {
            generations.outdated(
                    seen, "the last complete scan began longer ago than the rescan interval and a margin allow");
        }
    }

    private boolean isOutgrown() {
        Generation serving = generations.view().serving();
        return serving != null && serving.isOutgrown();
    }

    private boolean isRenewalDue(long now) {
        View seen = generations.view();
        Generation serving = seen.serving();
        return seen.ready()
                && serving != null
                && serving.wantsRenewal()
                && now - rebuild.lastBirth() > settings.renewalInterval().toNanos();
    }

    private void runRenewal() {
        synchronized (this) {
            if (working || !isRenewalDue(now())) {
                return; // the next look at the clock asks again
            }
            working = true;
        }
        try {
            faults.survive("The renewal of kind " + kind, rebuild::renew);
        } finally {
            worked();
        }
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
            rebuild.run();
            retry = settings.tick();
        } catch (Rebuild.FilterTooSmall e) {
            generations.abandon("the store held more rows than it said; scanning again with a larger filter");
            request(Duration.ZERO);
        } catch (RuntimeException | Error e) {
            failed(e);
        }
    }

    private boolean isAuditDue() {
        return now() - lastAudit > settings.auditInterval().toNanos();
    }

    private void runAudit() {
        synchronized (this) {
            if (working || !isAuditDue()) {
                return; // the next look at the clock asks again
            }
            working = true;
            lastAudit = now();
        }
        try {
            faults.survive("The audit of kind " + kind, this::audit);
        } finally {
            worked();
        }
    }

    private void audit() {
        if (rebuild.findsItsDatabase()) {
            auditor.audit();
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
        patientUntil = now() + retry.toNanos();
        retry = retry.compareTo(LAST_RETRY) < 0 ? retry.multipliedBy(2) : LAST_RETRY;
        String why = e instanceof StoreException ? e.getMessage() : e.getClass().getSimpleName();
        generations.abandon("the last scan failed (" + why + "); it is tried again");
        faults.failed("The scan of kind " + kind, e);
    }

    long failedScans() {
        return failedScans.sum();
    }

    synchronized void close() {
        if (next != null) {
            next.cancel(false);
        }
    }
}
