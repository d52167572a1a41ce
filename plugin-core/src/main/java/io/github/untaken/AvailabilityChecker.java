package io.github.untaken;

import io.github.untaken.spi.IdentifierKind;
import io.github.untaken.spi.IdentifierSource;
import io.github.untaken.spi.RegisteredIdentifierStore;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
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

    private final Map<IdentifierKind, IdentifierRegistry> registries;
    private final Map<IdentifierKind, Rules> rules;
    private final List<IdentifierSource> sources;
    private final RegistryThreads threads;
    private final Registrations registrations;

    AvailabilityChecker(AvailabilityCheckerBuilder builder) {
        Map<IdentifierKind, List<RegisteredIdentifierStore>> stores = builder.allStores();
        this.rules = builder.rulesOf(stores.keySet());
        this.sources = List.copyOf(builder.sources());
        this.threads = builder.threads();
        RegistrySettings settings = builder.settings();
        Map<IdentifierKind, IdentifierRegistry> made = new LinkedHashMap<>();
        stores.forEach((kind, list) -> made.put(
                kind, new IdentifierRegistry(kind, rules(kind).normalizer(), new Stores(list), settings, threads)));
        this.registries = made;
        this.registrations = new DirectRegistrations();
    }

    void start() {
        sources.forEach(source -> source.connect(() -> new TransactionRecord(registries)));
        registries.values().forEach(IdentifierRegistry::start);
    }

    /** Starts a builder with no kinds and every setting at its default. */
    public static AvailabilityCheckerBuilder builder() {
        return new AvailabilityCheckerBuilder();
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
        String key = rules.key(text);
        Verdict refused = rules.refusal(text, key);
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
        String key = rules.key(text);
        Verdict refused = rules.refusal(text, key);
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
            String key = rules.key(text);
            verdicts[index] = rules.refusal(text, key);
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
            Generations generations = registry(registries, kind).generations();
            generations.openDoubt("bulk work is under way");
            try {
                work.run();
            } finally {
                generations.closeDoubt(true);
            }
        }
    }
}
