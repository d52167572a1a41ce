package io.github.untaken;

import io.github.untaken.Verdict.Status;
import io.github.untaken.filter.FilterType;
import io.github.untaken.filter.KeyHasher;
import io.github.untaken.filter.MembershipFilters;
import io.github.untaken.memory.Generation;
import io.github.untaken.memory.Spelling;
import io.github.untaken.spi.IdentifierNormalizer;
import io.github.untaken.store.Stores;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A registry made of its real parts over {@link ModelRows}, and what threads do with the name "alice". Rechecks run on the
 * thread that asks, rebuilds on the thread that calls {@link #rebuild}, so that the model checker sees every step.
 *
 * <p>The property is in {@link #check}: who asks for a row that was committed before, and still is, may hear anything but
 * "available".
 */
public final class RegistryModel {
    private static final String ALICE = "alice";
    /** A value of the same key, which the store, that compares exactly, does not find by it. */
    private static final String DISPLAY_FORM = "Alice";

    private static final IdentifierNormalizer LOWER_CASE = new IdentifierNormalizer() {
        @Override
        public String key(String value) {
            return value.equals(DISPLAY_FORM) ? ALICE : value;
        }

        @Override
        public Optional<String> rejection(String text, String key) {
            return Optional.empty();
        }
    };

    final ModelRows rows = new ModelRows();
    private final ModelRebuilds rebuilds = new ModelRebuilds();
    final IdentifierRegistry registry;

    /** A ready registry over an empty table. */
    public RegistryModel() {
        RegistrySettings settings = new RegistrySettings(
                (planned, folds) ->
                        new Generation(KeyHasher.random(), MembershipFilters.of(FilterType.CUCKOO, 16), folds, 100),
                Duration.ofSeconds(20),
                100,
                Duration.ofHours(1),
                100,
                100,
                Duration.ofHours(1),
                Duration.ZERO,
                Duration.ofSeconds(1),
                Duration.ofMinutes(10),
                1,
                0.1,
                Duration.ofDays(300),
                Duration.ofDays(300),
                0,
                Duration.ofSeconds(1),
                () -> 0L,
                new CheckListener() {});
        registry = new IdentifierRegistry(
                IdentifierKind.of("name"),
                LOWER_CASE,
                new Stores(List.of(rows)),
                settings,
                Runnable::run,
                rebuilds,
                null,
                false);
        registry.start();
        rebuilds.runAll();
    }

    /** Alice was never there. */
    public void nothing() {}

    /** Alice was there and left her entry behind: the filter says maybe. */
    public void aStaleEntry() {
        registry.generations().add(ALICE, Spelling.KEY);
    }

    /** Alice is there. */
    public void aRow() {
        rows.commit(ALICE);
        registry.generations().add(ALICE, Spelling.KEY);
    }

    public void check() {
        int before = rows.committedAt(ALICE);
        int displayFormBefore = rows.committedAt(DISPLAY_FORM);
        if (registry.check(ALICE).status() == Status.AVAILABLE) {
            failIfThereSince(ALICE, before);
            failIfThereSince(DISPLAY_FORM, displayFormBefore);
        }
    }

    public void checkInBatch() {
        int before = rows.committedAt(ALICE);
        Verdict[] verdicts = new Verdict[1];
        registry.allFromMemory(new String[] {ALICE}, verdicts);
        if (verdicts[0] != null && verdicts[0].available()) {
            failIfThereSince(ALICE, before);
        }
    }

    private void failIfThereSince(String row, int before) {
        if (before != ModelRows.ABSENT && rows.committedAt(row) == before) {
            throw new FalseAvailable();
        }
    }

    /** The second half of a check: it has found no answer in memory. */
    public void recheck() {
        registry.readAhead(ALICE);
    }

    public void register() {
        NetEffect transaction = announce();
        rows.commit(ALICE);
        transaction.committed();
    }

    /** Its COMMIT was acknowledged, and somebody asks before the transaction is settled. */
    public void registerAndCheck() {
        NetEffect transaction = announce();
        rows.commit(ALICE);
        check();
        transaction.committed();
    }

    /** Its COMMIT was acknowledged, and a rebuild comes and goes before the transaction is settled. */
    public void registerAndRebuild() {
        NetEffect transaction = announce();
        rows.commit(ALICE);
        rebuild();
        transaction.committed();
    }

    /** In a spelling that the store does not find by the key. */
    public void registerDisplayForm() {
        NetEffect transaction = new NetEffect(registry);
        transaction.adding(DISPLAY_FORM);
        rows.commit(DISPLAY_FORM);
        transaction.committed();
    }

    /** The reply to COMMIT was lost. */
    public void registerUnheard() {
        NetEffect transaction = announce();
        rows.commit(ALICE);
        transaction.unknown();
    }

    /** The session was given up for lost; its COMMIT lands after that. */
    public void registerAfterItIsGivenUp() {
        NetEffect transaction = announce();
        transaction.unknown();
        rows.commit(ALICE);
    }

    public void registerInBulk() {
        Generations generations = registry.generations();
        generations.openDoubt("bulk work is under way");
        rows.commit(ALICE);
        generations.closeDoubt(true);
    }

    public void registerInVain() {
        announce().rolledBack();
    }

    public void delete() {
        rows.delete(ALICE);
        tellOfDelete();
    }

    /** A delete told of once more, by a retry or a second click, or one whose savepoint was rolled back. */
    public void tellOfDelete() {
        NetEffect transaction = new NetEffect(registry);
        transaction.removing(ALICE);
        transaction.committed();
    }

    public void rebuild() {
        registry.rescan();
        rebuilds.runAll();
    }

    private NetEffect announce() {
        NetEffect transaction = new NetEffect(registry);
        transaction.adding(ALICE);
        return transaction;
    }

    /** A committed row was called available. */
    private static final class FalseAvailable extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }
}
