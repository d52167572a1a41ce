package io.github.untaken;

import io.github.untaken.fault.FaultLog;
import io.github.untaken.kind.DirectRegistrations;
import io.github.untaken.kind.KindChecker;
import io.github.untaken.kind.KindTerms;
import io.github.untaken.kind.Kinds;
import io.github.untaken.kind.RegisteredKind;
import io.github.untaken.kind.RegistrySettings;
import io.github.untaken.kind.RegistryThreads;
import io.github.untaken.kind.Rules;
import io.github.untaken.kind.SingleWriter;
import io.github.untaken.kind.WriteRecord;
import io.github.untaken.log.CatalogLease;
import io.github.untaken.log.CatalogLooks;
import io.github.untaken.log.FollowedLog;
import io.github.untaken.log.Keeper;
import io.github.untaken.memory.Snapshots;
import io.github.untaken.normalize.ReservedNames;
import io.github.untaken.spi.ChangeFeed;
import io.github.untaken.spi.IdentifierSource;
import io.github.untaken.spi.RegisteredIdentifierStore;
import io.github.untaken.spi.WriteSink;
import io.github.untaken.store.Stores;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Answers whether an identifier is already registered: from memory if the answer is no, otherwise from the database.
 *
 * <pre>{@code
 * AvailabilityChecker checker =
 *         AvailabilityChecker.builder().source(JpaIdentifiers.of(entityManagerFactory)).build();
 * boolean free = checker.check(IdentifierKind.USERNAME, "alice").available();
 * }</pre>
 *
 * <p>A check that starts after a commit was acknowledged to anyone never answers available for the committed
 * identifier, as long as the registry sees the write. A write that it cannot see is found at the next rescan. When the
 * identifier is registered, the database's unique constraint still decides.
 *
 * <p>Thread-safe. Use one for each database, and close it before the database.
 */
public final class AvailabilityChecker implements AutoCloseable {
    private static final long CLOSE_WAIT_SECONDS = 10;

    private final Kinds kinds;
    private final List<IdentifierSource> sources;
    private final RegistryThreads threads;
    private final Registrations registrations;
    private final @Nullable SingleWriter singleWriter;
    private final @Nullable CatalogLooks catalogs;
    private final @Nullable FollowedLog log;
    private final @Nullable Keeper keeper;
    private final Duration tick;
    /** The sources that this checker connected: another checker may use the same factories before or after it. */
    private final Queue<IdentifierSource> connected = new ConcurrentLinkedQueue<>();

    AvailabilityChecker(AvailabilityCheckerBuilder builder, @Nullable Snapshots folder) {
        RegistrySettings settings = builder.settings(folder);
        this.tick = settings.time().tick();
        this.keeper = builder.keeper(folder);
        this.sources = List.copyOf(builder.sources);
        this.threads = builder.threads();
        Map<IdentifierKind, KindChecker> checkers = new HashMap<>();
        List<SingleWriter.Claim> claims = new ArrayList<>();
        Map<IdentifierKind, List<RegisteredIdentifierStore>> all = builder.allStores();
        ChangeFeed feed = builder.feed;
        Set<IdentifierKind> covered = feed == null ? Set.of() : builder.covered(feed, all);
        this.log = feed == null
                ? null
                : new FollowedLog(
                        feed,
                        builder.freshness(),
                        builder.questionTimeout(),
                        threads.questions(),
                        FollowedLog.Waiting.ASLEEP);
        all.forEach((kind, list) -> {
            Rules rules = builder.rulesOf(kind);
            Stores stores = new Stores(list);
            KindTerms terms = new KindTerms(
                    kind, rules.normalizer(), stores, builder.looks(kind), builder.policy(kind), threads.workers(kind));
            RegisteredKind registered = new RegisteredKind(terms, settings, covered.contains(kind) ? log : null);
            checkers.put(kind, new KindChecker(rules, registered));
            if (builder.singleWriter) {
                claims.add(new SingleWriter.Claim(registered));
            }
        });
        this.kinds = new Kinds(checkers);
        claims.removeIf(claim -> !claim.isNeeded());
        this.singleWriter = claims.isEmpty()
                ? null
                : new SingleWriter(claims, settings.time().tick(), builder.patienceWithoutDatabase(), builder.clocks());
        List<CatalogLease> leases = kinds.all().stream()
                .map(each -> each.registered().catalog())
                .filter(lease -> !lease.catalogs().isEmpty())
                .toList();
        this.catalogs = leases.isEmpty() ? null : new CatalogLooks(leases, builder.catalogInterval);
        this.registrations = new DirectRegistrations(kinds);
    }

