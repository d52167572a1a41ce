package io.github.untaken;

import io.github.untaken.Verdict.DecidedBy;
import io.github.untaken.Verdict.Status;
import io.github.untaken.filter.FilterType;
import io.github.untaken.normalize.ReservedNames;
import io.github.untaken.normalize.UsernameNormalizer;
import io.github.untaken.spi.IdentifierKind;
import io.github.untaken.spi.IdentifierNormalizer;
import io.github.untaken.spi.IdentifierSource;
import io.github.untaken.spi.RegisteredIdentifierStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Answers whether an identifier is already registered: from memory whenever the honest answer is no, else from the
 * database.
 *
 * <pre>{@code
 * AvailabilityChecker checker =
 *         AvailabilityChecker.builder().source(JpaIdentifiers.of(entityManagerFactory)).build();
 * boolean free = checker.check(IdentifierKind.USERNAME, "alice").available();
 * }</pre>
 *
 * <p>A check that starts after a commit was acknowledged to anybody never answers available for the identifier committed,
 * as far as the registry sees the writes; what it cannot see it finds at the next rescan. The database's unique constraint
 * remains the judge when the identifier is registered.
 *
 * <p>Thread-safe. Keep one for each database, and close it before the database.
 */
public final class AvailabilityChecker implements AutoCloseable {
    private static final long CLOSE_WAIT_SECONDS = 10;

    /** How one kind turns texts into keys, and which keys nobody may have. */
    private record Rules(IdentifierNormalizer normalizer, ReservedNames reserved) {}

    private final Map<IdentifierKind, IdentifierRegistry> registries;
    private final Map<IdentifierKind, Rules> rules;
    private final List<IdentifierSource> sources;
    private final RegistryThreads threads;
    private final Registrations registrations;

    private AvailabilityChecker(Builder builder) {
        Map<IdentifierKind, List<RegisteredIdentifierStore>> stores = builder.allStores();
        this.rules = builder.rulesOf(stores.keySet());
        this.sources = List.copyOf(builder.sources);
        this.threads = new RegistryThreads(builder.recheckThreads, builder.recheckQueue);
        RegistrySettings settings = builder.settings();
        Map<IdentifierKind, IdentifierRegistry> made = new LinkedHashMap<>();
        stores.forEach((kind, list) -> made.put(
                kind, new IdentifierRegistry(kind, rules(kind).normalizer(), new Stores(list), settings, threads)));
        this.registries = made;
        this.registrations = new DirectRegistrations();
    }

    private void start() {
        sources.forEach(source -> source.connect(() -> new TransactionRecord(registries)));
        registries.values().forEach(IdentifierRegistry::start);
    }

    /** Starts a builder with no kinds and every setting at its default. */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Whether a text may be registered as an identifier of this kind. From memory where possible; otherwise waits for one
     * store read, at most the recheck timeout, after which the answer is {@code UNKNOWN}. Never throws because of the text.
     *
     * @throws IllegalArgumentException if there is no such kind
     */
    public Verdict check(IdentifierKind kind, String text) {
        IdentifierRegistry registry = registry(registries, kind);
        Rules rules = rules(kind);
        String key = rules.normalizer().key(text);
        Verdict refused = refusal(kind, rules, text, key);
        return refused != null ? registry.counted(refused) : registry.check(key);
    }

    /**
     * As {@link #check}, but never reads the store and never waits: {@code UNKNOWN} where it would have to. Whatever this
     * calls available is.
     *
     * @throws IllegalArgumentException if there is no such kind
     */
    public Verdict checkInMemory(IdentifierKind kind, String text) {
        IdentifierRegistry registry = registry(registries, kind);
        Rules rules = rules(kind);
        String key = rules.normalizer().key(text);
        Verdict refused = refusal(kind, rules, text, key);
        return refused != null ? registry.counted(refused) : registry.checkInMemory(key);
    }

    /**
     * The verdicts of many texts, in their order; cheaper than as many calls of {@link #check}, since the memory reads
     * overlap and the store reads run side by side.
     *
     * @throws IllegalArgumentException if there is no such kind
     */
    public List<Verdict> checkAll(IdentifierKind kind, Collection<String> texts) {
        IdentifierRegistry registry = registry(registries, kind);
        Rules rules = rules(kind);
        int size = texts.size();
        @Nullable Verdict[] verdicts = new Verdict[size];
        List<Integer> asked = new ArrayList<>(size);
        List<String> keys = new ArrayList<>(size);
        int index = 0;
        for (String text : texts) {
            String key = rules.normalizer().key(text);
            verdicts[index] = refusal(kind, rules, text, key);
            if (verdicts[index] == null) {
                asked.add(index);
                keys.add(key);
            }
            index++;
        }
        fillIn(registry, asked, keys, verdicts);
        List<Verdict> all = new ArrayList<>(size);
        for (Verdict verdict : verdicts) {
            if (verdict != null) {
                all.add(registry.counted(verdict));
            }
        }
        return all;
    }

