package io.github.untaken;

import io.github.untaken.memory.Generation;
import io.github.untaken.memory.OddSpellings;
import io.github.untaken.memory.Spelling;
import io.github.untaken.memory.Whitelist;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The serving generation, the one being built, and how far they are trusted. Every change of them and of the {@link View}
 * happens here, under one lock, which is never held during I/O; reading takes none.
 *
 * <p>A doubt is anything that may have put rows into the store which no event told of. Doubts are counted; a scan dispels
 * those that were there when its barrier began, and if more have come since, the kind is not {@code READY} after the swap.
 */
final class Generations {
    private static final System.Logger LOG = System.getLogger("io.github.untaken");

    private static final Duration WARNED_FOR = Duration.ofHours(1);

    /** What keeps a kind from answering from memory, however complete its picture is. */
    enum Obstacle {
        /** The database holds equal what the key function tells apart. */
        COARSER_DATABASE(false),
        /** Another process may be writing, and tells nobody here. */
        OTHER_PROCESS(true),
        /** What others write is not heard of. */
        LOG_NOT_FOLLOWED(true);

        /** Whether identifiers may be written meanwhile that memory is not told of. */
        private final boolean hidesWrites;

        Obstacle(boolean hidesWrites) {
            this.hidesWrites = hidesWrites;
        }
    }

    /** What a scan begun at some moment can dispel. */
    record Baseline(long doubts, boolean dispels) {}

    private final IdentifierKind kind;
    private final RegistrySettings settings;
    private final Whitelist whitelist;
    private final Consumer<Duration> rebuilds;

    private volatile View view = View.warming();
    private volatile @Nullable Generation building;
    private volatile boolean holdsKeys;
    private int oddTold; // guarded by this; how many odd spellings a message has spoken of
    private long doubts; // guarded by this
    private int openDoubts; // guarded by this; work under way of which not every key is known
    private final Map<Obstacle, String> obstacles = new EnumMap<>(Obstacle.class); // guarded by this
    private long distrustedUntil; // guarded by this; a scan begun earlier dispels nothing
    private String warnedOf = ""; // guarded by this; the last cause that was a warning
    private long warnedAt; // guarded by this

    /**
     * Empty and warming.
     *
     * @param rebuilds asked for a rebuild after the given delay; must not block
     * @param holdsKeys whether every stored value is its own key, as is said
     */
    Generations(
            IdentifierKind kind,
            RegistrySettings settings,
            Whitelist whitelist,
            Consumer<Duration> rebuilds,
            boolean holdsKeys) {
        this.kind = kind;
        this.settings = settings;
        this.whitelist = whitelist;
        this.rebuilds = rebuilds;
        this.holdsKeys = holdsKeys;
        this.distrustedUntil = now();
    }

    private long now() {
        return settings.nanoTime().getAsLong();
    }

    View view() {
        return view;
    }

    /** The very same view: an equal one may be another that came after it. */
    @SuppressWarnings("ReferenceEquality")
    boolean unchanged(View seen) {
        return view == seen;
    }

    // ---------------------------------------------------------------- keys

    /** Adds the key of a committed value to every generation there is; each is asked for itself whether it has it. */
    synchronized void add(String key, Spelling spelling) {
        boolean room = addTo(view.serving(), key, spelling);
        room &= addTo(building, key, spelling);
        if (!room) {
            lose("the membership filter is full");
        }
        if (view.serving() == null && building == null && spelling != Spelling.KEY) {
            breakWord(); // the scan to come will tell whether it is odd
        }
        lookAtOddSpellings(view.serving());
        lookAtOddSpellings(building);
    }

    /** Whether a key that is in no exact set would be called free by what serves, or missed by the scan under way. */
    boolean wouldForget(String key) {
        Generation serving = view.serving();
        Generation asked = serving == null ? building : serving;
        return asked != null && !asked.mightContain(key);
    }

    private static boolean addTo(@Nullable Generation generation, String key, Spelling spelling) {
        return generation == null || generation.add(key, spelling);
    }

    /** Whether a stored value of this key is not found by it. */
    boolean isOdd(String key) {
        Generation serving = view.serving();
        Generation next = building;
        return serving != null && serving.isOdd(key) || next != null && next.isOdd(key);
    }

