package io.github.untaken.spring.boot;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.CheckListener;
import io.github.untaken.IdentifierKind;
import io.github.untaken.KindState;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.core.Ordered;

/** Holds the start until answers come from memory, where that is asked for. */
final class ReadyWait implements CheckListener, ApplicationRunner, Ordered {
    private static final Logger LOG = System.getLogger("io.github.untaken.spring.boot");

    private final Duration patience;
    private final ObjectProvider<AvailabilityChecker> checker;

    ReadyWait(Duration patience, ObjectProvider<AvailabilityChecker> checker) {
        this.patience = patience;
        this.checker = checker;
    }

    /** Before the runners of the application, which may ask. */
    @Override
    public int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE + 100;
    }

    @Override
    public synchronized void stateChanged(IdentifierKind kind, KindState state, String reason) {
        notifyAll();
    }

    @Override
    public void run(ApplicationArguments arguments) throws InterruptedException {
        AvailabilityChecker asked = checker.getIfAvailable();
        if (asked != null && !patience.isZero() && !await(asked)) {
            LOG.log(
                    Level.WARNING,
                    "Not every kind was READY within untaken.await-ready = " + patience
                            + "; until it is, each check asks the database");
        }
    }

    private synchronized boolean await(AvailabilityChecker asked) throws InterruptedException {
        long end = System.nanoTime() + patience.toNanos();
        while (asked.kinds().stream().anyMatch(kind -> asked.state(kind) != KindState.READY)) {
            long left = (end - System.nanoTime()) / 1_000_000;
            if (left <= 0) {
                return false;
            }
            wait(Math.min(left, 100)); // a state may change before the listener is told
        }
        return true;
    }
}