    private static void fillIn(
            IdentifierRegistry registry, List<Integer> asked, List<String> keys, @Nullable Verdict[] verdicts) {
        @Nullable Verdict[] answers = new Verdict[keys.size()];
        registry.allFromMemory(keys.toArray(String[]::new), answers);
        Map<Integer, CompletableFuture<Boolean>> reads = new LinkedHashMap<>();
        for (int i = 0; i < answers.length; i++) {
            if (answers[i] == null) {
                reads.put(i, registry.readAhead(keys.get(i)));
            }
        }
        reads.forEach((i, read) -> answers[i] = registry.fromStore(keys.get(i), read));
        for (int i = 0; i < answers.length; i++) {
            verdicts[asked.get(i)] = answers[i];
        }
    }

    private static @Nullable Verdict refusal(IdentifierKind kind, Rules rules, String text, String key) {
        Optional<String> rejection = rules.normalizer().rejection(text, key);
        if (rejection.isPresent()) {
            return new Verdict(kind, Status.INVALID, DecidedBy.NORMALIZER, key, rejection);
        }
        if (rules.reserved().contains(key)) {
            return new Verdict(kind, Status.RESERVED, DecidedBy.RESERVED_LIST, key, Optional.empty());
        }
        return null;
    }

    /** The kinds it knows, in no particular order. */
    public Set<IdentifierKind> kinds() {
        return Set.copyOf(registries.keySet());
    }

    /**
     * Whether answers of this kind come from memory.
     *
     * @throws IllegalArgumentException if there is no such kind
     */
    public RegistryState state(IdentifierKind kind) {
        return registry(registries, kind).state();
    }

    /**
     * A kind in figures. Cheap enough to be asked every second.
     *
     * @throws IllegalArgumentException if there is no such kind
     */
    public RegistryStats stats(IdentifierKind kind) {
        return registry(registries, kind).stats();
    }

    /**
     * Asks for a rebuild from a fresh scan and returns at once. For writes the registry cannot see, such as those of other
     * programs.
     *
     * @throws IllegalArgumentException if there is no such kind
     */
    public void rescan(IdentifierKind kind) {
        registry(registries, kind).rescan();
    }

    /**
     * Forgets every key proved absent; they are proved again when asked for.
     *
     * @throws IllegalArgumentException if there is no such kind
     */
    public void clearWhitelist(IdentifierKind kind) {
        registry(registries, kind).clearWhitelist();
    }

    /** The write side for code that no source tells of. */
    public Registrations registrations() {
        return registrations;
    }

    /**
     * Every later check is {@code UNKNOWN}. Waits a few seconds at most for reads under way. Closing twice is closing once.
     */
    @Override
    public void close() {
        sources.forEach(IdentifierSource::disconnect);
        registries.values().forEach(IdentifierRegistry::close);
        threads.close(CLOSE_WAIT_SECONDS);
    }

    static IdentifierRegistry registry(Map<IdentifierKind, IdentifierRegistry> registries, IdentifierKind kind) {
        IdentifierRegistry registry = registries.get(kind);
        if (registry == null) {
            throw new IllegalArgumentException(
                    "there is no store of kind '" + kind + "', only of " + registries.keySet()
                            + ": annotate an entity attribute with @RegisteredIdentifier(\"" + kind
                            + "\") or give the builder a store");
        }
        return registry;
    }

    private Rules rules(IdentifierKind kind) {
        Rules found = rules.get(kind);
        if (found == null) {
            throw new IllegalArgumentException("there is no normalizer of kind '" + kind + "'");
        }
        return found;
    }

    private final class DirectRegistrations implements Registrations {
        @Override
        public Announcement announce(IdentifierKind kind, String text) {
            return SingleAnnouncement.ofTransaction(announced(kind, text));
        }

        @Override
        public Announcement watch(IdentifierKind kind, String text) {
            return SingleAnnouncement.ofRequest(announced(kind, text));
        }

