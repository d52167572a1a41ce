package io.github.untaken.spring.boot.source;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.IdentifierKind;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * Migrations that go on while the application runs. As long as one holds a connection the database answers, and a scan follows, as
 * for any bulk work that nobody announces one by one. What has ended before the checker was made costs nothing.
 */
public final class BackgroundMigrations {
    private @Nullable AvailabilityChecker checker; // guarded by this
    private int connections; // guarded by this
    private CountDownLatch end = new CountDownLatch(0); // guarded by this

    /** From now on migrations concern this checker, those under way too. */
    public synchronized void concern(AvailabilityChecker made) {
        checker = made;
        if (connections > 0) {
            hold(made);
        }
    }

    /** A migration is about to write; returns once the database answers. */
    synchronized void opened() {
        connections++;
        if (connections == 1 && checker != null) {
            hold(checker);
        }
    }

    synchronized void closed() {
        connections--;
        if (connections == 0) {
            end.countDown();
        }
    }

    /** Makes a bulk call for each kind, on a thread of its own, whose work is only to wait for the end. */
    private void hold(AvailabilityChecker held) {
        CountDownLatch over = new CountDownLatch(1);
        end = over;
        for (IdentifierKind kind : held.kinds()) {
            CountDownLatch begun = new CountDownLatch(1);
            Thread waiting = new Thread(
                    () -> held.registrations().bulk(kind, () -> {
                        begun.countDown();
                        await(over);
                    }),
                    "untaken-migration-" + kind);
            waiting.setDaemon(true);
            waiting.start();
            await(begun);
        }
    }

    private static void await(CountDownLatch latch) {
        boolean interrupted = false;
        while (true) {
            try {
                latch.await();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
