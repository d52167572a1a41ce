package io.github.untaken.sample.figures;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.IdentifierKind;
import io.github.untaken.KindState;
import io.github.untaken.KindStats;
import io.github.untaken.Verdict.DecidedBy;
import io.github.untaken.sample.database.SilentImport;
import io.github.untaken.sample.reads.CheckReads;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads the counters of the whole site at one moment, without what this page itself asks. Thread-safe. */
public final class SiteMeter {
    /** What memory answered. The rules' answers are not in it: they would cost no read on any site. */
    private static final Set<DecidedBy> FROM_MEMORY = Set.of(DecidedBy.FILTER, DecidedBy.WHITELIST);

    private static final int BYTES_OF_AN_ENTRY = 2;

    private final AvailabilityChecker checker;
    private final List<CheckReads> reads;
    private final SilentImport imported;

    /**
     * The site at one moment. The first three are sums since the start.
     *
     * @param reads what was read for the checks
     * @param unknownImports names of the last import by SQL that memory calls free
     * @param ready whether all answer from memory
     */
    public record Figures(
            Checks checks, CheckReads.Sum reads, Audits audits, Memory memory, int unknownImports, boolean ready) {

        /** Page reads that one query by a check has cost on the mean, measured; {@code NaN} before the first. */
        public double readsPerQuery() {
            long queries = reads.databaseQueries();
            return queries == 0 ? Double.NaN : (double) reads.pageReads() / queries;
        }

        /** An estimate: what the answers from memory would have cost at that rate. */
        public double readsAvoided() {
            return checks.fromMemory * readsPerQuery();
        }
    }

    /**
     * Answers.
     *
     * @param all also the rules'
     * @param fromMemory those without the database although the rules had no objection
     * @param fromDatabase those that needed the database, whether it answered or not
     */
    public record Checks(long all, long fromMemory, long fromDatabase) {}

    /**
     * What audits did.
     *
     * @param freeKeys made-up keys that they asked the membership filters for
     * @param falsePositives those of them that a filter took for taken
     * @param reads store reads that they made
     */
    public record Audits(long freeKeys, long falsePositives, long reads) {}

    /**
     * What the registries hold.
     *
     * @param whitelisted keys in their whitelists
     */
    public record Memory(long bytes, long entries, long whitelisted) {

        /** The share of it that entries fill; {@code NaN} where there is none. */
        public double load() {
            return SiteMeter.load(entries, bytes);
        }
    }

    /** The share of so many bytes that entries fill: the cuckoo filter keeps 16 bits of each. */
    public static double load(long entries, long bytes) {
        return bytes == 0 ? Double.NaN : Math.min(1, (double) entries * BYTES_OF_AN_ENTRY / bytes);
    }

    /** @param reads what the store reads of checks are counted by, each in one of them */
    public SiteMeter(AvailabilityChecker checker, List<CheckReads> reads, SilentImport imported) {
        this.checker = checker;
        this.reads = List.copyOf(reads);
        this.imported = imported;
    }

    /** Counts the imported names that memory does not know. */
    public synchronized void look() {
        imported.look(checker);
    }

    /** Checks by what decided them, without those {@link #look} made. */
    public synchronized Map<DecidedBy, Long> decided(IdentifierKind kind, KindStats stats) {
        Map<DecidedBy, Long> decided = new EnumMap<>(stats.answers().decided());
        if (kind.equals(IdentifierKind.USERNAME)) {
            decided.replaceAll((by, count) -> count - imported.looks(by));
        }
        return decided;
    }

    /** All checks of the site so far. */
    public long checks() {
        return now().checks().all();
    }

    public synchronized Figures now() {
        long checks = 0;
        long fromMemory = 0;
        long fromDatabase = 0;
        long freeKeys = 0;
        long falsePositives = 0;
        long auditReads = 0;
        long bytes = 0;
        long entries = 0;
        long whitelisted = 0;
        boolean ready = true;
        for (IdentifierKind kind : checker.kinds()) {
            KindStats stats = checker.stats(kind);
            for (Map.Entry<DecidedBy, Long> decided : decided(kind, stats).entrySet()) {
                checks += decided.getValue();
                fromMemory += FROM_MEMORY.contains(decided.getKey()) ? decided.getValue() : 0;
                fromDatabase += decided.getKey() == DecidedBy.STORE ? decided.getValue() : 0;
            }
            freeKeys += stats.audit().freeKeys();
            falsePositives += stats.audit().falsePositives();
            auditReads += stats.audit().storeReads();
            bytes += stats.memory().bytes();
            entries += stats.memory().entries();
            whitelisted += stats.memory().whitelisted();
            ready &= stats.state() == KindState.READY;
        }
        return new Figures(
                new Checks(checks, fromMemory, fromDatabase),
                reads.stream().map(CheckReads::sum).reduce(CheckReads.Sum.NONE, CheckReads.Sum::plus),
                new Audits(freeKeys, falsePositives, auditReads),
                new Memory(bytes, entries, whitelisted),
                imported.unknown(),
                ready);
    }
}