        private NetEffect announced(IdentifierKind kind, String text) {
            IdentifierRegistry registry = registry(registries, kind);
            NetEffect effect = new NetEffect(registry);
            effect.adding(registry.key(text));
            return effect;
        }

        @Override
        public void released(IdentifierKind kind, String text) {
            registry(registries, kind).dropRemoval();
        }

        @Override
        public void bulk(IdentifierKind kind, Runnable work) {
            IdentifierRegistry registry = registry(registries, kind);
            registry.openDoubt("bulk work is under way");
            try {
                work.run();
            } finally {
                registry.closeDoubt(true);
            }
        }
    }

    /**
     * Settings of a checker; each has a sensible default except the sources or stores. Not thread-safe. Setting a single
     * value twice is an error, sources and stores add up.
     */
    public static final class Builder {
        private final List<IdentifierSource> sources = new ArrayList<>();
        private final Map<IdentifierKind, List<RegisteredIdentifierStore>> stores = new LinkedHashMap<>();
        private final Map<IdentifierKind, IdentifierNormalizer> normalizers = new HashMap<>();
        private final Map<IdentifierKind, ReservedNames> reserved = new HashMap<>();
        private final Map<String, Object> given = new HashMap<>();
        private FilterType filter = FilterType.CUCKOO;
        private CheckListener listener = new CheckListener() {};
        private int recheckThreads = 4;
        private int recheckQueue = 256;
        private Duration recheckTimeout = Duration.ofSeconds(1);
        private long whitelistSize = 100_000;
        private Duration whitelistLifetime = Duration.ofHours(1);
        private int maxPending = 100_000;
        private Duration rescanInterval = Duration.ofHours(1);
        private Duration barrierTimeout = Duration.ofMinutes(1);
        private LongSupplier nanoTime = System::nanoTime;

        private Builder() {}

        /** Where identifiers are stored and who tells of changes. May be called for several databases. */
        public Builder source(IdentifierSource source) {
            sources.add(source);
            return this;
        }

        /** A store without a source, for applications that tell of changes through {@link #registrations()}. */
        public Builder store(IdentifierKind kind, RegisteredIdentifierStore store) {
            stores.computeIfAbsent(kind, k -> new ArrayList<>()).add(store);
            return this;
        }

        /** The key function and policy of a kind. Default for user names: {@link UsernameNormalizer#defaults}. */
        public Builder normalizer(IdentifierKind kind, IdentifierNormalizer normalizer) {
            once("normalizer of " + kind, normalizer);
            normalizers.put(kind, normalizer);
            return this;
        }

        /** What nobody may register. Default for user names: {@link ReservedNames#defaults}; none for other kinds. */
        public Builder reserved(IdentifierKind kind, ReservedNames names) {
            once("reserved names of " + kind, names);
            reserved.put(kind, names);
            return this;
        }

        /** The membership filter. Default {@link FilterType#CUCKOO}. */
        public Builder filter(FilterType type) {
            once("filter", type);
            this.filter = type;
            return this;
        }

        /** Who is told of checks, reads and changes of state. Default nobody. */
        public Builder listener(CheckListener told) {
            once("listener", told);
            this.listener = new GuardedListener(told);
            return this;
        }

        /** Threads that read the store, for all kinds together; so many connections may be in use. 1 to 256, default 4. */
        public Builder recheckThreads(int count) {
            once("recheckThreads", count);
            this.recheckThreads = (int) within("recheckThreads", count, 1, 256);
            return this;
        }

        /** Store reads that may wait; more are {@code UNKNOWN} at once. 1 to 1,000,000, default 256. */
        public Builder recheckQueue(int count) {
            once("recheckQueue", count);
            this.recheckQueue = (int) within("recheckQueue", count, 1, 1_000_000);
            return this;
        }

        /** How long a check waits for the store. 1 ms to 1 minute, default 1 s. */
        public Builder recheckTimeout(Duration timeout) {
            once("recheckTimeout", timeout);
            this.recheckTimeout = within("recheckTimeout", timeout, Duration.ofMillis(1), Duration.ofMinutes(1));
            return this;
        }

        /** Keys on the whitelist of each kind. 0 to 100,000,000, default 100,000. */
        public Builder whitelistSize(long keys) {
            once("whitelistSize", keys);
            this.whitelistSize = within("whitelistSize", keys, 0, 100_000_000);
            return this;
        }

