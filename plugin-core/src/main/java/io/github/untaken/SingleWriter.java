package io.github.untaken;

import io.github.untaken.Generations.Obstacle;
import io.github.untaken.fault.FaultLog;
import io.github.untaken.spi.RegisteredIdentifierStore.Exclusive;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

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

    /** A kind and the marks it needs. One that follows the database's log sets them for those that do not, and heeds none. */
    record Claim(IdentifierRegistry registry, List<Exclusive> marks) {

        void doubt(String reason) {
            if (!registry.followsLog()) {
                registry.generations().raise(Obstacle.OTHER_PROCESS, reason);
            }
        }
    }

    private final List<Claim> claims;
    private final Duration tick;
    private final FaultLog faults = new FaultLog("io.github.untaken");
    private final ScheduledExecutorService looks = thread("untaken-single-writer");
    private final ScheduledExecutorService marks = thread("untaken-writer-marks"); // may wait for a connection
    private final Set<Claim> unmarked = ConcurrentHashMap.newKeySet();
    private final Set<Claim> failing = ConcurrentHashMap.newKeySet(); // their marks are being set, or were not
    private boolean closed; // belongs to the thread of the marks

    /** @param claims those whose marks are not empty */
    SingleWriter(List<Claim> claims, Duration tick) {
        this.claims = claims;
        this.tick = tick;
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
                        if (standsAlone(claim)) {
                            lift(claim);
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
                if (standsAlone(claim)) {
                    if (lift(claim)) {
                        claim.registry().rescan();
                    }
                } else {
                    claim.doubt(failing.contains(claim) ? UNMARKED : REASON);
                    markLater(claim);
                }
            }
        });
    }

    /** One that cannot tell does not, and keeps nobody from asking the others. */
    private boolean standsAlone(Claim claim) {
        boolean[] alone = new boolean[1];
        faults.survive(
                "Looking at the marks of kind " + claim.registry().kind(),
                () -> alone[0] = claim.marks().stream().allMatch(Exclusive::standsAlone));
        return alone[0];
    }

    private static boolean lift(Claim claim) {
        return claim.registry().generations().lift(Obstacle.OTHER_PROCESS);
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
                    "Marking this process as a writer of kind "
                            + claim.registry().kind(),
                    () -> {
                        failing.add(claim);
                        claim.marks().forEach(Exclusive::mark);
                        failing.remove(claim);
                    });
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
            claims.forEach(claim -> claim.marks().forEach(Exclusive::release));
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
