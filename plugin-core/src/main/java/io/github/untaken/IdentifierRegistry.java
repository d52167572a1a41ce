package io.github.untaken;

import io.github.untaken.Verdict.DecidedBy;
import io.github.untaken.Verdict.Status;
import io.github.untaken.spi.IdentifierKind;
import io.github.untaken.spi.IdentifierNormalizer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One kind's picture in memory, and the order in which its parts are asked.
 *
 * <p>The promise: a check that starts after a commit was acknowledged never answers "available" for the identifier
 * committed. It holds because of who is asked when:
 *
 * <ul>
 *   <li>An announced key is pending before its row can be committed, and leaves pending only after every generation has
 *       it. A check asks pending before the generation, so it finds the key in one of them.
 *   <li>A check reads the {@link View} once, and again before it answers "available" from memory. A swap or a loss of
 *       trust in between makes it start over.
 *   <li>The whitelist overrides the filter, so it learns only from a store read during which nothing happened: same
 *       epoch, same stamp, key neither pending nor doubtful, tested under the stripe's monitor that an announcement takes
 *       too.
 *   <li>Whatever is not known is not guessed: any state but {@code READY} asks the store, and a store that fails gives
 *       {@code UNKNOWN}.
 * </ul>
 *
 * <p>Locks: {@code writer} orders changes of the view and of the generations; a stripe's monitor orders changes of its
 * keys. Taken in this order, never held during I/O.
 */
final class IdentifierRegistry {
    private static final System.Logger LOG = System.getLogger("io.github.untaken");

    static final String CLOSED = "closed";
    static final String NEEDS_STORE = "needs_store";
    static final String STORE_UNAVAILABLE = "store_unavailable";
    static final String SPELLING_UNCERTAIN = "spelling_uncertain";

    private final IdentifierKind kind;
    private final IdentifierNormalizer normalizer;
    private final RegistrySettings settings;
    private final PendingKeys pending;
    private final Whitelist whitelist;
    private final Recheck recheck;
    private final Rebuild rebuild;
    private final RegistryCounters counters;
    private final CheckListener listener;

    private final Object writer = new Object();
    private volatile View view = View.warming();
    private volatile @Nullable Generation building;
    private long doubts; // guarded by writer; rises whenever something may have been missed
    private int openDoubts; // guarded by writer; work under way of which not every key is known
    private long distrustedUntil; // guarded by writer; a scan begun earlier dispels nothing
    private volatile boolean absenceTrusted;
    private final CompletableFuture<Void> spellingsProbed = new CompletableFuture<>();
    private final AtomicLong staleRemovals = new AtomicLong();

    IdentifierRegistry(
            IdentifierKind kind,
            IdentifierNormalizer normalizer,
            Stores stores,
            RegistrySettings settings,
            RegistryThreads threads) {
        this.kind = kind;
        this.normalizer = normalizer;
        this.settings = settings;
        this.listener = settings.listener();
        this.counters = new RegistryCounters(kind, listener);
        this.distrustedUntil = settings.nanoTime().getAsLong();
        this.pending = new PendingKeys(settings.nanoTime());
        this.whitelist = new Whitelist(settings.whitelistSize(), settings.whitelistLifetime(), settings.nanoTime());
        this.recheck =
                new Recheck(stores, settings.recheckTimeout(), threads.rechecks(), this::observe, counters::storeRead);
        this.rebuild = new Rebuild(this, stores, settings, threads.rebuilds(kind));
    }

    void start() {
        rebuild.start();
    }

    // ---------------------------------------------------------------- checks

    Verdict check(String key) {
        Verdict verdict = fromMemory(key);
        return counted(verdict != null ? verdict : fromStore(key));
    }

    Verdict checkInMemory(String key) {
        Verdict verdict = fromMemory(key);
        return counted(verdict != null ? verdict : unknown(key, NEEDS_STORE));
    }

    Verdict counted(Verdict verdict) {
        counters.checked(verdict);
        return verdict;
    }

