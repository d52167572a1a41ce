package io.github.untaken;

import io.github.untaken.Generations.Obstacle;
import io.github.untaken.fault.FaultLog;
import io.github.untaken.spi.RegisteredIdentifierStore.Exclusive;
import io.github.untaken.spi.RegisteredIdentifierStore.Exclusive.Standing;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Sees to it that no process answers from memory while two write one database, for they do not hear each other; two are
 * easily there for a minute while a new version is rolled out. Each process marks every store of a kind; who sees another's
 * mark asks the database for everything until it is alone again, and then scans.
 *
 * <p>Another's mark, or the loss of the own one with its connection, is noticed within a {@link RegistrySettings#tick} and the time
 * a look takes, two seconds together; until then what the other writes can be unknown here. Looks never wait for a new connection,
 * which a database that is away or a pool that is empty may not give for long: marks are set on a thread of their own.
 */
final class SingleWriter {
    static final String UNMARKED =
            "this process is not marked as a writer in the database yet, so another may be writing without being heard";
    static final String REASON =
            "another process may be writing this database, and the two do not hear each other; memory answers again when one"
                    + " is left";

    static final String UNREACHABLE =
            "the database does not answer, or has no connection to spare for the mark of this process, so nobody can tell"
                    + " whether another process is writing; it is asked for everything";
    static final String BACK = "the database did not answer for a while, in which another process may have written";

    /** A kind and the marks it needs. One that follows the database's log sets them for those that do not, and heeds none. */
    static final class Claim {
        private final IdentifierRegistry registry;
        private final List<Exclusive> marks;
        /** Since when nobody can tell, while memory answers all the same; null if it is known. Belongs to the thread of the looks. */
        private @Nullable Long unknownSince;

        Claim(IdentifierRegistry registry, List<Exclusive> marks) {
            this.registry = registry;
            this.marks = marks;
        }

        void doubt(String reason) {
            unknownSince = null;
            if (!registry.followsLog()) {
                registry.generations().raise(Obstacle.OTHER_PROCESS, reason);
            }
        }

        /** Nobody can tell whether others write; the reason is given, or memory answers for so long. */
        void unknown(long now, Duration patience) {
            if (registry.generations().isRaised(Obstacle.OTHER_PROCESS)) {
                return;
            }
            if (unknownSince == null && !patience.isZero()) {
                unknownSince = now;
            }
            if (unknownSince == null || now - unknownSince > patience.toNanos()) {
                doubt(UNREACHABLE);
            }
        }

        /** It is marked, and no other is. */
        void alone() {
            boolean missed = unknownSince != null;
            unknownSince = null;
            if (registry.generations().lift(Obstacle.OTHER_PROCESS)) {
                registry.rescan();
            } else if (missed && !registry.followsLog()) {
                registry.generations().loseTrust(BACK);
            }
        }
    }

    private final List<Claim> claims;
    private final Duration tick;
    private final Duration patience;
    private final LongSupplier nanoTime;
    private final FaultLog faults = new FaultLog("io.github.untaken");
    private final ScheduledExecutorService looks = thread("untaken-single-writer");
    private final ScheduledExecutorService marks = thread("untaken-writer-marks"); // may wait for a connection
    private final Set<Claim> unmarked = ConcurrentHashMap.newKeySet();
    private boolean closed; // belongs to the thread of the marks

    /**
     * @param claims those whose marks are not empty
     * @param patience for how long memory answers while nobody can tell whether others write; zero for not at all
     */
    SingleWriter(List<Claim> claims, Duration tick, Duration patience, LongSupplier nanoTime) {
        this.claims = claims;
        this.tick = tick;
        this.patience = patience;
        this.nanoTime = nanoTime;
    }

    private static ScheduledExecutorService thread(String name) {
        return Executors.newSingleThreadScheduledExecutor(task -> {
            Thread made = new Thread(task, name);
            made.setDaemon(true);
            return made;
        });
    }

    /** Sets the marks in the background, then runs the action, then goes on looking. */
    void start(Runnable afterTheFirstLook) {
        claims.forEach(claim -> claim.doubt(UNMARKED));
        marks.execute(() -> {
            try {
                for (Claim claim : claims) {
                    mark(claim);
                    faults.survive("The first look for other processes", () -> {
                        if (standing(claim) == Standing.ALONE) {
                            claim.registry.generations().lift(Obstacle.OTHER_PROCESS); // the start asks for the scan
                        }
                    });
                }
            } finally {
                afterTheFirstLook.run();
            }
        });
        marks.execute(() -> {
            ScheduledFuture<?> unused =
                    looks.scheduleWithFixedDelay(this::look, tick.toNanos(), tick.toNanos(), TimeUnit.NANOSECONDS);
        });
    }

    private void look() {
        faults.survive("The look for other processes", () -> {
            for (Claim claim : claims) {
                switch (standing(claim)) {
                    case ALONE -> claim.alone();
                    case BESIDE_OTHERS -> {
                        claim.doubt(REASON);
                        markLater(claim);
                    }
                    case UNKNOWN -> {
                        claim.unknown(nanoTime.getAsLong(), patience);
                        markLater(claim);
                    }
                }
            }
        });
    }

    /** The worst of all its marks. One that cannot tell keeps nobody from asking the others. */
    private Standing standing(Claim claim) {
        Standing[] worst = {Standing.UNKNOWN};
        faults.survive(
                "Looking at the marks of kind " + claim.registry.kind(),
                () -> worst[0] =
                        claim.marks.stream().map(Exclusive::standing).reduce(Standing.ALONE, SingleWriter::worse));
        return worst[0];
    }

    /** Others who are known of are a better reason than nobody knowing. */
    private static Standing worse(Standing one, Standing other) {
        if (one == Standing.BESIDE_OTHERS || other == Standing.BESIDE_OTHERS) {
            return Standing.BESIDE_OTHERS;
        }
        return one == Standing.UNKNOWN ? one : other;
    }

    private void markLater(Claim claim) {
        if (unmarked.add(claim)) {
            marks.execute(() -> {
                mark(claim);
                unmarked.remove(claim);
            });
        }
    }

    private void mark(Claim claim) {
        if (!closed) {
            faults.survive(
                    "Marking this process as a writer of kind " + claim.registry.kind(),
                    () -> claim.marks.forEach(Exclusive::mark));
        }
    }

    /** Takes the marks away; returns once that is done, or after the wait. */
    void close(long waitSeconds) {
        if (looks.isShutdown()) {
            return;
        }
        await(looks, waitSeconds);
        marks.execute(() -> {
            closed = true; // or a mark that is set after this would stay
            claims.forEach(claim -> claim.marks.forEach(Exclusive::release));
        });
        await(marks, waitSeconds);
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
