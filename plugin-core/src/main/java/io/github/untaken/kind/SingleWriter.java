package io.github.untaken.kind;

import io.github.untaken.Obstacle;
import io.github.untaken.fault.FaultLog;
import io.github.untaken.log.Clocks;
import io.github.untaken.log.Freshness;
import io.github.untaken.log.Lease;
import io.github.untaken.spi.RegisteredIdentifierStore.Exclusive;
import io.github.untaken.spi.RegisteredIdentifierStore.Exclusive.Standing;
import io.github.untaken.store.Attempts;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Sees to it that no process answers from memory while two write one database, for they do not hear each other; two are
 * easily there for a minute while a new version is rolled out. Each process marks every store of a kind; who sees another's
 * mark asks the database for everything until it is alone again, and then scans.
 *
 * <p>Another's mark, or the loss of the own one with its connection, is noticed within a {@link RegistrySettings#tick} and the time
 * a look takes, two seconds together. Until then what the other writes can be unknown here: so who starts waits that long where it finds
 * others, and who has been in doubt is alone once it has looked so for that long. Nor does memory answer for longer than that after
 * a look: a process that stands still may miss all that another does from its start to its end, and scans. Looks never wait for a new
 * connection, which a database that is away or a pool that is empty may not give for long: marks are set on a thread of their own. What does not
 * come back keeps no other kind from anything: a look that does not tells as much as one that fails, and a kind whose mark is not set
 * in time begins without.
 */
public final class SingleWriter {
    public static final String UNMARKED =
            "this process is not marked as a writer in the database yet, so another may be writing without being heard";
    static final String REASON =
            "another process may be writing this database, and the two do not hear each other; memory answers again when one"
                    + " is left";

    public static final String UNREACHABLE =
            "the database does not answer, or has no connection to spare for the mark of this process, so nobody can tell"
                    + " whether another process is writing; it is asked for everything";
    /** A store answers sooner, or gives up. */
    private static final Duration MOST_PATIENCE = Duration.ofSeconds(1);

    /** By then every process has looked, and one that has lost its mark has set it again. */
    private static final int TICKS_UNTIL_NOTICED = 2;

    static final String UNTOLD =
            " cannot tell whether another process writes, so the database is asked for everything: say singleWriter(false)"
                    + " (untaken.single-writer) if none does, or implement RegisteredIdentifierStore.Exclusive";

    static final String MISSED =
            "this process has not looked for some seconds whether another writes, as if it had stood still; one may have written"
                    + " meanwhile";

    /** Ticks are shorter in tests, whose threads may well wait for longer. */
    private static final Duration LEAST_BELIEVED = Duration.ofSeconds(2);

    static final String BACK = "the database did not answer for a while, in which another process may have written";

    /**
     * A kind and the marks it needs. One that follows the database's log sets them for those that do not, and heeds none. Of any other the
     * database answers as long as one of its stores cannot be marked.
     */
    public static final class Claim {
        private final RegisteredKind registered;
        private final List<Exclusive> marks;
        private final Set<String> unmarkable;
        /** Since when nobody can tell, while memory answers all the same; null if it is known. */
        private volatile @Nullable Long unknownSince;

        private volatile boolean begun;
        private final AtomicInteger looksAlone = new AtomicInteger(); // since one that saw anything else

        public Claim(RegisteredKind registered) {
            this.registered = registered;
            this.marks = registered.stores().exclusive();
            this.unmarkable =
                    registered.followsLog() ? Set.of() : registered.stores().unmarkable();
        }

        /** Whether anything is to be marked or told. */
        public boolean isNeeded() {
            return !marks.isEmpty() || !unmarkable.isEmpty();
        }

        /** Whether others must, and can, learn that this process writes. */
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

        /** It is for the caller to see to a birth. */
        boolean endDoubt() {
            boolean known = registered.generations().lift(Obstacle.OTHER_WRITER);
            return registered.generations().lift(Obstacle.WRITERS_UNKNOWN) || known;
        }

