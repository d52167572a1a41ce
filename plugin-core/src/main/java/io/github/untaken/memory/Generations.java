package io.github.untaken.memory;

import io.github.untaken.CheckListener;
import io.github.untaken.IdentifierKind;
import io.github.untaken.KindState;
import io.github.untaken.Obstacle;
import io.github.untaken.fault.FaultLog;
import java.time.Duration;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The living generations, serving and newborn, and whether memory may answer. Every change of the {@link View} happens
 * here, under one lock, which is never held during I/O. Reading takes no lock.
 *
 * <p>Whatever may have stored names untold is <em>unseen</em>, and counted. Memory answers again once a generation
 * serves that was born after the last of it was over.
 */
public final class Generations {
    private static final FaultLog LOG = new FaultLog("io.github.untaken");
    private static final Duration WARNED_FOR = Duration.ofHours(1);

    private final IdentifierKind kind;
    private final CheckListener listener;
    private final LongSupplier nanoTime;
    private final Consumer<Duration> births;

    private volatile View view = View.warming();
    private volatile View unseen = view; // replaces the present view when needed; made in advance
    private volatile List<Generation> living = List.of(); // the serving one and the newborn, as far as they exist
    private @Nullable Generation newborn; // guarded by this
    private long raised; // guarded by this; how often something unseen was reported
    private int blocking; // guarded by this; open tellings that keep births from beginning
    private boolean awaited; // guarded by this; a birth was refused because of them
    private final Map<Obstacle, String> obstacles = new EnumMap<>(Obstacle.class); // guarded by this
    private String warnedOf = ""; // guarded by this; the last cause logged as a warning
    private long warnedAt; // guarded by this

    /**
     * Warming, without a generation.
     *
     * @param listener must not block
     * @param births asked for a scan after the given delay; must not block
     */
    public Generations(IdentifierKind kind, CheckListener listener, LongSupplier nanoTime, Consumer<Duration> births) {
        this.kind = kind;
        this.listener = listener;
        this.nanoTime = nanoTime;
        this.births = births;
    }

    public View view() {
        return view;
    }

    /** Whether the view is the same object: an equal view may be a later one. */
    @SuppressWarnings("ReferenceEquality")
    public boolean unchanged(View seen) {
        return view == seen;
    }

    /** Whether this generation still serves and is trusted. */
    @SuppressWarnings("ReferenceEquality") // identity is meant
    public boolean serves(Generation one) {
        View seen = view;
        return seen.ready() && seen.serving() == one;
    }

    /** The generations to tell of everything. Whoever tells must enter the open set before reading this. */
    public List<Generation> living() {
        return living;
    }

    // ---------------------------------------------------------------- trust

    private static final String UNSEEN = "a write whose identifiers are not known is under way, or has been made";

    /** Names may have been stored untold. Allocates nothing, so it works on a full heap. */
    public synchronized void raiseUnseen() {
        raised++;
        if (view.ready()) {
            show(unseen);
        }
    }

    /** As {@link #raiseUnseen}, with a reason of its own; also asks for a birth. */
    public void loseTrust(String reason) {
        distrust(reason);
        births.accept(Duration.ZERO);
    }

    /** As {@link #loseTrust}, except that the caller asks for the birth. */
    public synchronized void distrust(String reason) {
        distrusted(obstacles.isEmpty() ? reason : view.cause()); // an obstacle, which no birth mends, matters more
    }

    private void distrusted(String cause) {
        raised++;
        if (view.state() != KindState.CLOSED) {
            show(view.degraded(cause));
        }
    }

    /** No birth begins until the matching {@link #unblock}. Allocates nothing, as {@link #raiseUnseen}. */
    synchronized void block() {
        blocking++;
    }

    /** Ends one {@link #block}. From now on a birth can see what was unseen. */
    void unblock() {
        boolean wanted;
        synchronized (this) {
            blocking--;
            wanted = blocking == 0 && (awaited || !view.ready());
            awaited &= blocking != 0;
        }
        if (wanted) {
            births.accept(Duration.ZERO);
        }
    }

    /** What kept a birth from beginning may be gone. */
    public void requestBirth() {
        births.accept(Duration.ZERO);
    }

    /** The view that was seen is too old to be trusted. The scan under way, or the next, renews it. */
    public synchronized void outdated(View seen, String reason) {
        if (unchanged(seen) && seen.ready()) {
            show(view.degraded(reason));
        }
    }

    /** The store answers until the obstacle is lifted and a birth that begins after that has ended. */
    public synchronized void raise(Obstacle obstacle, String reason) {
        if (!reason.equals(obstacles.put(obstacle, reason))) {
            distrusted(reason);
        }
    }

