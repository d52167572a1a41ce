package io.github.untaken;

import io.github.untaken.Generations.Obstacle;
import io.github.untaken.spi.RegisteredIdentifierStore.Exclusive;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * Sees to it that of all processes that write one database at most one answers from memory, for they do not hear each
 * other; two are easily there for a minute while a new version is rolled out. Who holds the mark of every store of a kind
 * answers from memory, everybody else asks the database.
 *
 * <p>The mark can be lost with its connection. That is noticed within {@link #PERIOD_MILLIS} and the time a look takes;
 * until then two processes may believe themselves alone.
 */
final class SingleWriter {
    private static final System.Logger LOG = System.getLogger("io.github.untaken");

    static final long PERIOD_MILLIS = 1_000;
    static final String REASON =
            "another process writes this database, and the two do not hear each other; it takes over when the other ends."
                    + " To run several at once, give them a feed of the database's changes (module cluster-debezium)";

    /** A kind and the marks it needs. */
    record Claim(IdentifierRegistry registry, List<Exclusive> marks) {}

    private final List<Claim> claims;
    private final ScheduledExecutorService thread;

    /** @param claims those whose marks are not empty */
    SingleWriter(List<Claim> claims) {
        this.claims = claims;
        this.thread = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread made = new Thread(task, "untaken-single-writer");
            made.setDaemon(true);
            return made;
        });
    }

    /** Takes the marks in the background, then runs the action, then goes on looking. */
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
                thread.scheduleWithFixedDelay(() -> look(true), PERIOD_MILLIS, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void look(boolean scanned) {
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

    /** Gives the marks up; returns once that is done, or after the wait. */
    void close(long waitSeconds) {
        if (thread.isShutdown()) {
            return;
        }
        thread.execute(() -> claims.forEach(claim -> claim.marks().forEach(Exclusive::release)));
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