    /** The verdict, or null where only the store can tell. */
    private @Nullable Verdict fromMemory(String key) {
        while (true) {
            View seen = view;
            if (seen.state() == RegistryState.CLOSED) {
                return unknown(key, CLOSED);
            }
            if (pending.isPending(key)) {
                return verdict(Status.TAKEN, DecidedBy.PENDING, key);
            }
            Generation serving = seen.serving();
            if (!seen.ready() || serving == null || pending.isDoubtful(key)) {
                return knownNonCanonical(key) ? verdict(Status.TAKEN, DecidedBy.FILTER, key) : null;
            }
            Optional<DecidedBy> absent = proofOfAbsence(key, serving.mightContain(key), seen);
            if (absent.isEmpty()) {
                return knownNonCanonical(key) ? verdict(Status.TAKEN, DecidedBy.FILTER, key) : null;
            }
            if (unchanged(seen)) {
                return verdict(Status.AVAILABLE, absent.get(), key);
            }
        }
    }

    /** The very same view: an equal one may be another that came after it. */
    @SuppressWarnings("ReferenceEquality")
    private boolean unchanged(View seen) {
        return view == seen;
    }

    private Optional<DecidedBy> proofOfAbsence(String key, boolean maybe, View seen) {
        if (!maybe) {
            return BY_FILTER;
        }
        return whitelist.knows(key, seen.epoch()) && !pending.isPending(key) && !pending.isDoubtful(key)
                ? BY_WHITELIST
                : Optional.empty();
    }

    // Kept, so that an answer allocates nothing but its verdict.
    private static final Optional<DecidedBy> BY_FILTER = Optional.of(DecidedBy.FILTER);
    private static final Optional<DecidedBy> BY_WHITELIST = Optional.of(DecidedBy.WHITELIST);

    private boolean knownNonCanonical(String key) {
        Generation serving = view.serving();
        Generation next = building;
        return serving != null && serving.nonCanonical().contains(key)
                || next != null && next.nonCanonical().contains(key);
    }

    /**
     * Answers many keys at once, null where only the store can tell. All pending and doubtful keys are read before the
     * first load of the filter, and the view once for all.
     */
    void allFromMemory(String[] keys, @Nullable Verdict[] verdicts) {
        View seen = view;
        Generation serving = seen.serving();
        if (!seen.ready() || serving == null) {
            for (int i = 0; i < keys.length; i++) {
                verdicts[i] = fromMemory(keys[i]);
            }
            return;
        }
        boolean[] excluded = new boolean[keys.length];
        for (int i = 0; i < keys.length; i++) {
            excluded[i] = pending.isPending(keys[i]) || pending.isDoubtful(keys[i]);
        }
        long[] hashes = new long[keys.length];
        for (int i = 0; i < keys.length; i++) {
            hashes[i] = serving.hash(keys[i]);
        }
        boolean[] maybe = new boolean[keys.length];
        serving.mightContainAll(hashes, maybe);
        boolean unchanged = unchanged(seen);
        for (int i = 0; i < keys.length; i++) {
            verdicts[i] = unchanged && !excluded[i] && !maybe[i]
                    ? verdict(Status.AVAILABLE, DecidedBy.FILTER, keys[i])
                    : fromMemory(keys[i]);
        }
    }

    /** Begins a read that {@link #fromStore(String, CompletableFuture)} waits for. */
    CompletableFuture<Boolean> readAhead(String key) {
        return recheck.read(key);
    }

    private Verdict fromStore(String key) {
        return fromStore(key, recheck.read(key));
    }

