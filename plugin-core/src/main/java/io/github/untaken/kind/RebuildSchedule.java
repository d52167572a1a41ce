package io.github.untaken.kind;

import io.github.untaken.IdentifierKind;
import io.github.untaken.KindState;
import io.github.untaken.fault.FaultLog;
import io.github.untaken.log.FollowedLog;
import io.github.untaken.memory.Generation;
import io.github.untaken.memory.Generations;
import io.github.untaken.memory.KeptGeneration;
import io.github.untaken.memory.View;
import io.github.untaken.spi.RegisteredIdentifierStore.DatabaseMark;
import io.github.untaken.spi.StoreException;
import io.github.untaken.store.Errands;
import io.github.untaken.store.Errands.Errand;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * When a kind is rebuilt and when it is audited: on request and by the clock, one at a time. A failed rebuild is tried
 * again, later each time.
 */
final class RebuildSchedule {
    /**
     * How long a store may return neither an answer nor a row: counting everything takes a while. A store that can
     * notice should give up sooner.
     */
    static final Duration SILENCE = Duration.ofMinutes(10);

    private final IdentifierKind kind;
    private final ScheduledExecutorService clock;
    private final Executor threads; // one that does not come back is replaced
    private final Rebuild rebuild;
    private final Auditor auditor;
    private final Generations generations;
    private final Runnable ageing;
    private final FalseAlarms falseAlarms;
    private final RegistrySettings settings;
    private final RegistrySettings.Pace pace;
    private final FaultLog faults;
    private final Errands errands;

    private final ScanPace scanPace;
    private final LongAdder failedScans = new LongAdder();

    private @Nullable ScheduledFuture<?> looks; // guarded by this
    private @Nullable ScheduledFuture<?> next; // guarded by this
    private long due; // guarded by this
    private boolean working; // guarded by this; a rebuild or an audit, one at a time
    private boolean again; // guarded by this; a rebuild became due meanwhile
    private volatile long lastAudit;
    private boolean wasForgotten; // used only by the clock

    RebuildSchedule(
            KindTerms terms,
            Rebuild rebuild,
            Auditor auditor,
            Generations generations,
            Runnable ageing,
            FalseAlarms falseAlarms,
            RegistrySettings settings,
            FaultLog faults) {
        this.kind = terms.kind();
        this.clock = terms.workers().clock();
        this.threads = terms.workers().rebuilds();
        this.rebuild = rebuild;
        this.auditor = auditor;
        this.generations = generations;
        this.ageing = ageing;
        this.falseAlarms = falseAlarms;
        this.settings = settings;
        this.pace = settings.births().pace();
        this.faults = faults;
        this.errands = new Errands(threads);
        this.scanPace = new ScanPace(settings.time(), pace.rebuild());
        this.lastAudit = now();
    }

    private long now() {
        return settings.time().now();
    }

    /** The tick comes first: it mends any failure after it. May be called again after a failure. */
    synchronized void start() {
        lookAtTheClock();
        request(Duration.ZERO);
    }

    /**
     * As {@link #start()}, but a kept generation replaces the first scan, unless something speaks against it.
     *
     * @param news asks the log for everything committed before the call
     */
    void start(FollowedLog.Kept left, Supplier<CompletableFuture<Void>> news) {
        lookAtTheClock();
        synchronized (this) {
            if (working) { // a rebuild that was asked for before the log was followed, and would continue
                again = true;
                return;
            }
            working = true; // a rebuild would take the additions away from it
        }
        Resumed outcome = new Resumed(left.began());
        try {
            Consumer<Throwable> notRun = e -> outcome.scans(Resumption.why(e));
            Resumption resumption =
                    rebuild.resumption(left.generation(), news, (delay, task) -> later(delay, task, notRun), outcome);
            later(Duration.ZERO, () -> resume(resumption, outcome), notRun);
        } catch (RuntimeException | Error e) {
            outcome.scans(Resumption.why(e)); // it may have failed after it was listed, while it was told of open work
        }
    }

    private void resume(Resumption resumption, Resumed outcome) {
        Errand errand = null;
        try {
            errand = errands.begin(SILENCE, () -> outcome.scans(Resumption.why(silent())));
            resumption.run(errand);
        } catch (RuntimeException | Error e) {
            outcome.scans(Resumption.why(e));
        } finally {
            boolean unused = errand == null || errand.back();
        }
    }

