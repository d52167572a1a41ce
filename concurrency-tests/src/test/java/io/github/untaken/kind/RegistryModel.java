package io.github.untaken.kind;

import io.github.untaken.Announcement;
import io.github.untaken.CheckListener;
import io.github.untaken.IdentifierKind;
import io.github.untaken.Verdict;
import io.github.untaken.Verdict.Status;
import io.github.untaken.filter.FilterType;
import io.github.untaken.filter.KeyHasher;
import io.github.untaken.filter.MembershipFilters;
import io.github.untaken.log.CatalogLease;
import io.github.untaken.memory.Generation;
import io.github.untaken.memory.Telling;
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
    /** A value of the same key, which the store, that compares exactly, tells apart. */
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
    final RegisteredKind registered;

    /** A ready registry over an empty table. */
    public RegistryModel() {
        RegistrySettings settings = new RegistrySettings(
                Duration.ofSeconds(20),
                new RegistrySettings.Announced(100, Duration.ofMinutes(10)),
                new RegistrySettings.Births(
                        (fold, planned) -> new Generation(
                                fold,
                                KeyHasher.random(),
                                MembershipFilters.of(FilterType.CUCKOO, 16),
                                new Generation.Limits(100, 100, 100)),
                        new RegistrySettings.Pace(Duration.ofHours(1), Duration.ZERO, Duration.ofSeconds(-1)),
                        Duration.ofSeconds(1),
                        1),
                new RegistrySettings.Audits(Duration.ofDays(300), 0),
                new RegistrySettings.Time(Duration.ofSeconds(1), () -> 0L),
                new CheckListener() {});
        registered = new RegisteredKind(
                new KindTerms(
                        IdentifierKind.of("name"),
                        LOWER_CASE,
                        new Stores(List.of(rows)),
                        CatalogLease.Terms.UNASKED,
                        KindTerms.Policy.PLAIN,
                        new KindTerms.Workers(Runnable::run, rebuilds, Runnable::run)),
                settings,
                null);
        registered.start();
        rebuilds.runAll();
    }

    /** Alice was never there. */
    public void nothing() {}

    /** Alice was there when memory was filled, and is not any more: the filter says maybe. */
    public void aStaleEntry() {
        aRow();
        rows.delete(ALICE);
    }

    /** Alice is there, and was scanned. */
    public void aRow() {
        rows.commit(ALICE);
        rebuild();
    }

    public void check() {
        check(ALICE);
    }

    public void checkDisplayForm() {
        check(DISPLAY_FORM);
    }

    private void check(String text) {
        int before = rows.committedAt(text);
        int keyBefore = rows.committedAt(ALICE);
        if (registered.registry().check(text, ALICE, false, () -> true, null).status() == Status.AVAILABLE) {
            failIfThereSince(text, before);
            failIfThereSince(ALICE, keyBefore);
        }
    }

    public void checkInBatch() {
        int before = rows.committedAt(ALICE);
        Verdict[] verdicts = new Verdict[1];
        registered.registry().allFromMemory(List.of(ALICE), new String[] {ALICE}, verdicts);
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
        registered.registry().readAhead(ALICE, ALICE);
    }

    public void register() {
        Telling telling = tell(ALICE);
        rows.commit(ALICE);
        end(telling);
    }

    /** Its COMMIT was acknowledged, and somebody asks before the telling ends. */
    public void registerAndCheck() {
        Telling telling = tell(ALICE);
        rows.commit(ALICE);
        check();
        end(telling);
    }

    /** Its COMMIT was acknowledged, and a birth comes and goes before the telling ends. */
    public void registerAndRebuild() {
        Telling telling = tell(ALICE);
        rows.commit(ALICE);
        rebuild();
        end(telling);
    }

    public void registerDisplayForm() {
        Telling telling = tell(DISPLAY_FORM);
        rows.commit(DISPLAY_FORM);
        end(telling);
    }

    /** The session was given up for lost; its COMMIT lands after that. */
    public void registerAfterItIsGivenUp() {
        Telling telling = tell(ALICE);
        registered.tellings().linger(telling);
        rows.commit(ALICE);
    }

    public void registerInBulk() {
        Telling telling = new Telling();
        registered.tellings().unseen(telling);
        rows.commit(ALICE);
        registered.tellings().close(telling);
    }

    /** In a request that merely mentions her. */
    public void registerMentioned() {
        try (Announcement mentioned = registered.watched().watch(ALICE)) {
            rows.commit(ALICE);
        }
    }

    public void registerInVain() {
        end(tell(ALICE));
    }

    public void delete() {
        rows.delete(ALICE);
    }

    public void rebuild() {
        registered.rescan();
        rebuilds.runAll();
    }

    /** If a name that was told has been found absent. */
    public void renew() {
        rebuilds.tick();
        rebuilds.runAll();
    }

    private Telling tell(String text) {
        Telling telling = new Telling();
        registered.tellings().tell(telling, text);
        return telling;
    }

    private void end(Telling telling) {
        registered.tellings().over(telling);
        registered.tellings().linger(telling);
    }

    /** A committed row was called available. */
    private static final class FalseAvailable extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }
}
