package io.github.untaken.kind;

import io.github.untaken.Obstacle;
import io.github.untaken.fault.FaultLog;
import io.github.untaken.memory.Clocks;
import io.github.untaken.memory.Freshness;
import io.github.untaken.memory.Lease;
import io.github.untaken.spi.RegisteredIdentifierStore.Exclusive;
import io.github.untaken.spi.RegisteredIdentifierStore.Exclusive.Standing;
import io.github.untaken.store.Attempts;
import io.github.untaken.store.DaemonThread;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps processes from answering from memory while two write one database, since they do not hear each other. Two may
 * easily run for a minute while a new version is rolled out. Each process marks every store of a kind. A process that
 * sees another's mark asks the database for everything until it is alone again, and then scans.
 *
 * <p>Another's mark, or the loss of one's own with its connection, is noticed within a {@link RegistrySettings.Time#tick}
 * and the time a look takes, two seconds together. Until then the other's writes may be unknown here. So a starting
 * process waits that long if it finds others, and a process in doubt counts as alone only once it has looked so for
 * that long. Nor does memory answer for longer than that after a look: a process that stood still may have missed
 * everything that another did from its start to its end, and scans.
 *
 * <p>Looks never wait for a new connection, which may take long if the database is away or the pool is empty: marks are
 * set on a thread of their own. What does not come back holds up no other kind: a look that does not counts as one that
 * fails, and a kind whose mark is not set in time begins without.
 */
public final class SingleWriter {
    public static final String UNMARKED =
            "this process is not marked as a writer in the database yet, so another may be writing unseen";
    static final String REASON =
            "another process may be writing this database, and neither sees what the other writes; memory answers"
                    + " again when one is left. To run several, follow the database's log";

    public static final String UNREACHABLE =
            "the database does not answer, or the pool has no connection to spare for the mark of this process,"
                    + " so another process may be writing unseen; the database answers every check";
    /** By then a store has answered or given up. */
    private static final Duration MOST_PATIENCE = Duration.ofSeconds(1);

    /** By then every process has looked, and one that lost its mark has set it again. */
    private static final int TICKS_UNTIL_NOTICED = 2;

    static final String UNTOLD = " cannot tell whether another process writes, so the database answers every check: set"
            + " singleWriter(false) (untaken.single-writer) if none does, not even during a deployment,"
            + " or implement RegisteredIdentifierStore.Exclusive";

    static final String MISSED =
            "this process did not look for other writers for some seconds, as if it had been paused; one may have"
                    + " written meanwhile";

    /** Ticks are shorter in tests, whose threads may well wait for longer. */
    private static final Duration LEAST_BELIEVED = Duration.ofSeconds(2);

    static final String BACK = "the database did not answer for a while; another process may have written meanwhile";

    /**
     * A kind and the marks it needs. A kind that follows the database's log sets marks for those that do not, and heeds
     * none. For any other kind, the database answers as long as one of its stores cannot be marked.
     */
    public static final class Claim {
        private final RegisteredKind registered;
        private final List<Exclusive> marks;
        private final Set<String> unmarkable;
        /** Since when the writers are unknown while memory still answers; null if they are known. */
        private volatile @Nullable Long unknownSince;

        private volatile boolean begun;
        private final AtomicInteger looksAlone = new AtomicInteger(); // since the last look that saw anything else

        public Claim(RegisteredKind registered) {
            this.registered = registered;
            this.marks = registered.stores().exclusive();
            this.unmarkable =
                    registered.followsLog() ? Set.of() : registered.stores().unmarkable();
        }

        /** Whether there is anything to mark or report. */
        public boolean isNeeded() {
            return !marks.isEmpty() || !unmarkable.isEmpty();
        }

        /** Whether others must, and can, notice that this process writes. */
        boolean mayBeNoticed() {
            return !registered.followsLog() && !marks.isEmpty();
        }

        private void begin() {
            doubt(Obstacle.WRITERS_UNKNOWN, unmarkable.isEmpty() ? UNMARKED : String.join(", ", unmarkable) + UNTOLD);
        }

        void doubt(Obstacle obstacle, String reason) {
            unknownSince = null;
            looksAlone.set(0);
            if (!registered.followsLog()) {
                registered.generations().raise(obstacle, reason);
            }
        }

        boolean isInDoubt() {
            Set<Obstacle> raised = registered.generations().obstacles();
            return raised.contains(Obstacle.OTHER_WRITER) || raised.contains(Obstacle.WRITERS_UNKNOWN);
        }

        /** True if there was doubt; the caller must then see to a birth. */
        boolean endDoubt() {
            boolean known = registered.generations().lift(Obstacle.OTHER_WRITER);
            return registered.generations().lift(Obstacle.WRITERS_UNKNOWN) || known;
        }

        /**
         * It is unknown whether others write. This becomes the state's reason once memory has answered for as long as
         * it may.
         */
        void unknown(long now, Duration patience) {
            looksAlone.set(0);
            if (isInDoubt()) {
                return;
            }
            if (unknownSince == null && !patience.isZero()) {
                unknownSince = now;
            }
            if (unknownSince == null || now - unknownSince > patience.toNanos()) {
                doubt(Obstacle.WRITERS_UNKNOWN, UNREACHABLE);
            }
        }

        /**
         * The process is marked, and no other is. That counts only after a while: another may have lost its mark, with
         * the server or a connection, and keep writing until it has set it again.
         *
         * @param unbroken whether the previous look was recent enough that no process can have come and gone since
         */
        void alone(boolean unbroken) {
            String missed = unknownSince != null ? BACK : unbroken ? null : MISSED;
            unknownSince = null;
            if (isInDoubt() && looksAlone.incrementAndGet() <= TICKS_UNTIL_NOTICED) {
                return;
            }
            if (endDoubt()) {
                registered.generations().requestBirth(); // paced, since a mark may come and go
            } else if (missed != null && !registered.followsLog()) {
                registered.generations().loseTrust(missed);
            }
        }
    }

    /** The looks and marks of one kind. */
    private final class Watch {
        private final Claim claim;
        private final CompletableFuture<Standing> first = new CompletableFuture<>();
        private final Attempts looks = new Attempts(asking, MOST_PATIENCE);
        private final Attempts marks = new Attempts(asking, MOST_PATIENCE);
        private final Freshness alone; // renewed by each look that shows no other, as of when it was sent

        Watch(Claim claim) {
            this.claim = claim;
            Duration noticed = tick.multipliedBy(TICKS_UNTIL_NOTICED);
            this.alone = new Freshness(noticed.compareTo(LEAST_BELIEVED) < 0 ? LEAST_BELIEVED : noticed, clocks);
            if (!claim.registered.followsLog() && patience.isZero()) {
                claim.registered.leases().whileAlone(alone);
            }
        }

        /** Sets the mark and looks; after that, or if it takes too long, the kind begins. */
        void start(Consumer<RegisteredKind> afterTheFirstLook) {
            Runnable begin = () -> {
                claim.begun = true;
                first.complete(Standing.UNKNOWN); // no effect if it is known
                afterTheFirstLook.accept(claim.registered);
            };
            try {
                marks.begin(
                        () -> {
                            mark(claim);
                            Lease asked = alone.now();
                            Standing seen = standing(claim);
                            return () -> {
                                first.complete(seen);
                                if (seen == Standing.ALONE) {
                                    alone.renew(asked);
                                    boolean unused = claim.endDoubt(); // the start asks for the scan
                                }
                                begin.run();
                            };
                        },
                        begin);
            } catch (RuntimeException | Error e) {
                faults.failed("Marking this process as a writer of kind " + claim.registered.kind(), e);
                begin.run();
            }
        }

        /** What the first look saw, if it came back in time. */
        Standing firstSeen(long begun) throws InterruptedException {
            try {
                return first.get(MOST_PATIENCE.toNanos() - (System.nanoTime() - begun), TimeUnit.NANOSECONDS);
            } catch (ExecutionException | TimeoutException e) {
                return Standing.UNKNOWN;
            }
        }

        void tick() {
            try {
                marks.tick(tick);
            } finally {
                looks.tick(tick);
            }
            if (claim.begun) {
                look();
            }
        }

        private void look() {
            if (looks.areLate()) {
                claim.unknown(clocks.nanoTime().getAsLong(), patience);
                markLater();
            }
            looks.begin(
                    () -> {
                        Lease asked = alone.now();
                        Standing seen = standing(claim);
                        return () -> faults.survive("Reacting to other processes", () -> heed(seen, asked));
                    },
                    () -> {});
        }

        private void heed(Standing seen, Lease asked) {
            switch (seen) {
                case ALONE -> {
                    claim.alone(alone.holds(alone.lease()));
                    alone.renew(asked); // only now: until then memory does not answer
                }
                case BESIDE_OTHERS -> {
                    claim.doubt(Obstacle.OTHER_WRITER, REASON);
                    markLater();
                }
                case UNKNOWN -> {
                    claim.unknown(clocks.nanoTime().getAsLong(), patience);
                    markLater();
                }
            }
        }

        private void markLater() {
            marks.begin(
                    () -> {
                        mark(claim);
                        return () -> {};
                    },
                    () -> {});
        }
    }

    private final List<Watch> watches;
    private final Duration tick;
    private final Duration patience;
    private final Clocks clocks;
    private final FaultLog faults = new FaultLog("io.github.untaken");
    private final ScheduledExecutorService looks =
            Executors.newSingleThreadScheduledExecutor(task -> new DaemonThread(task, "untaken-single-writer"));
    /** Runs one mark and one look for each kind, plus those that are lost. */
    private final ExecutorService asking =
            Executors.newCachedThreadPool(task -> new DaemonThread(task, "untaken-writer-marks"));

    private volatile boolean closed;

    /**
     * @param claims those that are needed
     * @param patience how long memory answers while it is unknown whether others write; zero for not at all
     */
    public SingleWriter(List<Claim> claims, Duration tick, Duration patience, Clocks clocks) {
        this.tick = tick;
        this.patience = patience;
        this.clocks = clocks;
        this.watches = claims.stream().map(Watch::new).toList();
    }

    public boolean isClaimed(RegisteredKind registered) {
        return watches.stream().anyMatch(watch -> watch.claim.registered.equals(registered));
    }

    /**
     * Sets the marks in the background, runs the action for each kind whose mark was tried, and keeps looking. Returns
     * when every other process that was there has noticed, so that none answers from memory while this one writes:
     * after the first look, which it awaits for a second at most, and two ticks more unless that shows that there are
     * none. Where a log reports the others it does not wait.
     */
    public void start(Consumer<RegisteredKind> afterTheFirstLook) {
        watches.forEach(watch -> watch.claim.begin());
        watches.forEach(watch -> watch.start(afterTheFirstLook));
        ScheduledFuture<?> unused =
                looks.scheduleWithFixedDelay(this::look, tick.toNanos(), tick.toNanos(), TimeUnit.NANOSECONDS);
        awaitNotice();
    }

    private void awaitNotice() {
        long begun = System.nanoTime();
        try {
            boolean beside = false;
            for (Watch watch : watches) {
                beside |= watch.claim.mayBeNoticed() && watch.firstSeen(begun) != Standing.ALONE;
            }
            if (beside) {
                TimeUnit.NANOSECONDS.sleep(
                        tick.multipliedBy(TICKS_UNTIL_NOTICED).toNanos());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the caller wants to go on
        }
    }

    private void look() {
        watches.forEach(watch -> faults.survive("The look for other processes", watch::tick));
    }

    /** The worst state of all its marks. A store that cannot tell does not keep the others from being asked. */
    private Standing standing(Claim claim) {
        Standing untold = claim.unmarkable.isEmpty() ? Standing.ALONE : Standing.UNKNOWN;
        Standing[] worst = {Standing.UNKNOWN};
        faults.survive(
                "Looking at the marks of kind " + claim.registered.kind(),
                () -> worst[0] = claim.marks.stream().map(Exclusive::standing).reduce(untold, SingleWriter::worse));
        return worst[0];
    }

    /** A known other writer is a better reason than an unknown one. */
    private static Standing worse(Standing one, Standing other) {
        if (one == Standing.BESIDE_OTHERS || other == Standing.BESIDE_OTHERS) {
            return Standing.BESIDE_OTHERS;
        }
        return one == Standing.UNKNOWN ? one : other;
    }

    /**
     * Holds no lock, since a mark may hang. The last check removes a mark set after all were released, which would
     * stay.
     */
    private void mark(Claim claim) {
        if (!closed) {
            faults.survive(
                    "Marking this process as a writer of kind " + claim.registered.kind(),
                    () -> claim.marks.forEach(Exclusive::mark));
        }
        if (closed) {
            claim.marks.forEach(Exclusive::release);
        }
    }

    /** Removes the marks; returns once that is done, or after the wait. */
    public void close(long waitSeconds) {
        if (looks.isShutdown()) {
            return;
        }
        await(looks, waitSeconds);
        closed = true;
        watches.forEach(watch -> asking.execute(() -> watch.claim.marks.forEach(Exclusive::release)));
        await(asking, waitSeconds);
    }

    private static void await(ExecutorService threads, long waitSeconds) {
        threads.shutdown();
        try {
            boolean unused = threads.awaitTermination(waitSeconds, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
