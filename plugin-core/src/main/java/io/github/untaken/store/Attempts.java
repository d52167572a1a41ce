package io.github.untaken.store;

import io.github.untaken.store.Errands.Errand;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One thing that is tried again and again, once at a time. One that does not come back is tried anew, on another thread, while no more
 * than a few are lost: new connections may work where an old one hangs. Thread-safe.
 */
public final class Attempts {
    private final Executor threads;
    private final Errands errands;
    private final Duration patience;
    private final AtomicReference<@Nullable Errand> last = new AtomicReference<>(); // under way

    /** @param patience how long one may take */
    public Attempts(Executor threads, Duration patience) {
        this.threads = threads;
        this.errands = new Errands(threads);
        this.patience = patience;
    }

    /** Whether the last one does not come back. */
    public boolean areLate() {
        Errand errand = last.get();
        return errand != null && errand.isRefused();
    }

    /**
     * Begins another, unless one is under way or too many are lost.
     *
     * @param question asked on a thread of its own; what it returns runs there if the answer comes in time, and throws nothing
     * @param disowned runs on the thread of the ticks if it does not, and on that of the question if that throws
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

    /** The next begins only when this one has been heeded: an older answer must not undo what a newer one has led to. */
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

    /** So much time has passed. */
    public void tick(Duration time) {
        errands.tick(time);
    }
}