    /** Whether the column holds nothing but keys, by the word of whoever mapped it, which nothing has broken. */
    boolean holdsKeys() {
        return holdsKeys;
    }

    /** A warning once there is one, or many, or too many; and nobody's word against what was seen. */
    synchronized void lookAtOddSpellings(@Nullable Generation in) {
        if (in == null || in.odd().isEmpty() && !in.odd().isFull()) {
            return;
        }
        OddSpellings odd = in.odd();
        breakWord();
        int many = Math.max(1, odd.limit() / 10);
        int worth = odd.isFull() ? odd.limit() + 1 : odd.size() >= many ? many : 1;
        if (worth > oddTold) {
            oddTold = worth;
            LOG.log(
                    worth == 1 ? System.Logger.Level.INFO : System.Logger.Level.WARNING,
                    "At least {0} stored values of kind {1} are not found by their key, which is therefore kept exactly; room is for"
                            + " {2}, and beyond, names that the filter suspects are neither taken nor free. Store the key in the"
                            + " annotated attribute and the display form in another.",
                    worth,
                    kind,
                    odd.limit());
        }
    }

    /** What serves has kept no capitals where the store found them by small letters. Where it no longer does, they are nowhere. */
    synchronized void lookAtFolding(boolean folds) {
        Generation serving = view.serving();
        if (serving != null && serving.foldsAsciiCase() && !folds) {
            distrust("the database no longer holds capitals and small letters equal, as it did when memory was filled");
        }
    }

    /** The attribute was said to hold keys, and a value is none. */
    synchronized void breakWord() {
        if (holdsKeys) {
            holdsKeys = false;
            LOG.log(
                    System.Logger.Level.WARNING,
                    "The attribute of kind {0} was said to hold keys, but a stored value is none that the database finds by its key."
                            + " From now on an \"absent\" of the database counts only once a scan has ended.",
                    kind);
        }
    }

    /** Notes that a committed row of the key is gone, whose entry stays until the next generation. */
    void noteStale(String key) {
        Generation serving = view.serving();
        if (serving != null && serving.mightContain(key)) {
            serving.noteStale();
        }
    }

    /** Whether a value written now would be odd. */
    boolean isOdd(Spelling spelling) {
        Generation serving = view.serving();
        return spelling.isOdd(serving != null && serving.foldsAsciiCase());
    }

    // ---------------------------------------------------------------- trust

    /** Something may have been missed: from now on the store answers, until a rebuild that begins after this. */
    synchronized void loseTrust(String reason) {
        lose(reason);
    }

    /** As {@link #loseTrust}, and no rebuild counts that begins before {@link #closeDoubt}. */
    synchronized void openDoubt(String reason) {
        openDoubts++;
        lose(reason);
    }

    /** @param outcomeKnown otherwise the work may still be committed, and trust waits for as long as a doubtful key does */
    synchronized void closeDoubt(boolean outcomeKnown) {
        openDoubts--;
        if (!outcomeKnown) {
            distrustedUntil = now() + settings.doubtLifetime().toNanos();
        }
        lose(view.cause());
    }

    /** As {@link #loseTrust}, for as long as a doubtful key would have been kept. */
    synchronized void loseTrustForDoubtLifetime(String reason) {
        distrustedUntil = now() + settings.doubtLifetime().toNanos();
        lose(reason);
    }

    private void lose(String reason) {
        distrust(reason);
        if (view.state() != KindState.CLOSED) {
            requestRebuild();
        }
    }

    /** As {@link #loseTrust}, except that the caller asks for the rebuild. */
    synchronized void distrust(String reason) {
        doubts++;
        if (view.state() != KindState.CLOSED) {
            show(view.degraded(reason));
        }
    }

    /** Memory as it was seen is too old to be believed. No doubt: a scan under way, or the next, makes it young again. */
    synchronized void outdated(View seen, String reason) {
        if (unchanged(seen) && seen.ready()) {
            show(view.degraded(reason));
        }
    }

