package io.github.untaken;

import io.github.untaken.fault.FaultLog;
import io.github.untaken.filter.FilterType;
import io.github.untaken.filter.HashAlgorithm;
import io.github.untaken.kind.GuardedListener;
import io.github.untaken.kind.KindTerms;
import io.github.untaken.kind.RegistrySettings;
import io.github.untaken.kind.RegistryThreads;
import io.github.untaken.kind.Rules;
import io.github.untaken.log.CatalogLease;
import io.github.untaken.log.Keeper;
import io.github.untaken.memory.Clocks;
import io.github.untaken.memory.Freshness;
import io.github.untaken.memory.Generation;
import io.github.untaken.memory.GenerationFactory;
import io.github.untaken.memory.Snapshots;
import io.github.untaken.normalize.EmailNormalizer;
import io.github.untaken.normalize.ReservedNames;
import io.github.untaken.normalize.UsernameNormalizer;
import io.github.untaken.spi.ChangeFeed;
import io.github.untaken.spi.IdentifierNormalizer;
import io.github.untaken.spi.IdentifierSource;
import io.github.untaken.spi.RegisteredIdentifierStore;
import io.github.untaken.spi.TableCatalog;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a checker. All have a sensible default, except that there must be a source or a store. Not thread-safe.
 * Setting a single value twice is an error; sources and stores add up.
 */
public final class AvailabilityCheckerBuilder {
    private static final FaultLog LOG = new FaultLog("io.github.untaken");
    private static final Map<IdentifierKind, IdentifierNormalizer> DEFAULTS = Map.of(
            IdentifierKind.USERNAME, UsernameNormalizer.defaults(), IdentifierKind.EMAIL, EmailNormalizer.defaults());

    /** Between two scans that no one waits for, in the long run. */
    private static final Duration REBUILD_INTERVAL = Duration.ofMinutes(1);
    /** Within it, a told name that is absent, freed or never committed, is free from memory again. */
    private static final Duration RENEWAL_INTERVAL = Duration.ofMinutes(1);
    /** The one bet: by then the server has done or dropped whatever it was asked to do and never answered. */
    private static final Duration LINGER = Duration.ofMinutes(10);

    final List<IdentifierSource> sources = new ArrayList<>();
    private final Map<IdentifierKind, List<RegisteredIdentifierStore>> stores = new LinkedHashMap<>();
    private final Map<IdentifierKind, IdentifierNormalizer> normalizers = new HashMap<>();
    private final Map<IdentifierKind, ReservedNames> reserved = new HashMap<>();
    private final Map<IdentifierKind, Boolean> variants = new HashMap<>();
    private final Set<String> given = new HashSet<>();
    private FilterType filter = FilterType.CUCKOO;
    private HashAlgorithm hash = HashAlgorithm.PACKED_WORDS;
    private CheckListener listener = new CheckListener() {};
    private int recheckThreads = 4;
    private int recheckQueue = 256;
    private Duration recheckTimeout = Duration.ofSeconds(1);
    private long whitelistSize = 100_000;
    private int maxAnnounced = 100_000;
    private Duration rescanInterval = Duration.ofHours(1);
    private Duration barrierTimeout = Duration.ofMinutes(1);
    private int scanThreads = 2;
    private Duration auditInterval = Duration.ofMinutes(1);
    private int auditRows = 100;
    boolean singleWriter = true;
    private WhenUnreachable whenUnreachable = WhenUnreachable.ASK;
    private Duration unreachableFor = Duration.ofMinutes(1);
    Duration catalogInterval = Duration.ofSeconds(2);
    private Duration tick = Duration.ofSeconds(1);
    private Duration linger = LINGER;
    private LongSupplier nanoTime = System::nanoTime;
    private LongSupplier wallMillis = System::currentTimeMillis;

    @Nullable ChangeFeed feed;

    private Duration bound = Duration.ofSeconds(1);
    private final Set<IdentifierKind> latest = new LinkedHashSet<>();
    private @Nullable Path snapshots;
    private Duration snapshotInterval = Duration.ofMinutes(5);

    AvailabilityCheckerBuilder() {}

    /** Where identifiers are stored, and what reports changes. May be called several times, for several databases. */
    public AvailabilityCheckerBuilder source(IdentifierSource source) {
        sources.add(source);
        return this;
    }

