package io.github.untaken;

import io.github.untaken.spi.IdentifierKind;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;
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

    /** What keeps a kind from answering from memory, however complete its picture is. */
    enum Obstacle {
        /** The database holds equal what the key function tells apart. */
        COARSER_DATABASE,
        /** Another process may be writing, and tells nobody here. */
        OTHER_PROCESS
    }

    /** What a scan begun at some moment can dispel. */
    record Baseline(long doubts, boolean dispels) {}

    private final IdentifierKind kind;
    private final RegistrySettings settings;
    private final Whitelist whitelist;
    private final Consumer<Duration> rebuilds;
    private final CompletableFuture<Void> spellingsProbed = new CompletableFuture<>();

    private volatile View view = View.warming();
    private volatile @Nullable Generation building;
    private volatile boolean absenceTrusted;
    /** What is noted while nothing serves; a generation that is abandoned takes its notes with it. */
    private final NonCanonicalKeys early = new NonCanonicalKeys();

    private volatile boolean spellingsMatter;
    private boolean spellingsUncounted; // guarded by this; values that are not their own key were written and not noted
    private long doubts; // guarded by this
    private int openDoubts; // guarded by this; work under way of which not every key is known
    private final Map<Obstacle, String> obstacles = new EnumMap<>(Obstacle.class); // guarded by this
    private long distrustedUntil; // guarded by this; a scan begun earlier dispels nothing

    /** @param rebuilds asked for a rebuild after the given delay; must not block */
    Generations(IdentifierKind kind, RegistrySettings settings, Whitelist whitelist, Consumer<Duration> rebuilds) {
        this.kind = kind;
        this.settings = settings;
        this.whitelist = whitelist;
        this.rebuilds = rebuilds;
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

    /** Adds copies of a committed key to every generation. */
    synchronized void add(String key, int copies) {
        boolean room = addTo(view.serving(), key, copies);
        room &= addTo(building, key, copies);
        if (!room) {
            lose("the membership filter is full");
        }
    }

    /**
     * Adds a key whose row was written with the key it was read with. Its copy is there, unless a removal took it out in
     * between; the generation being built takes one always, for its scan may have seen the row under another name.
     */
    synchronized void addUnlessThere(String key) {
        Generation serving = view.serving();
        boolean room = addTo(building, key, 1);
        if (serving != null && (serving.lacksCopyOf(key) || !serving.mightContain(key))) {
            room &= addTo(serving, key, 1);
        }
        if (!room) {
            lose("the membership filter is full");
        }
    }

    /**
     * Adds a key that is committed but that no event counted. The generation being built takes it always, for its scan may
     * have passed; the serving one if it says no. From then on no removal is safe there: the copy may belong to another key.
     */
    synchronized void addUncounted(String key) {
        Generation serving = view.serving();
        boolean room = addTo(building, key, 1);
        if (serving != null) {
            serving.refuseRemovals();
            room &= serving.mightContain(key) || addTo(serving, key, 1);
        }
        if (!room) {
            lose("the membership filter is full");
        }
    }

    /** Whether a key that is in no exact set would be called free by what serves, or missed by the scan under way. */
    boolean wouldForget(String key) {
        Generation serving = view.serving();
        Generation asked = serving == null ? building : serving;
        return asked != null && !asked.mightContain(key);
    }

    private static boolean addTo(@Nullable Generation generation, String key, int copies) {
        if (generation == null) {
            return true;
        }
        for (int i = 0; i < copies; i++) {
            if (!generation.add(key)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Takes one copy of a key out of the serving generation.
     *
     * @param epoch when the removal was told of; had anything been swapped or lost since, nothing is removed
     * @param proof asked under the lock
     */
    synchronized boolean remove(String key, long epoch, BooleanSupplier proof) {
        View now = view;
        Generation serving = now.serving();
        return now.ready() && serving != null && now.epoch() == epoch && proof.getAsBoolean() && serving.remove(key);
    }

    /** Notes that a value written is not its own key. */
    synchronized void noteNonCanonical(String key) {
        Generation serving = view.serving();
        Generation next = building;
        if (next != null) {
            next.nonCanonical().note(key);
        }
        spellingsMatter = true;
        NonCanonicalKeys present = serving == null ? early : serving.nonCanonical();
        present.note(key);
        if (present.isFull()) {
            absenceTrusted = false;
            lose(tooManyNonCanonical());
        }
    }

    /** A value that is not its own key is written by work whose keys are not followed: no "absent" can be believed. */
    synchronized void distrustSpellings() {
        Generation serving = view.serving();
        if (serving == null || !serving.nonCanonical().needsNone()) {
            spellingsUncounted = true;
            absenceTrusted = false;
        }
    }

    /** Whether any value that is not its own key has been seen, so that exact notes, not the store alone, tell of absence. */
    boolean spellingsMatter() {
        return spellingsMatter;
    }

    boolean knownNonCanonical(String key) {
        Generation serving = view.serving();
        Generation next = building;
        return (serving == null ? early : serving.nonCanonical()).contains(key)
                || (next != null && next.nonCanonical().contains(key));
    }

    private String tooManyNonCanonical() {
        return "more than " + NonCanonicalKeys.LIMIT + " stored values of kind " + kind
                + " are not their own key: store the key in the annotated attribute and the display form in another, or"
                + " give the store a predicate that folds like the normalizer";
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
        lose(view.reason());
    }

    /** As {@link #loseTrust}, for as long as a doubtful key would have been kept. */
    synchronized void loseTrustForDoubtLifetime(String reason) {
        distrustedUntil = now() + settings.doubtLifetime().toNanos();
        lose(reason);
    }

    private void lose(String reason) {
        distrust(reason);
        if (view.state() != RegistryState.CLOSED) {
            requestRebuild();
        }
    }

    /** As {@link #loseTrust}, except that the caller asks for the rebuild. */
    synchronized void distrust(String reason) {
        doubts++;
        if (view.state() != RegistryState.CLOSED) {
            show(view.degraded(reason));
        }
    }

    /** The store answers until the obstacle is lifted and a rebuild that begins after that has finished. */
    synchronized void raise(Obstacle obstacle, String reason) {
        if (!reason.equals(obstacles.put(obstacle, reason))) {
            distrust(reason);
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

    private void requestRebuild() {
        if (openDoubts == 0) {
            rebuilds.accept(untilTrusted());
        }
    }

    private Duration untilTrusted() {
        return Duration.ofNanos(Math.max(0, distrustedUntil - now()));
    }

    /**
     * Waits until it is known whether the store's "absent" can be trusted, for some spelling may be invisible to it; false if
     * it is not known in time.
     */
    boolean awaitAbsenceTrusted(long nanos) throws InterruptedException {
        if (!absenceTrusted) {
            try {
                spellingsProbed.get(Math.max(0, nanos), TimeUnit.NANOSECONDS);
            } catch (TimeoutException | ExecutionException e) {
                return false;
            }
        }
        return absenceTrusted;
    }

    // ---------------------------------------------------------------- rebuilding

    void spellingsProbed(boolean absenceIsTrusted) {
        absenceTrusted |= absenceIsTrusted && !early.isFull() && !spellingsUncounted;
        spellingsProbed.complete(null);
    }

    /** From now on the generation receives every addition. */
    synchronized Baseline beginBuilding(Generation next) {
        building = next;
        return new Baseline(doubts, openDoubts == 0 && untilTrusted().isZero());
    }

    /**
     * Swaps the finished generation in; {@code READY} only if no doubt has come since its barrier began.
     *
     * @param unsettled whether a key is pending or doubtful: its row may come after the scan, so what is known of its
     *     spelling is kept
     */
    synchronized void finishBuilding(Generation next, Baseline baseline, Predicate<String> unsettled) {
        building = null;
        View before = view;
        if (before.state() == RegistryState.CLOSED) {
            return;
        }
        Generation serving = before.serving();
        if (serving != null) {
            next.remember(serving);
        }
        (serving == null ? early : serving.nonCanonical()).copyTo(next.nonCanonical(), unsettled);
        spellingsMatter |= !next.nonCanonical().isEmpty();
        boolean dispelled = baseline.dispels() && baseline.doubts() == doubts;
        spellingsUncounted &= !dispelled && !next.nonCanonical().needsNone();
        absenceTrusted = !next.nonCanonical().isFull() && !spellingsUncounted;
        if (next.nonCanonical().isFull()) {
            show(new View(RegistryState.DEGRADED, tooManyNonCanonical(), before.epoch() + 1, next));
        } else if (!obstacles.isEmpty()) {
            String standing = obstacles.values().iterator().next();
            show(new View(RegistryState.DEGRADED, standing, before.epoch() + 1, next));
        } else if (dispelled) {
            show(new View(RegistryState.READY, "", before.epoch() + 1, next));
        } else {
            show(new View(RegistryState.DEGRADED, before.reason(), before.epoch() + 1, next));
            requestRebuild();
        }
    }

    synchronized void abandonBuilding(String reason) {
        building = null;
        if (!view.ready() && view.state() != RegistryState.CLOSED) {
            show(view.because(reason));
        }
    }

    synchronized void close() {
        show(view.closed());
        building = null;
        spellingsProbed.complete(null);
    }

    /** Call with the lock held. */
    private void show(View next) {
        View before = view;
        view = next;
        if (next.epoch() != before.epoch()) {
            whitelist.clear();
        }
        if (next.state() != before.state() || !next.reason().equals(before.reason())) {
            LOG.log(
                    System.Logger.Level.INFO,
                    "Registry of kind {0} is {1}{2}",
                    kind,
                    next.state(),
                    next.reason().isEmpty() ? "" : ": " + next.reason());
            settings.listener().stateChanged(kind, next.state(), next.reason());
        }
    }
}
