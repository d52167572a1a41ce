package io.github.untaken;

import io.github.untaken.Generations.Obstacle;
import io.github.untaken.spi.RegisteredIdentifierStore.Exclusive;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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
 * a look takes, two seconds together; until then what the other writes can be unknown here. All kinds lose their trust before anything
 * waits for a new connection, which a database that is away or a pool that is empty may not give for long.
 */
final class SingleWriter {
    static final String UNMARKED =
            "this process is not marked as a writer in the database yet, so another may be writing without being heard";
    static final String REASON =
            "another process may be writing this database, and the two do not hear each other; memory answers again when one"
                    + " is left";

    /** A kind and the marks it needs. */
    record Claim(IdentifierRegistry registry, List<Exclusive> marks) {}

    private final List<Claim> claims;
    private final Duration tick;
    private final FaultLog faults = new FaultLog();
    private final ScheduledExecutorService thread;
    private boolean closed; // belongs to the thread

    /** @param claims those whose marks are not empty */
    SingleWriter(List<Claim> claims, Duration tick) {
        this.claims = claims;
        this.tick = tick;
        this.thread = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread made = new Thread(task, "untaken-single-writer");
            made.setDaemon(true);
            return made;
        });
    }

    /** Sets the marks in the background, then runs the action, then goes on looking. */
    void start(Runnable afterTheFirstLook) {
        claims.forEach(claim -> claim.registry().generations().raise(Obstacle.OTHER_PROCESS, UNMARKED));
        thread.execute(() -> {
            try {
                look(false);
            } finally {
                afterTheFirstLook.run();
            }
        });
        ScheduledFuture<?> unused =
                thread.scheduleWithFixedDelay(() -> look(true), tick.toNanos(), tick.toNanos(), TimeUnit.NANOSECONDS);
    }

    private void look(boolean scanned) {
        if (closed) {
            return;
        }
        faults.survive("The look for other processes", () -> {
            List<Claim> lost = new ArrayList<>();
            for (Claim claim : claims) {
                if (standsAlone(claim)) {
                    lift(claim, scanned);
                    continue;
                }
                lost.add(claim);
                if (scanned) {
                    claim.registry().generations().raise(Obstacle.OTHER_PROCESS, REASON);
                }
            }
            for (Claim claim : lost) {
                faults.survive(
                        "Marking this process as a writer of kind "
                                + claim.registry().kind(),
                        () -> mark(claim));
                if (standsAlone(claim)) {
                    lift(claim, scanned);
                }
            }
        });
    }

    private static void lift(Claim claim, boolean scanned) {
        if (claim.registry().generations().lift(Obstacle.OTHER_PROCESS) && scanned) {
            claim.registry().rescan();
        }
    }

    /** One that cannot tell does not, and keeps nobody from asking the others. */
    private boolean standsAlone(Claim claim) {
        boolean[] alone = new boolean[1];
        faults.survive(
                "Looking at the marks of kind " + claim.registry().kind(),
                () -> alone[0] = claim.marks().stream().allMatch(Exclusive::standsAlone));
        return alone[0];
    }

    private static void mark(Claim claim) {
        claim.marks().forEach(Exclusive::mark);
    }

    /** Takes the marks away; returns once that is done, or after the wait. */
    void close(long waitSeconds) {
        if (thread.isShutdown()) {
            return;
        }
        thread.execute(() -> {
            closed = true; // or a look that comes after would take the marks again, and nobody would give them back
            claims.forEach(claim -> claim.marks().forEach(Exclusive::release));
        });
        thread.shutdown();
        try {
            boolean unused = thread.awaitTermination(waitSeconds, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