    /** A store without a source, for applications that report changes through {@link AvailabilityChecker#registrations()}. */
    public AvailabilityCheckerBuilder store(IdentifierKind kind, RegisteredIdentifierStore store) {
        stores.computeIfAbsent(kind, k -> new ArrayList<>()).add(store);
        return this;
    }

    /**
     * The key function and policy of a kind. Default: {@link UsernameNormalizer#defaults} for user names,
     * {@link EmailNormalizer#defaults} for e-mail addresses.
     */
    public AvailabilityCheckerBuilder normalizer(IdentifierKind kind, IdentifierNormalizer normalizer) {
        normalizers.put(kind, once("normalizer of " + kind, normalizer));
        return this;
    }

    /** Names that no one may register. Default: {@link ReservedNames#defaults} for user names, none for other kinds. */
    public AvailabilityCheckerBuilder reserved(IdentifierKind kind, ReservedNames names) {
        reserved.put(kind, once("reserved names of " + kind, names));
        return this;
    }

    /** The membership filter. Default {@link FilterType#CUCKOO}. */
    public AvailabilityCheckerBuilder filter(FilterType type) {
        this.filter = once("filter", type);
        return this;
    }

    /**
     * How keys are hashed, always under a secret key that is new for each rebuild. Default
     * {@link HashAlgorithm#PACKED_WORDS}.
     */
    public AvailabilityCheckerBuilder hash(HashAlgorithm algorithm) {
        this.hash = once("hash", algorithm);
        return this;
    }

    /** Receives checks, reads and changes of state. Default: none. */
    public AvailabilityCheckerBuilder listener(CheckListener told) {
        this.listener = new GuardedListener(once("listener", told));
        return this;
    }

    /** Threads that read the store, shared by all kinds; each may use a connection. 1 to 256, default 4. */
    public AvailabilityCheckerBuilder recheckThreads(int count) {
        this.recheckThreads = (int) within("recheckThreads", count, 1, 256);
        return this;
    }

    /** Store reads that may wait; checks beyond that are {@code UNKNOWN} at once. 1 to 1,000,000, default 256. */
    public AvailabilityCheckerBuilder recheckQueue(int count) {
        this.recheckQueue = (int) within("recheckQueue", count, 1, 1_000_000);
        return this;
    }

    /** How long a check waits for the store. 1 ms to 1 minute, default 1 s. */
    public AvailabilityCheckerBuilder recheckTimeout(Duration timeout) {
        this.recheckTimeout = within("recheckTimeout", timeout, Duration.ofMillis(1), Duration.ofMinutes(1));
        return this;
    }

    /** Most names on the whitelist of each kind. 0 to 100,000,000, default 100,000. */
    public AvailabilityCheckerBuilder whitelistSize(long keys) {
        this.whitelistSize = within("whitelistSize", keys, 0, 100_000_000);
        return this;
    }

    /**
     * Most texts of statements under way that are kept for later generations, for each kind. Beyond it no scan begins
     * until those that did not fit are over; memory keeps answering. 1 to 10,000,000, default 100,000.
     */
    public AvailabilityCheckerBuilder maxAnnounced(int texts) {
        this.maxAnnounced = (int) within("maxAnnounced", texts, 1, 10_000_000);
        return this;
    }

    /**
     * Whether a name of this kind that the database would accept is refused as {@code TAKEN}, with reason
     * {@code variant}, because a stored name has the same key: "alice" beside "Alice", where the column tells them
     * apart. Based on the last scan and the log, so it may miss one written a moment ago; the unique constraint does
     * not enforce it. Default true for user names, false for all others.
     */
    public AvailabilityCheckerBuilder variants(IdentifierKind kind, boolean refused) {
        variants.put(kind, refused);
        return this;
    }

    /**
     * How often the store is scanned again when nothing else requires it; limits how long an unreported write stays
     * unseen. 1 s to 365 days, default 1 hour.
     */
    public AvailabilityCheckerBuilder rescanInterval(Duration interval) {
        this.rescanInterval = within("rescanInterval", interval, Duration.ofSeconds(1), Duration.ofDays(365));
        return this;
    }

    /**
     * How long a rebuild waits for transactions that were open when it began, before it gives up and tries again later.
     * 1 ms to 1 day, default 1 minute.
     */
    public AvailabilityCheckerBuilder barrierTimeout(Duration timeout) {
        this.barrierTimeout = within("barrierTimeout", timeout, Duration.ofMillis(1), Duration.ofDays(1));
        return this;
    }

