package io.github.untaken.kind;

import io.github.untaken.IdentifierKind;
import io.github.untaken.KindStats;
import io.github.untaken.memory.Generations;
import io.github.untaken.spi.IdentifierNormalizer;
import io.github.untaken.store.Errands.Errand;
import io.github.untaken.store.Stores;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Measures, beside the normal work, what is promised: looks up some committed rows in memory, and counts how often
 * memory says "maybe" to made-up keys for nothing.
 *
 * <p>The budget of one audit is a number of rows and at most as many store reads. Made-up keys cost no read unless the
 * filter says maybe, so a thousand of them are tried for each row. A row that memory does not know is read again, in
 * the order that tells a proven miss from a row that was being registered or deleted meanwhile.
 *
 * <p>Used by the rebuild thread alone, except for {@link #findings}.
 */
final class Auditor {
    private static final int FREE_KEYS_PER_ROW = 1_000;

    private final IdentifierKind kind;
    private final IdentifierNormalizer normalizer;
    private final Stores stores;
    private final Generations generations;
    private final Evidence evidence;
    private final RegistrySettings settings;
    private final int rows;
    private final SplittableRandom random;
    private volatile KindStats.Audit findings = new KindStats.Audit(0, 0, 0, 0, 0);

    Auditor(KindTerms terms, Generations generations, Evidence evidence, RegistrySettings settings, long seed) {
        this.kind = terms.kind();
        this.normalizer = terms.normalizer();
        this.stores = terms.stores();
        this.generations = generations;
        this.evidence = evidence;
        this.settings = settings;
        this.rows = settings.audits().rows();
        this.random = new SplittableRandom(seed);
    }

    KindStats.Audit findings() {
        return findings;
    }

    /** Does nothing unless memory answers. Blocks on the store, and on the log if one is followed. */
    void audit(Errand errand) {
        if (rows == 0 || !generations.view().ready()) {
            return;
        }
        List<String> sampled = stores.sample(rows);
        int looked = 0;
        int missing = 0;
        int secondReads = 0;
        // After a proven miss the store answers, and a second miss could not be told from what memory never knew.
        while (missing == 0 && looked < sampled.size()) {
            errand.step();
            String value = sampled.get(looked++);
            if (evidence.unknownToMemory(value)) {
                secondReads++;
                missing += evidence.provesMiss(value, this::inStore).join() ? 1 : 0;
            }
        }
        int freeKeys = rows * FREE_KEYS_PER_ROW;
        int falsePositives = 0;
        int reads = 0;
        int tried = 0;
        while (tried < freeKeys && reads < rows) {
            tried++;
            String key = normalizer.key(madeUp());
            if (evidence.suspectedByFilter(key)) {
                reads++;
                errand.step();
                if (!inStore(key)) {
                    falsePositives++;
                }
            }
        }
        KindStats.Audit sum =
                sum(findings, new KindStats.Audit(looked, missing, tried, falsePositives, secondReads + reads));
        errand.step();
        findings = sum;
        settings.listener().audited(kind, sum);
    }

    private static KindStats.Audit sum(KindStats.Audit before, KindStats.Audit more) {
        return new KindStats.Audit(
                before.rows() + more.rows(),
                before.missing() + more.missing(),
                before.freeKeys() + more.freeKeys(),
                before.falsePositives() + more.falsePositives(),
                before.storeReads() + more.storeReads());
    }

    private boolean inStore(String text) {
        return stores.exists(text, settings.recheckTimeout()).held();
    }

    /** Too long ever to be anyone's name. */
    private String madeUp() {
        return "audit" + Long.toHexString(random.nextLong()) + Long.toHexString(random.nextLong());
    }
}