    /** Leaves nothing behind if it fails. */
    void start() {
        WriteSink sink = () -> new WriteRecord(kinds);
        try {
            for (IdentifierSource source : sources) {
                source.connect(sink);
                connected.add(source);
            }
            if (catalogs != null) {
                catalogs.start();
            }
            if (log != null) {
                follow(log);
            }
            startRegistries();
        } catch (RuntimeException | Error e) {
            closeAfter(e);
            throw e;
        }
    }

    private void closeAfter(Throwable failure) {
        try {
            close();
        } catch (RuntimeException | Error e) {
            failure.addSuppressed(e);
        }
    }

    private void follow(FollowedLog followed) {
        if (keeper == null) {
            followed.start(Map.of());
        } else {
            followed.start(keeper.read(followed.kinds()));
            keeper.start(threads.snapshots(), tick);
        }
    }

    /**
     * Kinds that follow the log start when the log is followed; others start when their marks are set. A failure does
     * not keep the others from starting.
     */
    private void startRegistries() {
        kinds.all().stream()
                .map(KindChecker::registered)
                .filter(kind -> singleWriter == null || !singleWriter.isClaimed(kind))
                .forEach(AvailabilityChecker::start);
        if (singleWriter != null) {
            singleWriter.start(AvailabilityChecker::start);
        }
    }

    private static void start(RegisteredKind kind) {
        if (!kind.followsLog()) {
            new FaultLog("io.github.untaken").survive("The start of kind " + kind.kind(), kind::start);
        }
    }

    /** Starts a builder with no kinds and every setting at its default. */
    public static AvailabilityCheckerBuilder builder() {
        return new AvailabilityCheckerBuilder();
    }

    /**
     * Whether a text may be registered as an identifier of this kind. Answers from memory where possible; otherwise it
     * waits for the store, at most for the recheck timeout, and then answers {@code UNKNOWN}. Never throws because of
     * the text. A text of more than 65,536 characters is not read: it is {@code INVALID}, with reason {@code too_long}.
     *
     * @throws IllegalArgumentException if there is no such kind
     */
    public Verdict check(IdentifierKind kind, String text) {
        return kinds.of(kind).check(text);
    }

    /**
     * As {@link #check}, but asks before reading the store; if it may not, the answer is {@code UNKNOWN}. For callers
     * that limit how much strangers make the database read.
     *
     * @param mayRead asked at most once, and only if memory cannot answer
     * @throws IllegalArgumentException if there is no such kind
     */
    public Verdict check(IdentifierKind kind, String text, BooleanSupplier mayRead) {
        return kinds.of(kind).check(text, mayRead);
    }

    /**
     * As {@link #check}, for someone who wants to change their name. A name is not refused just because it looks like
     * the present one: "alice" is free for the holder of "Alice", if the database accepts it.
     *
     * @param holder the present name, in any spelling
     * @throws IllegalArgumentException if there is no such kind
     */
    public Verdict check(IdentifierKind kind, String text, String holder) {
        return kinds.of(kind).check(text, () -> true, holder);
    }

    /**
     * As {@link #check}, but with the database's log followed ({@link AvailabilityCheckerBuilder#feed}), it never calls
     * available what anyone, on any machine, committed before this call. It waits for news from the log, which takes
     * about one round trip, shared by all who wait. Use it at the moment of registering; for checks at each keystroke
     * the bound is good enough. Without a feed it is {@link #check}. Waits at most twice the recheck timeout.
     *
     * @throws IllegalArgumentException if there is no such kind
     */
    public Verdict latest(IdentifierKind kind, String text) {
        return kinds.of(kind).latest(text);
    }

    /**
     * As {@link #check}, but never reads the store and never waits: the answer is {@code UNKNOWN} where it would have
     * to. What this calls available is available; where a log is followed, as of the
     * {@link AvailabilityCheckerBuilder#bound}.
     *
     * @throws IllegalArgumentException if there is no such kind
     */
    public Verdict checkInMemory(IdentifierKind kind, String text) {
        return kinds.of(kind).checkInMemory(text);
    }