    Verdict fromStore(String key, CompletableFuture<Boolean> read) {
        Duration timeout = settings.recheckTimeout();
        long deadline = System.nanoTime() + timeout.toNanos();
        try {
            if (read.get(timeout.toNanos(), TimeUnit.NANOSECONDS) || knownNonCanonical(key)) {
                return verdict(Status.TAKEN, DecidedBy.STORE, key);
            }
            if (!absenceTrusted) {
                spellingsProbed.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
            }
            return absenceTrusted ? verdict(Status.AVAILABLE, DecidedBy.STORE, key) : unknown(key, SPELLING_UNCERTAIN);
        } catch (TimeoutException | ExecutionException e) {
            return unknown(key, STORE_UNAVAILABLE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return unknown(key, STORE_UNAVAILABLE);
        }
    }

    private Verdict verdict(Status status, DecidedBy decidedBy, String key) {
        return new Verdict(kind, status, decidedBy, key, Optional.empty());
    }

    private Verdict unknown(String key, String reason) {
        return new Verdict(kind, Status.UNKNOWN, DecidedBy.STORE, key, Optional.of(reason));
    }

    // ---------------------------------------------------------------- store reads

    /** Called before a store read; the consumer receives what it found. */
    private Consumer<Boolean> observe(String key) {
        PendingKeys.Stripe stripe = pending.stripe(key);
        View before = view;
        long stamp = stripe.stamp();
        return present -> {
            if (present) {
                lookForMiss(key);
            } else if (before.ready()) {
                learnAbsence(key, before, stamp);
            }
        };
    }

    private void learnAbsence(String key, View before, long stamp) {
        PendingKeys.Stripe stripe = pending.stripe(key);
        synchronized (stripe) {
            if (unchanged(before)
                    && stripe.stamp() == stamp
                    && !pending.isPending(key)
                    && !pending.isDoubtful(key)
                    && !knownNonCanonical(key)) {
                whitelist.learn(key, before.epoch());
            }
        }
    }

    /** In this order: the store has it, then not pending, not doubtful, and the serving generation says no. */
    private void lookForMiss(String key) {
        View seen = view;
        Generation serving = seen.serving();
        if (seen.ready()
                && serving != null
                && !pending.isPending(key)
                && !pending.isDoubtful(key)
                && !serving.mightContain(key)
                && unchanged(seen)) {
            addUncounted(key);
            counters.missProved();
            LOG.log(
                    System.Logger.Level.WARNING,
                    "A committed identifier of kind {0} was missing from memory; it was added and a rescan was asked for."
                            + " Some write path is not seen: see the documentation on bulk and foreign writes.",
                    kind);
            rebuild.request(settings.rebuildInterval());
        }
    }

    // ---------------------------------------------------------------- changes

    String key(String value) {
        return normalizer.key(value);
    }

    /** Makes a key visible as taken. False if too many are pending: the registry then asks the store until a rebuild. */
    boolean announce(String key, Object owner) {
        if (pending.pending() >= settings.maxPending()) {
            return false;
        }
        PendingKeys.Stripe stripe = pending.stripe(key);
        synchronized (stripe) {
            stripe.bump();
            pending.enter(key, owner);
            whitelist.forget(key);
        }
        return true;
    }

    /** Adds copies of a committed key to every generation. Does not touch pending. */
    void add(String key, int copies) {
        synchronized (writer) {
            if (!addTo(view.serving(), key, copies) || !addTo(building, key, copies)) {
                lose("the membership filter is full");
            }
        }
    }

    private static boolean addTo(@Nullable Generation generation, String key, int copies) {
        if (generation == null) {
            return true;
        }
        long hash = generation.hash(key);
        for (int i = 0; i < copies; i++) {
            if (!generation.add(hash)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Adds a key that is committed but that no event counted. The building generation takes it always, for its scan may
     * have passed; the serving one if it says no, and then no removal is safe there: the copy may belong to another key.
     */
    void addUncounted(String key) {
        synchronized (writer) {
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
    }

    /** Notes that a value written is not its own key. */
    void noteNonCanonical(String key) {
        synchronized (writer) {
            Generation serving = view.serving();
            Generation next = building;
            if (serving != null) {
                serving.nonCanonical().note(key);
                if (serving.nonCanonical().isFull()) {
                    absenceTrusted = false;
                    lose(tooManyNonCanonical());
                }
            }
            if (next != null) {
                next.nonCanonical().note(key);
            }
        }
    }

    private String tooManyNonCanonical() {
        return "more than " + NonCanonicalKeys.LIMIT + " stored values of kind " + kind
                + " are not their own key: store the key in the annotated attribute and the display form in another, or"
                + " give the store a predicate that folds like the normalizer";
    }

    /** The last step of settling, after the generations have what they need. */
    void leavePending(String key, Object owner) {
        PendingKeys.Stripe stripe = pending.stripe(key);
        synchronized (stripe) {
            stripe.bump();
            whitelist.forget(key);
            pending.leave(key, owner);
        }
    }

    /** Moves a key of unknown outcome to the doubtful, or, if there are too many, trusts nothing for their lifetime. */
    void doubt(String key, Object owner) {
        PendingKeys.Stripe stripe = pending.stripe(key);
        boolean room = pending.doubtful() < settings.maxDoubtful() || pending.isDoubtful(key);
        if (!room) {
            synchronized (writer) {
                distrust();
                lose("more than " + settings.maxDoubtful() + " registrations ended in doubt");
            }
        }
        synchronized (stripe) {
            stripe.bump();
            whitelist.forget(key);
            if (room) {
                pending.enterDoubtful(key);
            }
            pending.leave(key, owner);
        }
    }

    /**
     * Settles a key of anonymous origin by one read: if the row is there it is added, if not it is dropped. Where the read
     * fails it is added all the same: a stray copy costs a read now and then, a missing one breaks the promise.
     */
    void settleByRecheck(String key, Object owner) {
        afterReading(key, (present, failure) -> {
            if (failure != null || present) {
                addUncounted(key);
            }
            leavePending(key, owner);
        });
    }

    private void afterReading(String key, BiConsumer<Boolean, @Nullable Throwable> then) {
        CompletableFuture<Boolean> unused = recheck.read(key).whenComplete(then);
    }

    long epoch() {
        return view.epoch();
    }

    /**
     * Takes out the copy of a row that is gone, if a read proves it gone and nothing happened to the key or to the
     * generation since the event came; else drops the removal, which the next rebuild makes up for.
     *
     * @param eventEpoch the epoch when the entity event came
     */
    void removeIfProved(String key, long eventEpoch) {
        PendingKeys.Stripe stripe = pending.stripe(key);
        long stamp = stripe.stamp();
        if (pending.isPending(key) || pending.isDoubtful(key) || view.epoch() != eventEpoch) {
            dropRemoval();
            return;
        }
        afterReading(key, (present, failure) -> {
            if (failure != null || present || !remove(key, stamp, eventEpoch)) {
                dropRemoval();
            }
        });
    }

    private boolean remove(String key, long stamp, long eventEpoch) {
        PendingKeys.Stripe stripe = pending.stripe(key);
        synchronized (writer) {
            synchronized (stripe) {
                View now = view;
                Generation serving = now.serving();
                return now.ready()
                        && serving != null
                        && now.epoch() == eventEpoch
                        && stripe.stamp() == stamp
                        && !pending.isPending(key)
                        && !pending.isDoubtful(key)
                        && serving.remove(serving.hash(key));
            }
        }
    }

    void dropRemoval() {
        staleRemovals.incrementAndGet();
    }

    // ---------------------------------------------------------------- trust

    /** Something may have been missed: from now on the store answers, until a rebuild that begins after this. */
    void loseTrust(String reason) {
        synchronized (writer) {
            lose(reason);
        }
    }

    /** As {@link #loseTrust}, and no rebuild counts that begins before {@link #closeDoubt}. */
    void openDoubt(String reason) {
        synchronized (writer) {
            openDoubts++;
            lose(reason);
        }
    }

    /** @param outcomeKnown otherwise the work may still be committed, and trust waits for as long as a doubtful key does */
    void closeDoubt(boolean outcomeKnown) {
        synchronized (writer) {
            openDoubts--;
            if (!outcomeKnown) {
                distrust();
            }
            lose(view.reason());
        }
    }

    /** Call with {@code writer} held. */
    private void distrust() {
        distrustedUntil =
                settings.nanoTime().getAsLong() + settings.doubtLifetime().toNanos();
    }

    /** Call with {@code writer} held. */
    private void lose(String reason) {
        doubts++;
        if (view.state() != RegistryState.CLOSED) {
            show(view.degraded(reason));
            if (openDoubts == 0) {
                rebuild.request(untilTrusted());
            }
        }
    }

    private Duration untilTrusted() {
        return Duration.ofNanos(
                Math.max(0, distrustedUntil - settings.nanoTime().getAsLong()));
    }

    void rescan() {
        rebuild.request(Duration.ZERO);
    }

    void clearWhitelist() {
        whitelist.clear();
    }

    /** Call with {@code writer} held. */
    private void show(View next) {
        assert Thread.holdsLock(writer);
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
            listener.stateChanged(kind, next.state(), next.reason());
        }
    }

    // ---------------------------------------------------------------- rebuilding (called by Rebuild only)

    /** The doubts that a scan begun at this moment will dispel, if none is added until it has finished. */
    record Baseline(long doubts, boolean dispels) {}

    /** From now on the generation receives every addition. */
    Baseline beginBuilding(Generation next) {
        synchronized (writer) {
            building = next;
            return new Baseline(doubts, openDoubts == 0 && untilTrusted().isZero());
        }
    }

    void spellingsProbed(boolean absenceIsTrusted) {
        absenceTrusted |= absenceIsTrusted;
        spellingsProbed.complete(null);
    }

    /** Swaps the finished generation in; READY only if nothing has come in doubt since before its barrier. */
    void finishBuilding(Generation next, Baseline baseline, long rows, long nanos) {
        synchronized (writer) {
            building = null;
            View now = view;
            if (now.state() == RegistryState.CLOSED) {
                return;
            }
            absenceTrusted = !next.nonCanonical().isFull();
            if (!absenceTrusted) {
                show(new View(RegistryState.DEGRADED, tooManyNonCanonical(), now.epoch() + 1, next));
            } else if (baseline.dispels() && baseline.doubts() == doubts) {
                show(new View(RegistryState.READY, "", now.epoch() + 1, next));
            } else {
                show(new View(RegistryState.DEGRADED, now.reason(), now.epoch() + 1, next));
                if (openDoubts == 0) {
                    rebuild.request(untilTrusted());
                }
            }
        }
        listener.rebuilt(kind, rows, nanos);
    }

    void abandonBuilding(String reason) {
        synchronized (writer) {
            building = null;
            if (!view.ready() && view.state() != RegistryState.CLOSED) {
                show(view.because(reason));
            }
        }
    }

    boolean isClosed() {
        return view.state() == RegistryState.CLOSED;
    }

    boolean wantsRebuild() {
        Generation serving = view.serving();
        return serving != null && serving.wantsRebuild();
    }

    PendingKeys pending() {
        return pending;
    }

    IdentifierKind kind() {
        return kind;
    }

    // ---------------------------------------------------------------- figures

    RegistryState state() {
        return view.state();
    }

    RegistryStats stats() {
        View now = view;
        Generation serving = now.serving();
        long entries = serving == null ? 0 : serving.entries();
        long bytes = serving == null ? 0 : serving.bytes();
        return new RegistryStats(
                now.state(),
                now.reason(),
                now.epoch(),
                entries,
                bytes,
                entries == 0 ? 0 : bytes * 8.0 / entries,
                pending.pending(),
                pending.doubtful(),
                whitelist.size(),
                counters.checks(),
                counters.decided(),
                counters.storeReads(),
                staleRemovals.get(),
                counters.missesProved(),
                serving == null ? 0 : serving.nonCanonical().seen(),
                rebuild.progress());
    }

    void close() {
        synchronized (writer) {
            show(view.closed());
            building = null;
        }
        spellingsProbed.complete(null);
        rebuild.close();
    }
}
