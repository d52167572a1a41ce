package io.github.untaken.store;

import io.github.untaken.store.Errands.Errand;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One task that is tried again and again, one try at a time. A try that does not come back is repeated on another
 * thread, as long as only a few are lost: a new connection may work where an old one hangs. Thread-safe.
 */
public final class Attempts {
    private final Executor threads;
    private final Errands errands;
    private final Duration patience;
    private final AtomicReference<@Nullable Errand> last = new AtomicReference<>(); // under way

    /** @param patience how long a try may take */
    public Attempts(Executor threads, Duration patience) {
        this.threads = threads;
        this.errands = new Errands(threads);
        this.patience = patience;
    }

    /** Whether the last try does not come back. */
    public boolean areLate() {
        Errand errand = last.get();
        return errand != null && errand.isRefused();
    }

    /**
     * Starts another try, unless one is under way or too many are lost.
     *
     * @param question asked on a thread of its own; what it returns runs there if the answer comes in time, and throws
     *     nothing
     * @param disowned runs on the ticking thread if the answer does not come in time, and on the question's thread if
     *     that throws
     */
    public void begin(Supplier<Runnable> question, Runnable disowned) {
        Errand before = last.get();
        if (before != null && (!before.isRefused() || errands.areTooManyAway())) {
            return;
        }
        Errand errand = errands.begin(patience, disowned);
        last.set(errand);
        try {
            threads.execute(() -> ask(errand, question, disowned));
        } catch (RuntimeException | Error e) {
            boolean unused = errand.back();
            last.compareAndSet(errand, null);
            throw e;
        }
    }

    /** The next try starts only after this one's result was applied: an older answer must not undo a newer one. */
    private void ask(Errand errand, Supplier<Runnable> question, Runnable disowned) {
        Runnable follows = disowned;
        try {
            follows = question.get();
        } finally {
            try {
                if (errand.back()) {
                    follows.run();
                }
            } finally {
                last.compareAndSet(errand, null);
            }
        }
    }

    /** This much time has passed. */
    public void tick(Duration time) {
        errands.tick(time);
    }
}
