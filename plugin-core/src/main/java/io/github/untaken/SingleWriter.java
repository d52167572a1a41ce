package io.github.untaken;

import io.github.untaken.Generations.Obstacle;
import io.github.untaken.spi.RegisteredIdentifierStore.Exclusive;
import java.time.Duration;
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
 * a look takes; until then what the other writes can be unknown here.
 */
final class SingleWriter {
    private static final System.Logger LOG = System.getLogger("io.github.untaken");

    static final String REASON =
            "another process may be writing this database, and the two do not hear each other; memory answers again when one"
                    + " is left. To run several at once, give them a feed of the database's changes (module cluster-debezium)";

    /** A kind and the marks it needs. */
    record Claim(IdentifierRegistry registry, List<Exclusive> marks) {}

    private final List<Claim> claims;
    private final Duration tick;
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
        claims.forEach(claim -> claim.registry().generations().raise(Obstacle.OTHER_PROCESS, REASON));
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
        for (Claim claim : claims) {
            if (holdsAll(claim)) {
                if (claim.registry().generations().lift(Obstacle.OTHER_PROCESS) && scanned) {
                    claim.registry().rescan();
                }
            } else {
                claim.registry().generations().raise(Obstacle.OTHER_PROCESS, REASON);
            }
        }
    }

    private static boolean holdsAll(Claim claim) {
        boolean all = true;
        for (Exclusive mark : claim.marks()) {
            try {
                all &= mark.holdsAlone();
            } catch (RuntimeException e) {
                LOG.log(System.Logger.Level.DEBUG, "The mark of the only writing process could not be confirmed", e);
                all = false;
            }
        }
        return all;
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
            if (!thread.awaitTermination(waitSeconds, TimeUnit.SECONDS)) {
                thread.shutdownNow();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