    /** The store answers until the obstacle is lifted and a rebuild that begins after that has finished. */
    synchronized void raise(Obstacle obstacle, String reason) {
        if (reason.equals(obstacles.put(obstacle, reason))) {
            return;
        }
        if (obstacle.hidesWrites) {
            distrust(reason);
        } else if (view.state() != KindState.CLOSED) {
            show(view.obstructed(reason));
        }
    }

    /** True if there was such an obstacle: then it is for the caller to see to a rebuild that begins after this. */
    synchronized boolean lift(Obstacle obstacle) {
        boolean stood = obstacles.remove(obstacle) != null;
        if (stood) {
            doubts++; // a scan under way may have missed what was written while it stood
        }
        return stood;
    }

    /** Whether it keeps the kind from answering from memory. */
    synchronized boolean isRaised(Obstacle obstacle) {
        return obstacles.containsKey(obstacle);
    }

    private void requestRebuild() {
        if (openDoubts == 0) {
            rebuilds.accept(untilTrusted());
        }
    }

    private Duration untilTrusted() {
        return Duration.ofNanos(Math.max(0, distrustedUntil - now()));
    }

    // ---------------------------------------------------------------- rebuilding

    /** From now on the generation receives every addition. */
    synchronized Baseline beginBuilding(Generation next) {
        building = next;
        return new Baseline(doubts, openDoubts == 0 && untilTrusted().isZero());
    }

    /**
     * Whether what is being built has received every addition, no doubt has come since, nor was there one that a rebuild begun then could
     * not dispel.
     */
    synchronized boolean standsAs(Generation next, Baseline baseline) {
        return isBuilding(next) && baseline.dispels() && baseline.doubts() == doubts;
    }

    @SuppressWarnings("ReferenceEquality") // each is another
    private boolean isBuilding(Generation next) {
        return building == next;
    }

    /** Swaps the finished generation in; {@code READY} only if no doubt has come since its barrier began. */
    synchronized void finishBuilding(Generation next, Baseline baseline) {
        boolean dispelled = standsAs(next, baseline);
        building = null;
        View before = view;
        if (before.state() == KindState.CLOSED) {
            return;
        }
        lookAtOddSpellings(next);
        long epoch = before.epoch() + 1;
        if (!obstacles.isEmpty()) {
            String reason = obstacles.values().iterator().next();
            boolean complete = dispelled && obstacles.keySet().stream().noneMatch(one -> one.hidesWrites);
            show(new View(KindState.DEGRADED, reason, "", epoch, complete, next));
        } else if (dispelled) {
            show(new View(KindState.READY, "", "", epoch, true, next));
        } else {
            show(new View(KindState.DEGRADED, before.cause(), "", epoch, false, next));
            requestRebuild();
        }
    }

    /** @param setback why it does not reach its end, and what follows */
    synchronized void abandonBuilding(String setback) {
        building = null;
        if (!view.ready() && view.state() != KindState.CLOSED) {
            show(view.setBack(setback));
        }
    }

    synchronized void close() {
        show(view.closed());
        building = null;
    }

    /** Call with the lock held. */
    private void show(View next) {
        View before = view;
        view = next;
        if (next.epoch() != before.epoch()) {
            whitelist.clear();
        }
        if (next.state() != before.state() || !next.reason().equals(before.reason())) {
            tell(next);
        }
    }

    /** Whoever changes the view has more to do, such as asking for the rebuild that mends it; a log that fails must not prevent it. */
    private void tell(View next) {
        try {
            LOG.log(
                    isWarning(next) ? System.Logger.Level.WARNING : System.Logger.Level.INFO,
                    "Registry of kind {0} is {1}{2}",
                    kind,
                    next.state(),
                    next.reason().isEmpty() ? "" : ": " + next.reason());
            settings.listener().stateChanged(kind, next.state(), next.reason());
        } catch (RuntimeException | Error e) {
            // There is nobody left to tell.
        }
    }

    /** What happens all day long, such as bulk work, is a warning once an hour. */
    private boolean isWarning(View next) {
        if (next.state() != KindState.DEGRADED) {
            return false;
        }
        long now = now();
        boolean known = next.cause().equals(warnedOf) && now - warnedAt < WARNED_FOR.toNanos();
        if (!known) {
            warnedOf = next.cause();
            warnedAt = now;
        }
        return !known;
    }
}