    /**
     * Threads that one scan uses, each with a connection, where the store can be scanned in parts. 1 to 64, default 2.
     */
    public AvailabilityCheckerBuilder scanThreads(int count) {
        this.scanThreads = (int) within("scanThreads", count, 1, 64);
        return this;
    }

    /** How often samples of memory and store are compared. 1 s to 365 days, default 1 minute. */
    public AvailabilityCheckerBuilder auditInterval(Duration interval) {
        this.auditInterval = within("auditInterval", interval, Duration.ofSeconds(1), Duration.ofDays(365));
        return this;
    }

    /**
     * Rows that one audit samples, if the store can provide them cheaply, and the limit of its other reads; 0 disables
     * audits. 0 to 100,000, default 100.
     */
    public AvailabilityCheckerBuilder auditRows(int count) {
        this.auditRows = (int) within("auditRows", count, 0, 100_000);
        return this;
    }

    /**
     * Whether processes that write the database detect each other by marks in it; on a server this costs a connection.
     * Default true: while two processes are marked, both ask the store for everything. They also do so if a store
     * cannot tell ({@link RegisteredIdentifierStore.Exclusive}). With false, you assert that no other process writes,
     * or that its writes may stay unseen until the next rescan.
     */
    public AvailabilityCheckerBuilder singleWriter(boolean enforced) {
        this.singleWriter = once("singleWriter", enforced);
        return this;
    }

    /**
     * How checks are answered while the database does not respond, whether about the marks of {@link #singleWriter} or
     * the looks of {@link #catalogInterval}. Default {@link WhenUnreachable#ASK}.
     */
    public AvailabilityCheckerBuilder whenUnreachable(WhenUnreachable choice) {
        this.whenUnreachable = once("whenUnreachable", choice);
        return this;
    }

    /** How long at most memory answers with {@link WhenUnreachable#MEMORY}. 1 s to 1 day, default 1 minute. */
    public AvailabilityCheckerBuilder unreachableFor(Duration time) {
        this.unreachableFor = within("unreachableFor", time, Duration.ofSeconds(1), Duration.ofDays(1));
        return this;
    }

    /**
     * How often to look whether the tables have changed. Uses one connection kept for that, if the pool can spare one.
     * Memory is trusted for two and a half intervals after a look; a change of the schema by someone else takes effect
     * with the next look. A database that sleeps when idle needs a longer interval. 100 ms to 1 hour, default 2 s.
     */
    public AvailabilityCheckerBuilder catalogInterval(Duration interval) {
        this.catalogInterval = within("catalogInterval", interval, Duration.ofMillis(100), Duration.ofHours(1));
        return this;
    }

    /**
     * Reports every commit to the database, by this process or another. Kinds whose tables it covers are exempt from
     * {@link #singleWriter}, so several processes may answer from memory.
     */
    public AvailabilityCheckerBuilder feed(ChangeFeed log) {
        this.feed = once("feed", log);
        return this;
    }

    /**
     * With a {@link #feed}: memory calls nothing available that anyone committed longer ago than this. Without news for
     * that long, the store answers. The feed is asked four times as often. 20 ms to 1 minute, default 1 s.
     */
    public AvailabilityCheckerBuilder bound(Duration age) {
        this.bound = within("bound", age, Duration.ofMillis(20), Duration.ofMinutes(1));
        return this;
    }

    /**
     * With a {@link #feed}: every check of the kind works like {@link AvailabilityChecker#latest}, and calls nothing
     * available that anyone committed before the check began.
     */
    public AvailabilityCheckerBuilder latest(IdentifierKind kind) {
        latest.add(kind);
        return this;
    }

    /**
     * A folder for snapshots of what serves, so that the next start needs no scan. Needs a {@link #feed} that can
     * resume where an earlier process stopped ({@link ChangeFeed.Resumable}), and the filter {@link FilterType#CUCKOO}.
     * Applies to kinds whose normalizer is {@link IdentifierNormalizer.Named} and whose stores are all
     * {@link RegisteredIdentifierStore.Identified} and {@link RegisteredIdentifierStore.InColumn}. {@link #build} then
     * waits for the disk, about a second for 100,000,000 names.
     *
     * <p>The folder belongs to this process alone. It is created if missing; its parent must exist. It holds a secret
     * and hashes under it, no names. Erased values leave it one rescan later. A snapshot is not used once its scan is
     * older than one and a half rescan intervals. Whatever does not fit is refused with one log line, and the store is
     * scanned. Default: none.
     */
    public AvailabilityCheckerBuilder snapshots(Path folder) {
        this.snapshots = once("snapshots", folder);
        return this;
    }

