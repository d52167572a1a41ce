package io.github.untaken.spring.boot.checker;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.CheckListener;
import io.github.untaken.IdentifierKind;
import io.github.untaken.KindState;
import io.github.untaken.KindStats;
import io.github.untaken.Obstacle;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.core.Ordered;

/** Holds up the start until answers come from memory, if that was asked for and can happen at all. */
final class ReadyWait implements CheckListener, ApplicationRunner, Ordered {
    private static final Logger LOG = System.getLogger("io.github.untaken.spring.boot");
    /** These last until somebody acts, so no wait is long enough. */
    private static final Set<Obstacle> LASTING = Set.of(Obstacle.OTHER_WRITER, Obstacle.COARSER_DATABASE);

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
        if (asked == null || patience.isZero()) {
            return;
        }
        await(asked);
        List<IdentifierKind> late = kinds(asked, kind -> isAwaited(asked, kind));
        if (!late.isEmpty()) {
            warn(late + " not READY within untaken.await-ready = " + patience);
        }
        for (IdentifierKind kind : kinds(asked, kind -> isAwaitedInVain(asked.stats(kind)))) {
            warn("[" + kind + "] not awaited any longer by untaken.await-ready, since waiting does not help: "
                    + asked.stats(kind).reason());
        }
    }

    private static void warn(String what) {
        LOG.log(Level.WARNING, what + "; until READY, each check asks the database");
    }

    private synchronized void await(AvailabilityChecker asked) throws InterruptedException {
        long end = System.nanoTime() + patience.toNanos();
        long left = patience.toMillis();
        while (left > 0 && !kinds(asked, kind -> isAwaited(asked, kind)).isEmpty()) {
            wait(Math.min(left, 100)); // a state may change before the listener is told
            left = (end - System.nanoTime()) / 1_000_000;
        }
    }

    private static List<IdentifierKind> kinds(AvailabilityChecker asked, Predicate<IdentifierKind> wanted) {
        return asked.kinds().stream().filter(wanted).toList();
    }

    private static boolean isAwaited(AvailabilityChecker asked, IdentifierKind kind) {
        return asked.state(kind) != KindState.READY && !isAwaitedInVain(asked.stats(kind));
    }

    private static boolean isAwaitedInVain(KindStats stats) {
        return stats.obstacles().stream().anyMatch(LASTING::contains);
    }
}