    /** True if the obstacle stood; the caller must then see to a birth that begins after this call. */
    public synchronized boolean lift(Obstacle obstacle) {
        boolean stood = obstacles.remove(obstacle) != null;
        if (stood) {
            raised++; // a scan under way may have missed what was written meanwhile
        }
        return stood;
    }

    /** What keeps the kind from answering from memory now. */
    public synchronized Set<Obstacle> obstacles() {
        return obstacles.isEmpty() ? Set.of() : EnumSet.copyOf(obstacles.keySet());
    }

    /** Whether memory does not answer, but a birth that began now might change that. */
    public synchronized boolean mayBeMended() {
        return !view.ready() && view.state() != KindState.CLOSED && obstacles.isEmpty() && blocking == 0;
    }

    // ---------------------------------------------------------------- births

    /**
     * Lists a newborn, which is told of everything from now on. Returns the count of unseen work so far, or a negative
     * number if no birth may begin now; one is then asked for as soon as it may.
     */
    synchronized long list(Generation next) {
        if (blocking > 0) {
            awaited = true;
            return -1;
        }
        newborn = next;
        Generation serving = view.serving();
        living = serving == null ? List.of(next) : List.of(serving, next);
        return raised;
    }

    /** Whether this is still the newborn, and nothing unseen has come since it was listed. */
    @SuppressWarnings("ReferenceEquality")
    public synchronized boolean standsAs(Generation next, long baseline) {
        return newborn == next && baseline == raised;
    }

    /**
     * The newborn's scan has ended and it serves; {@code READY} only if nothing unseen has come since it was listed.
     */
    public synchronized void serve(Generation next, long baseline) {
        boolean complete = standsAs(next, baseline);
        View before = view;
        newborn = null;
        if (before.state() == KindState.CLOSED) {
            living = List.of();
            return;
        }
        if (!obstacles.isEmpty()) {
            String reason = obstacles.values().iterator().next();
            show(new View(KindState.DEGRADED, reason, "", next));
        } else if (complete) {
            View ready = View.ready(next);
            unseen = ready.degraded(UNSEEN);
            show(ready);
        } else {
            show(new View(KindState.DEGRADED, before.ready() ? UNSEEN : before.cause(), "", next));
            births.accept(Duration.ZERO);
        }
        // After the view: until then a check may still be asking the previous generation, which must be told.
        living = List.of(next);
    }

    /** The newborn replaces the serving generation whose filter it shares, if memory still answers. */
    @SuppressWarnings("ReferenceEquality")
    public synchronized void renew(Generation serving, Generation next) {
        if (newborn != next) {
            return;
        }
        if (!serves(serving)) {
            return;
        }
        newborn = null;
        View ready = View.ready(next);
        unseen = ready.degraded(UNSEEN);
        view = ready; // not shown: nothing changes for observers of the state
        living = List.of(next); // after the view, as in serve
    }

    /** Gives this generation up, if it is still the newborn. */
    @SuppressWarnings("ReferenceEquality")
    public synchronized void abandon(Generation next) {
        if (newborn == next) {
            abandon();
        }
    }

    private void abandon() {
        newborn = null;
        Generation serving = view.serving();
        living = serving == null ? List.of() : List.of(serving);
    }

    /**
     * Gives up the newborn, whichever it is.
     *
     * @param setback why it failed, and what follows
     */
    public synchronized void abandon(String setback) {
        abandon();
        if (!view.ready() && view.state() != KindState.CLOSED) {
            show(view.setBack(setback));
        }
    }

    public synchronized void close() {
        show(view.closed());
        abandon();
    }

    /** Call with the lock held. */
    private void show(View next) {
        View before = view;
        view = next;
        if (next.state() != before.state() || !next.reason().equals(before.reason())) {
            tell(next);
        }
    }

    /**
     * Waits for neither the log nor a listener: a lock is held here, often by one of the application's threads. Whoever
     * changes the view still has work to do, such as asking for the birth that mends it; a failure here must not
     * prevent that.
     */
    private void tell(View next) {
        try {
            System.Logger.Level level = isWarning(next) ? System.Logger.Level.WARNING : System.Logger.Level.INFO;
            LOG.say(
                    level,
                    "Registry of kind {0} is {1}{2}",
                    kind,
                    next.state(),
                    next.reason().isEmpty() ? "" : ": " + next.reason());
            listener.stateChanged(kind, next.state(), next.reason());
        } catch (RuntimeException | Error e) {
            // There is no one left to tell.
        }
    }

    /** Causes that recur all day, such as bulk work, are a warning once an hour. */
    private boolean isWarning(View next) {
        if (next.state() != KindState.DEGRADED) {
            return false;
        }
        long now = nanoTime.getAsLong();
        boolean known = next.cause().equals(warnedOf) && now - warnedAt < WARNED_FOR.toNanos();
        if (!known) {
            warnedOf = next.cause();
            warnedAt = now;
        }
        return !known;
    }
}