    /**
     * Waits on the clock, then runs the task on a thread that may block.
     *
     * @param notRun receives the reason why it does not run, unless everything has been closed
     */
    private void later(Duration delay, Runnable task, Consumer<Throwable> notRun) {
        try {
            ScheduledFuture<?> unused =
                    clock.schedule(() -> handOver(task, notRun), delay.toNanos(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            // closed: memory no longer answers
        } catch (RuntimeException | Error e) {
            notRun.accept(e);
        }
    }

    private void handOver(Runnable task, Consumer<Throwable> notRun) {
        try {
            threads.execute(task);
        } catch (RejectedExecutionException e) {
            // closed: memory no longer answers
        } catch (RuntimeException | Error e) {
            notRun.accept(e);
        }
    }

    /** A kept generation serves, or a scan is made after all. */
    private final class Resumed implements Resumption.Outcome {
        private final long began;
        private final AtomicBoolean decided = new AtomicBoolean();

        Resumed(long began) {
            this.began = began;
        }

        @Override
        public void serves(KeptGeneration kept, long baseline, List<DatabaseMark> present) {
            if (decided.getAndSet(true)) {
                return;
            }
            rebuild.serves(kept.generation(), baseline, began, present);
            worked();
            faults.say(
                    System.Logger.Level.INFO,
                    "Kind {0} resumed from the snapshot of the scan of {1}",
                    kind,
                    kept.scanned().at());
        }

        @Override
        public void scans(String reason) {
            if (decided.getAndSet(true)) {
                return;
            }
            boolean closed = isClosed();
            try {
                request(Duration.ZERO); // first, whatever the report may throw
                if (!closed) {
                    generations.abandon("the snapshot was not resumed (" + reason + "); scanning the store");
                }
            } finally {
                worked();
            }
            if (!closed) {
                faults.say(System.Logger.Level.INFO, KeptGeneration.NOT_RESUMED, kind, reason);
            }
        }
    }

    private synchronized void lookAtTheClock() {
        if (looks != null) {
            return;
        }
        try {
            long tick = settings.time().tick().toNanos();
            // No exception may end the ticks: without them there would be no rescan, no audit and no report of it.
            looks = clock.scheduleWithFixedDelay(
                    () -> faults.survive("The periodic check of kind " + kind, this::tick),
                    tick,
                    tick,
                    TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            faults.say(System.Logger.Level.DEBUG, "The checker was closed before kind {0} had started", kind);
        }
    }

    /** As {@link #request}, for scans that no one waits for, since the store answers meanwhile: at their {@link ScanPace}. */
    void requestPaced(Duration delay) {
        Duration pause = scanPace.pause(rebuild.lastBegan(), rebuild.lastNanos());
        request(Collections.max(List.of(delay, pause)));
    }

    /** Asks for a rebuild that begins after this call, no later than the delay, unless one is running then. */
    synchronized void request(Duration delay) {
        long wanted = now() + delay.toNanos();
        if (next != null && due - wanted <= 0) {
            return;
        }
        if (next != null) {
            next.cancel(false);
            next = null; // if scheduling fails, later requests must not wait for this one
        }
        try {
            due = wanted;
            next = clock.schedule(this::run, delay.toNanos(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            // closed: memory no longer answers
        }
    }

    private void tick() {
        try {
            errands.tick(settings.time().tick());
        } finally {
            ageing.run();
        }
        degradeIfOutdated();
        if (tooManyAreLost()) {
            return;
        }
        if (isRescanDue()) {
            request(Duration.ZERO);
        } else if (isForgotten()) {
            requestPaced(Duration.ZERO);
        } else if (isRenewalDue()) {
            begin("The renewal of kind " + kind, rebuild::renew);
        } else if (isAuditDue()) {
            begin("The audit of kind " + kind, this::audit);
        }
    }

    /** Each one holds a thread and a connection, and the next would be lost as well. */
    private synchronized boolean tooManyAreLost() {
        boolean are = !working && errands.areTooManyAway();
        if (are) {
            generations.abandon(errands.away() + " scans or audits hang, and none begins until one returns; end"
                    + " their database sessions, or restart");
        }
        return are;
    }

    private boolean isRescanDue() {
        long began = rebuild.lastBegan();
        boolean wanted = (isOutgrown() || falseAlarms.areFrequent()) && isPast(began, pace.rebuild())
                || isPast(began, pace.rescan());
        return wanted && !scanPace.isPatient();
    }

    /**
     * The request for a birth that would mend the state may have failed. Must be seen twice, since a request may be
     * about to come. When tables are redefined no one requests a birth but this: fifty migrations cost one scan.
     */
    private boolean isForgotten() {
        boolean before = wasForgotten;
        boolean idle;
        synchronized (this) {
            idle = next == null && !working;
        }
        wasForgotten = idle && generations.mayBeMended() && !rebuild.hadBetterWait();
        return before && wasForgotten;
    }

    /** If the ticker has jumped back, the age is unknown and counts as past. */
    private boolean isPast(long moment, Duration age) {
        long elapsed = now() - moment;
        return elapsed < 0 || elapsed > age.toNanos();
    }

    /** Unreported writes are found within the rescan interval, or memory stops answering. */
    private void degradeIfOutdated() {
        View seen = generations.view();
        Long good = rebuild.lastGood();
        if (good != null && isPast(good, pace.mostAge())) {
            generations.outdated(
                    seen,
                    "the last complete scan is older than the rescan interval allows: see the log for scans"
                            + " that failed, or raise rescanInterval or scanThreads");
        }
    }

    private boolean isOutgrown() {
        Generation serving = generations.view().serving();
        return serving != null && serving.isOutgrown();
    }

    private boolean isRenewalDue() {
        View seen = generations.view();
        Generation serving = seen.serving();
        return seen.ready() && serving != null && serving.wantsRenewal() && isPast(rebuild.lastBirth(), pace.renewal());
    }

    /** Begins the work unless something else is running; the next tick then asks again. */
    private void begin(String what, Consumer<Errand> work) {
        Runnable task = () -> work(what, work); // allocated before working is set
        Consumer<Throwable> notRun = this::notBegun;
        synchronized (this) {
            if (working) {
                return;
            }
            working = true;
        }
        handOver(task, notRun);
    }

    /** No thread could be created; the next tick asks again. */
    private void notBegun(Throwable why) {
        worked();
        faults.failed("The periodic check of kind " + kind, why);
    }

    private boolean isClosed() {
        return generations.view().state() == KindState.CLOSED;
    }

    private void run() {
        Runnable task = () -> work(this::rebuild, this::failed); // allocated before working is set
        Consumer<Throwable> notRun = this::notBegun;
        synchronized (this) {
            next = null; // requests from here on are for a further rebuild
            if (working) {
                again = true;
                return;
            }
            if (errands.areTooManyAway()) {
                return; // the ticks report it, and ask again
            }
            working = true;
        }
        if (isClosed()) {
            worked();
        } else {
            handOver(task, notRun);
        }
    }

    private void rebuild(Errand errand) {
        scanPace.begun();
        rebuild.run(errand);
        if (!errand.isRefused()) {
            scanPace.succeeded();
        }
    }

    private void work(String what, Consumer<Errand> work) {
        work(
                errand -> {
                    work.accept(errand);
                    faults.ended(what);
                },
                e -> faults.failed(what, e));
    }

    /**
     * Runs work that asks the store, alone; it must not end the running thread. If it does not come back, the next need
     * not wait for it.
     */
    private void work(Consumer<Errand> work, Consumer<Throwable> failed) {
        Errand errand = null;
        try {
            errand = errands.begin(SILENCE, () -> end(failed, silent()));
            work.accept(errand);
        } catch (RuntimeException | Error e) {
            if (errand == null || errand.back()) {
                end(failed, e);
            }
            return;
        }
        if (errand.back()) {
            worked();
        }
    }

    private void end(Consumer<Throwable> failed, Throwable why) {
        try {
            failed.accept(why);
        } finally {
            worked();
        }
    }

    private static StoreException silent() {
        return new StoreException("the store was silent for " + SILENCE.toSeconds() + " s, so the scan was"
                + " abandoned; set a network time-out or TCP keep-alive on its connections");
    }

    private boolean isAuditDue() {
        return isPast(lastAudit, settings.audits().interval());
    }

    private void audit(Errand errand) {
        lastAudit = now();
        if (rebuild.findsItsDatabase(errand)) {
            auditor.audit(errand);
        }
    }

    /** In one step: otherwise a request in between and this one would make two scans out of one. */
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
        if (e instanceof Rebuild.FilterTooSmall) {
            generations.abandon("the store held more rows than it had counted; scanning again with a larger filter");
            request(Duration.ZERO);
            return;
        }
        failedScans.increment();
        request(scanPace.failed()); // before logging and reporting, which may throw
        Throwable told = RefusedStatement.of(e);
        String why = told instanceof StoreException
                ? told.getMessage()
                : told.getClass().getSimpleName();
        generations.abandon("the last scan failed (" + why + "); it is tried again");
        faults.failed("The scan of kind " + kind, told);
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