    /**
     * With {@link #snapshots}: how often the files are written, besides after each scan and at
     * {@link AvailabilityChecker#close}. The database keeps its log until then. 1 s to 1 day, default 5 minutes.
     */
    public AvailabilityCheckerBuilder snapshotInterval(Duration interval) {
        this.snapshotInterval = within("snapshotInterval", interval, Duration.ofSeconds(1), Duration.ofDays(1));
        return this;
    }

    /** The time source for lifetimes and intervals, in nanoseconds. Default {@link System#nanoTime}; for tests. */
    public AvailabilityCheckerBuilder ticker(LongSupplier nanos) {
        this.nanoTime = once("ticker", nanos);
        return this;
    }

    /**
     * Makes the checker, connects its sources and starts the first scan in the background; the store answers until that
     * has finished. If the store can mark this process, this waits for the first look at the marks, a second at most,
     * and two seconds more if another process is marked, so that the other has noticed before this one writes. Kinds
     * that follow a log do not wait. An interrupt ends the wait.
     *
     * @throws IllegalStateException if there is no store, or a kind has no normalizer
     */
    public AvailabilityChecker build() {
        Snapshots folder = openSnapshots();
        try {
            AvailabilityChecker checker = new AvailabilityChecker(this, folder);
            checker.start();
            return checker;
        } catch (RuntimeException | Error e) {
            close(folder);
            throw e;
        }
    }

    private static void close(@Nullable Snapshots folder) {
        if (folder != null) {
            try {
                folder.close();
            } catch (IOException e) {
                // the exception on its way matters more
            }
        }
    }

    /** A folder that cannot be used does not prevent the start. */
    private @Nullable Snapshots openSnapshots() {
        if (snapshots == null) {
            return null;
        }
        if (!(feed instanceof ChangeFeed.Resumable) || filter != FilterType.CUCKOO) {
            throw new IllegalStateException(
                    "snapshots(...) needs a feed(...) that can resume where an earlier process stopped"
                            + " (ChangeFeed.Resumable), and the filter CUCKOO");
        }
        try {
            return Snapshots.open(snapshots);
        } catch (IOException e) {
            LOG.say(
                    System.Logger.Level.WARNING,
                    "The snapshot folder cannot be used, so every start scans: {0}: {1}",
                    e.getClass().getSimpleName(),
                    e.getMessage());
            return null;
        }
    }

    @Nullable Keeper keeper(@Nullable Snapshots folder) {
        return folder != null && feed instanceof ChangeFeed.Resumable resumable
                ? new Keeper(folder, resumable, freshness(), snapshotInterval, hash, limits())
                : null;
    }

    /** For tests, which would wait for each tick. */
    AvailabilityCheckerBuilder tick(Duration interval) {
        this.tick = once("tick", interval);
        return this;
    }

    /** For tests, which cannot wait so long. */
    AvailabilityCheckerBuilder linger(Duration time) {
        this.linger = once("linger", time);
        return this;
    }

    /** For tests, which set the wall clock. */
    AvailabilityCheckerBuilder wall(LongSupplier millis) {
        this.wallMillis = once("wall", millis);
        return this;
    }

    Set<IdentifierKind> covered(ChangeFeed log, Map<IdentifierKind, List<RegisteredIdentifierStore>> all) {
        Set<IdentifierKind> covered = Set.copyOf(log.covers(all));
        covered.forEach(kind -> {
            if (!all.getOrDefault(kind, List.of()).stream()
                    .allMatch(RegisteredIdentifierStore.Barrier.class::isInstance)) {
                throw new IllegalStateException("a store of kind '" + kind
                        + "' cannot wait for open transactions (RegisteredIdentifierStore.Barrier), so a scan may"
                        + " miss what the feed reported too early; implement Barrier, or do not let the feed"
                        + " cover the kind");
            }
        });
        if (!covered.containsAll(latest)) {
            throw new IllegalStateException(
                    "latest(...) names a kind that the feed does not cover; it covers " + covered);
        }
        return covered;
    }

    Duration questionTimeout() {
        return bound.compareTo(recheckTimeout) > 0 ? bound : recheckTimeout;
    }

