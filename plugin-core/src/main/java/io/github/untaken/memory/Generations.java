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
 * The living generations, the serving one and the newborn, and whether memory may answer. Every change of the {@link View} happens
 * here, under one lock, which is never held during I/O; reading takes none.
 *
 * <p>Whatever may have put names into the store that nobody told of is <em>unseen</em>, and counted: memory answers once a generation
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
    private volatile View unseen = view; // the view with which the present one is replaced, made beforehand
    private volatile List<Generation> living = List.of(); // the serving one and the newborn, if there are any
    private @Nullable Generation newborn; // guarded by this
    private long raised; // guarded by this; how often something unseen was heard of
    private int blocking; // guarded by this; open tellings beside which no birth begins
    private boolean awaited; // guarded by this; a birth was refused because of them
    private final Map<Obstacle, String> obstacles = new EnumMap<>(Obstacle.class); // guarded by this
    private String warnedOf = ""; // guarded by this; the last cause that was a warning
    private long warnedAt; // guarded by this

    /**
     * Empty and warming.
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

    /** The very same view: an equal one may be another that came after it. */
    @SuppressWarnings("ReferenceEquality")
    public boolean unchanged(View seen) {
        return view == seen;
    }

    /** Whether this generation still serves and is believed. */
    @SuppressWarnings("ReferenceEquality") // each is another
    public boolean serves(Generation one) {
        View seen = view;
        return seen.ready() && seen.serving() == one;
    }

    /** Those that are told of everything; to be asked after whoever tells has entered the open set. */
    public List<Generation> living() {
        return living;
    }

    // ---------------------------------------------------------------- trust

    private static final String UNSEEN = "a write whose identifiers are not known is under way, or has been made";

    /** Names may have been stored of which nobody told. Makes nothing, so that it works on a full heap. */
    public synchronized void raiseUnseen() {
        raised++;
        if (view.ready()) {
            show(unseen);
        }
    }

    /** As {@link #raiseUnseen}, for a reason of its own; a birth is asked for. */
    public void loseTrust(String reason) {
        distrust(reason);
        births.accept(Duration.ZERO);
    }

    /** As {@link #loseTrust}, except that the caller asks for the birth. */
    public synchronized void distrust(String reason) {
        distrusted(obstacles.isEmpty() ? reason : view.cause()); // what no birth mends is what people have to know
    }

    private void distrusted(String cause) {
        raised++;
        if (view.state() != KindState.CLOSED) {
            show(view.degraded(cause));
        }
    }

    /** Beside something that is open now no birth begins. Makes nothing, as {@link #raiseUnseen}. */
    synchronized void block() {
        blocking++;
    }

    /** It is over. What was unseen is in sight of a birth from now on. */
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

    /** Whatever kept one from beginning may not do so any more. */
    public void requestBirth() {
        births.accept(Duration.ZERO);
    }

    /** Memory as it was seen is too old to be believed. A scan under way, or the next, makes it young again. */
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

    /** True if there was such an obstacle: then it is for the caller to see to a birth that begins after this. */
    public synchronized boolean lift(Obstacle obstacle) {
        boolean stood = obstacles.remove(obstacle) != null;
        if (stood) {
            raised++; // a scan under way may have missed what was written while it stood
        }
        return stood;
    }

    /** Those that keep the kind from answering from memory now. */
    public synchronized Set<Obstacle> obstacles() {
        return obstacles.isEmpty() ? Set.of() : EnumSet.copyOf(obstacles.keySet());
    }

    /** Whether memory does not answer and a birth, if one began now, might change that. */
    public synchronized boolean mayBeMended() {
        return !view.ready() && view.state() != KindState.CLOSED && obstacles.isEmpty() && blocking == 0;
    }

    // ---------------------------------------------------------------- births

    /**
     * Lists a newborn: from now on it is told of everything. Returns how much unseen there was before, or a negative number if no birth
     * may begin now; then one is asked for as soon as it may.
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

    /** Whether this is the newborn, and nothing unseen has come since it was listed. */
    @SuppressWarnings("ReferenceEquality")
    public synchronized boolean standsAs(Generation next, long baseline) {
        return newborn == next && baseline == raised;
    }

    /** The newborn has been scanned for and serves; {@code READY} only if nothing unseen has come since it was listed. */
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
        // After the view: until then somebody may still be asking the one before, which must be told.
        living = List.of(next);
    }

    /** The newborn takes the place of the serving one whose filter it shares, if memory still answers. */
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
        view = ready; // as it was, to whoever watches the state
        living = List.of(next); // after the view, as in serve
    }

    /** This one is given up, if it is a newborn still. */
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
     * The newborn is given up, whichever it is.
     *
     * @param setback why it does not reach its end, and what follows
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
     * Neither waits for the log nor for a listener: here a lock is held, often by a thread of the application's. Whoever changes the view
     * has more to do, such as asking for the birth that mends it; what fails here must not prevent it.
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
            // There is nobody left to tell.
        }
    }

    /** What happens all day long, such as bulk work, is a warning once an hour. */
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