        /** Nobody can tell whether others write; the reason is given, or memory answers for so long. */
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
         * It is marked, and no other is. That counts once it has been so for a while: another may have lost its mark, with the server or a
         * connection, and write on until it has set it again.
         *
         * @param unbroken whether the look before was young enough for nobody to have come and gone since
         */
        void alone(boolean unbroken) {
            String missed = unknownSince != null ? BACK : unbroken ? null : MISSED;
            unknownSince = null;
            if (isInDoubt() && looksAlone.incrementAndGet() <= TICKS_UNTIL_NOTICED) {
                return;
            }
            if (endDoubt()) {
                registered.generations().requestBirth(); // at its pace: a mark may come and go
            } else if (missed != null && !registered.followsLog()) {
                registered.generations().loseTrust(missed);
            }
        }
    }

    /** What one kind asks of its marks. */
    private final class Watch {
        private final Claim claim;
        private final CompletableFuture<Standing> first = new CompletableFuture<>();
        private final Attempts looks = new Attempts(asking, MOST_PATIENCE);
        private final Attempts marks = new Attempts(asking, MOST_PATIENCE);
        private final Freshness alone; // renewed by each look that shows nobody else, from when it was sent

        Watch(Claim claim) {
            this.claim = claim;
            Duration noticed = tick.multipliedBy(TICKS_UNTIL_NOTICED);
            this.alone = new Freshness(noticed.compareTo(LEAST_BELIEVED) < 0 ? LEAST_BELIEVED : noticed, clocks);
            if (!claim.registered.followsLog() && patience.isZero()) {
                claim.registered.leases().whileAlone(alone);
            }
        }

        /** Sets the mark and looks; then, or if that takes too long, the kind begins. */
        void start(Consumer<RegisteredKind> afterTheFirstLook) {
            Runnable begin = () -> {
                claim.begun = true;
                first.complete(Standing.UNKNOWN); // unless it is known
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
                        return () -> faults.survive("Heeding other processes", () -> heed(seen, asked));
                    },
                    () -> {});
        }

        private void heed(Standing seen, Lease asked) {
            switch (seen) {
                case ALONE -> {
                    claim.alone(alone.holds(alone.lease()));
                    alone.renew(asked); // after that: until then memory does not answer
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
            Executors.newSingleThreadScheduledExecutor(threads("untaken-single-writer"));
    /** Each kind has one mark and one look on its way, and those that are lost. */
    private final ExecutorService asking = Executors.newCachedThreadPool(threads("untaken-writer-marks"));

    private volatile boolean closed;

    /**
     * @param claims those that are needed
     * @param patience for how long memory answers while nobody can tell whether others write; zero for not at all
     */
    public SingleWriter(List<Claim> claims, Duration tick, Duration patience, Clocks clocks) {
        this.tick = tick;
        this.patience = patience;
        this.clocks = clocks;
        this.watches = claims.stream().map(Watch::new).toList();
    }

    private static ThreadFactory threads(String name) {
        return task -> {
            Thread made = new Thread(task, name);
            made.setDaemon(true);
            return made;
        };
    }

    public boolean isClaimed(RegisteredKind registered) {
        return watches.stream().anyMatch(watch -> watch.claim.registered.equals(registered));
    }

    /**
     * Sets the marks in the background, runs the action for each kind whose mark was tried, and goes on looking. Returns when every other
     * process that was there has noticed, so that none answers from memory while this one writes: after the first look, for which it
     * waits a second at most, and two ticks more unless it shows that there are none; where a log tells them, it waits for nothing.
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
            Thread.currentThread().interrupt(); // whoever starts this wants to go on
        }
    }

    private void look() {
        watches.forEach(watch -> faults.survive("The look for other processes", watch::tick));
    }

    /** The worst of all its marks. One that cannot tell keeps nobody from asking the others. */
    private Standing standing(Claim claim) {
        Standing untold = claim.unmarkable.isEmpty() ? Standing.ALONE : Standing.UNKNOWN;
        Standing[] worst = {Standing.UNKNOWN};
        faults.survive(
                "Looking at the marks of kind " + claim.registered.kind(),
                () -> worst[0] = claim.marks.stream().map(Exclusive::standing).reduce(untold, SingleWriter::worse));
        return worst[0];
    }

    /** Others who are known of are a better reason than nobody knowing. */
    private static Standing worse(Standing one, Standing other) {
        if (one == Standing.BESIDE_OTHERS || other == Standing.BESIDE_OTHERS) {
            return Standing.BESIDE_OTHERS;
        }
        return one == Standing.UNKNOWN ? one : other;
    }

    /** No lock is held, for a mark may hang; one that is set after all were taken away would stay. */
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

    /** Takes the marks away; returns once that is done, or after the wait. */
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