        /** How long a key stays on the whitelist. 1 s to 365 days, default 1 hour. */
        public Builder whitelistLifetime(Duration lifetime) {
            once("whitelistLifetime", lifetime);
            this.whitelistLifetime = within("whitelistLifetime", lifetime, Duration.ofSeconds(1), Duration.ofDays(365));
            return this;
        }

        /**
         * Keys of transactions under way, for each kind; beyond it the store answers until they have ended and a rebuild
         * has finished. 1 to 10,000,000, default 100,000.
         */
        public Builder maxPending(int keys) {
            once("maxPending", keys);
            this.maxPending = (int) within("maxPending", keys, 1, 10_000_000);
            return this;
        }

        /**
         * How often the store is scanned anew without another reason; bounds how long a write that nobody tells of stays
         * unseen. 1 s to 365 days, default 1 hour.
         */
        public Builder rescanInterval(Duration interval) {
            once("rescanInterval", interval);
            this.rescanInterval = within("rescanInterval", interval, Duration.ofSeconds(1), Duration.ofDays(365));
            return this;
        }

        /**
         * How long a rebuild waits for transactions that were open when it began, before it gives up and tries later. 1 ms
         * to 1 day, default 1 minute.
         */
        public Builder barrierTimeout(Duration timeout) {
            once("barrierTimeout", timeout);
            this.barrierTimeout = within("barrierTimeout", timeout, Duration.ofMillis(1), Duration.ofDays(1));
            return this;
        }

        /** The time source of lifetimes and intervals, in nanoseconds. Default {@link System#nanoTime}; for tests. */
        public Builder ticker(LongSupplier nanos) {
            once("ticker", nanos);
            this.nanoTime = nanos;
            return this;
        }

        /**
         * Makes the checker, connects its sources and starts the first scan in the background; until that has finished the
         * store answers.
         *
         * @throws IllegalStateException if there is no store, or a kind has no normalizer
         */
        public AvailabilityChecker build() {
            AvailabilityChecker checker = new AvailabilityChecker(this);
            checker.start();
            return checker;
        }

        private Map<IdentifierKind, List<RegisteredIdentifierStore>> allStores() {
            Map<IdentifierKind, List<RegisteredIdentifierStore>> all = new LinkedHashMap<>();
            stores.forEach((kind, list) -> all.put(kind, new ArrayList<>(list)));
            for (IdentifierSource source : sources) {
                source.stores()
                        .forEach((kind, list) -> all.computeIfAbsent(kind, k -> new ArrayList<>())
                                .addAll(list));
            }
            if (all.isEmpty()) {
                throw new IllegalStateException(
                        "there is nothing to check against: call source(...) with a factory whose"
                                + " entities have a @RegisteredIdentifier attribute, or store(...)");
            }
            return all;
        }

        private Map<IdentifierKind, Rules> rulesOf(Set<IdentifierKind> kinds) {
            Map<IdentifierKind, Rules> made = new HashMap<>();
            for (IdentifierKind kind : kinds) {
                boolean username = kind.equals(IdentifierKind.USERNAME);
                IdentifierNormalizer normalizer =
                        normalizers.getOrDefault(kind, username ? UsernameNormalizer.defaults() : null);
                if (normalizer == null) {
                    throw new IllegalStateException(
                            "kind '" + kind + "' has no normalizer: call normalizer(kind, ...)");
                }
                ReservedNames names =
                        reserved.getOrDefault(kind, username ? ReservedNames.defaults() : ReservedNames.none());
                made.put(kind, new Rules(normalizer, names.folded(normalizer)));
            }
            return made;
        }

        private RegistrySettings settings() {
            return new RegistrySettings(
                    filter,
                    recheckTimeout,
                    whitelistSize,
                    whitelistLifetime,
                    maxPending,
                    10_000,
                    rescanInterval,
                    Duration.ofSeconds(10),
                    barrierTimeout,
                    Duration.ofMinutes(10),
                    nanoTime,
                    listener);
        }

        private void once(String setting, Object value) {
            if (given.putIfAbsent(setting, value) != null) {
                throw new IllegalStateException(setting + " was already set");
            }
        }

        private static long within(String setting, long value, long least, long most) {
            if (value < least || value > most) {
                throw new IllegalArgumentException(
                        setting + " must be from " + least + " to " + most + ", but was " + value);
            }
            return value;
        }

        private static Duration within(String setting, Duration value, Duration least, Duration most) {
            if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
                throw new IllegalArgumentException(
                        setting + " must be from " + least + " to " + most + ", but was " + value);
            }
            return value;
        }
    }
}