    Freshness freshness() {
        return new Freshness(bound, clocks());
    }

    Clocks clocks() {
        return new Clocks(nanoTime, wallMillis);
    }

    KindTerms.Policy policy(IdentifierKind kind) {
        return new KindTerms.Policy(
                latest.contains(kind), variants.getOrDefault(kind, kind.equals(IdentifierKind.USERNAME)));
    }

    Duration patienceWithoutDatabase() {
        return whenUnreachable == WhenUnreachable.MEMORY ? unreachableFor : Duration.ZERO;
    }

    CatalogLease.Terms looks(IdentifierKind kind) {
        Set<TableCatalog> judging = new LinkedHashSet<>();
        sources.stream()
                .filter(source -> source.stores().containsKey(kind))
                .forEach(source -> judging.addAll(source.catalogs()));
        return new CatalogLease.Terms(
                catalogInterval.multipliedBy(5).dividedBy(2), patienceWithoutDatabase(), clocks(), judging);
    }

    RegistryThreads threads() {
        return new RegistryThreads(recheckThreads, recheckQueue);
    }

    Map<IdentifierKind, List<RegisteredIdentifierStore>> allStores() {
        Map<IdentifierKind, List<RegisteredIdentifierStore>> all = new LinkedHashMap<>();
        stores.forEach((kind, list) -> all.put(kind, new ArrayList<>(list)));
        for (IdentifierSource source : sources) {
            source.stores()
                    .forEach((kind, list) ->
                            all.computeIfAbsent(kind, k -> new ArrayList<>()).addAll(list));
        }
        if (feed == null && (given.contains("bound") || !latest.isEmpty())) {
            throw new IllegalStateException("bound(...) and latest(...) need a feed(...)");
        }
        if (all.isEmpty()) {
            throw new IllegalStateException("there is nothing to check against: call source(...) with a factory whose"
                    + " entities have a @RegisteredIdentifier attribute, or store(...)");
        }
        return all;
    }

    Rules rulesOf(IdentifierKind kind) {
        boolean username = kind.equals(IdentifierKind.USERNAME);
        IdentifierNormalizer normalizer = normalizers.getOrDefault(kind, DEFAULTS.get(kind));
        if (normalizer == null) {
            throw new IllegalStateException("kind '" + kind + "' has no normalizer"
                    + (kind.equals(IdentifierKind.PHONE)
                            ? ": call normalizer(kind, ...)"
                            : ". For user names, use the kind that has their rules:"
                                    + " IdentifierTable.of(table, column, IdentifierKind.USERNAME), or"
                                    + " @RegisteredIdentifier(\"username\"). Otherwise call normalizer(kind, ...)"));
        }
        ReservedNames names = reserved.getOrDefault(kind, username ? ReservedNames.defaults() : ReservedNames.none());
        return Rules.of(kind, normalizer, names);
    }

    private Generation.Limits limits() {
        return Generation.Limits.of(whitelistSize);
    }

    RegistrySettings settings(@Nullable Snapshots folder) {
        GenerationFactory generations = folder == null
                ? GenerationFactory.of(filter, hash, limits())
                : folder.generations(filter, hash, limits());
        return new RegistrySettings(
                recheckTimeout,
                new RegistrySettings.Announced(maxAnnounced, linger),
                new RegistrySettings.Births(
                        generations,
                        new RegistrySettings.Pace(rescanInterval, REBUILD_INTERVAL, RENEWAL_INTERVAL),
                        barrierTimeout,
                        scanThreads),
                new RegistrySettings.Audits(auditInterval, auditRows),
                new RegistrySettings.Time(tick, nanoTime),
                listener);
    }

    private <T> T once(String setting, T value) {
        if (!given.add(setting)) {
            throw new IllegalStateException(setting + " was already set");
        }
        return value;
    }

    /** {@linkplain #once Once}, and in its range. */
    private long within(String setting, long value, long least, long most) {
        once(setting, value);
        if (value < least || value > most) {
            throw new IllegalArgumentException(
                    setting + " must be from " + least + " to " + most + ", but was " + value);
        }
        return value;
    }

    private Duration within(String setting, Duration value, Duration least, Duration most) {
        once(setting, value);
        if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
            throw new IllegalArgumentException(
                    setting + " must be from " + least + " to " + most + ", but was " + value);
        }
        return value;
    }
}