    /**
     * The verdicts for many texts, in their order. Cheaper than that many calls of {@link #check}, since memory reads
     * overlap and store reads run in parallel.
     *
     * @throws IllegalArgumentException if there is no such kind
     */
    public List<Verdict> checkAll(IdentifierKind kind, Collection<String> texts) {
        return kinds.of(kind).checkAll(texts);
    }

    /**
     * The normalised form of any text: two texts with the same key are one identifier. Store this in an attribute that
     * holds keys. Works for texts that may not be registered, too. Never blocks.
     *
     * @throws IllegalArgumentException if there is no such kind
     */
    public String key(IdentifierKind kind, String text) {
        return kinds.registered(kind).normalizer().key(text);
    }

    /** The kinds that this checker knows, in no particular order. */
    public Set<IdentifierKind> kinds() {
        return kinds.names();
    }

    /**
     * Whether answers of this kind come from memory.
     *
     * @throws IllegalArgumentException if there is no such kind
     */
    public KindState state(IdentifierKind kind) {
        return kinds.registered(kind).state();
    }

    /**
     * The figures of a kind. Cheap enough to ask for every second.
     *
     * @throws IllegalArgumentException if there is no such kind
     */
    public KindStats stats(IdentifierKind kind) {
        return kinds.registered(kind).stats();
    }

    /**
     * Asks for a rebuild from a fresh scan and returns at once. For writes that the registry cannot see, such as those
     * of other programs.
     *
     * @throws IllegalArgumentException if there is no such kind
     */
    public void rescan(IdentifierKind kind) {
        kinds.registered(kind).rescan();
    }

    /**
     * Forgets every name proved absent; each is proved again when asked for.
     *
     * @throws IllegalArgumentException if there is no such kind
     */
    public void clearWhitelist(IdentifierKind kind) {
        kinds.registered(kind).clearWhitelist();
    }

    /**
     * Replaces the reserved names from the next check on: for lists kept in a file or a table. The names may be in any
     * spelling.
     *
     * @throws IllegalArgumentException if there is no such kind
     */
    public void reserve(IdentifierKind kind, ReservedNames names) {
        kinds.of(kind).reserve(names);
    }

    /**
     * The reserved name that makes a text {@code RESERVED}, as a key: {@code admin} for {@code Admin}, and for
     * {@code adm1n}, which looks like it. Empty if the text neither is nor looks like a reserved name. Answers from
     * memory.
     *
     * @throws IllegalArgumentException if there is no such kind
     */
    public Optional<String> reservedLike(IdentifierKind kind, String text) {
        return kinds.of(kind).reservedLike(text);
    }

    /** The write side, for code whose writes no source reports. */
    public Registrations registrations() {
        return registrations;
    }

    /**
     * From now on every check is {@code UNKNOWN}. Waits a few seconds at most for reads under way, and for the disk if
     * {@linkplain AvailabilityCheckerBuilder#snapshots snapshots are kept}. Closing twice has no effect.
     */
    @Override
    public void close() {
        List<Runnable> steps = new ArrayList<>();
        if (keeper != null) {
            steps.add(keeper::close);
        }
        // Before the sources are disconnected: once a write can go unreported, memory must not answer any check.
        kinds.all().forEach(kind -> steps.add(kind.registered()::close));
        for (IdentifierSource source = connected.poll(); source != null; source = connected.poll()) {
            steps.add(source::disconnect);
        }
        if (log != null) {
            steps.add(log::close);
        }
        if (singleWriter != null) {
            steps.add(() -> singleWriter.close(CLOSE_WAIT_SECONDS));
        }
        if (catalogs != null) {
            steps.add(() -> catalogs.close(CLOSE_WAIT_SECONDS));
        }
        steps.add(() -> threads.close(CLOSE_WAIT_SECONDS));
        runAll(steps);
    }

    /** A step that fails does not keep the others from running. */
    private static void runAll(List<Runnable> steps) {
        FaultLog faults = new FaultLog("io.github.untaken");
        steps.forEach(step -> faults.survive("Closing a part of the checker", step));
    }
}
