package io.github.untaken;

import static io.github.untaken.CheckerFixture.KIND;
import static io.github.untaken.CheckerFixture.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.spi.RegisteredIdentifierStore;
import io.github.untaken.spi.StoreException;
import java.sql.SQLDataException;
import java.sql.SQLException;
import java.sql.SQLSyntaxErrorException;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** What whoever is on call reads of a kind that does not answer from memory: in its reason, and in the log. */
class ReasonTest {
    private static final String BULK = "a write whose identifiers are not known is under way, or has been made";

    /** A database in which somebody leaves a transaction open. */
    private static final class BusyStore extends RowsStore implements RegisteredIdentifierStore.Barrier {
        private volatile boolean busy;

        @Override
        public boolean awaitOpenTransactions(Duration timeout) {
            if (busy) {
                throw new StoreException("transactions of pid 12 were still open");
            }
            return true;
        }
    }

    private static void loseTrust(CheckerFixture f) {
        f.checker.registrations().bulk(KIND, () -> {});
    }

    private static List<String> ofTheRegistry(Told told, String state) {
        return told.lines().stream()
                .filter(line -> line.contains("Registry of kind name is " + state))
                .toList();
    }

    @Test
    void aScanThatFailsIsToldBesideWhatItWasToMend() {
        try (CheckerFixture f = CheckerFixture.ready("alice")) {
            f.store.failing(true);
            loseTrust(f);
            eventually(() -> f.stats().scans().failed() > 2);
            assertThat(f.stats().reason())
                    .startsWith(BULK)
                    .containsOnlyOnce("the last scan failed (the store was told to fail)")
                    .containsOnlyOnce("tried again");
            f.store.failing(false);
            f.awaitState(KindState.READY);
            assertThat(f.stats().reason()).isEmpty();
        }
    }

    @Test
    void theFirstScanThatFailsIsToldToo() {
        ScriptedStore store = new ScriptedStore();
        store.failing(true);
        try (CheckerFixture f = new CheckerFixture(store)) {
            eventually(() -> f.stats().scans().failed() > 2);
            assertThat(f.stats().reason())
                    .isEqualTo(
                            "the first scan has not finished; the last scan failed (the store was told to fail); it is"
                                    + " tried again");
        }
    }

    private static List<String> warnings(Told told) {
        return told.lines().stream().filter(line -> line.startsWith("WARNING")).toList();
    }

    private static RegisteredIdentifierStore scannedWith(SQLException failure) {
        return new RowsStore() {
            @Override
            public void scan(Consumer<String> values) {
                throw new IllegalStateException("as a framework wraps it", failure);
            }
        };
    }

    @Test
    void whatTheDatabaseHasAgainstTheStatementOfAScanIsToldOnce() {
        SQLException refusal = new SQLSyntaxErrorException("Table \"T_USER_17\"\n not found", "42S02");
        try (Told log = new Told();
                CheckerFixture f = new CheckerFixture(scannedWith(refusal), new ScriptedStore(), builder -> {})) {
            eventually(() -> f.stats().scans().failed() > 2);
            String told = "the database refuses the statement with SQLSTATE 42S02, Table \"T_USER_17\" not found";
            assertThat(f.stats().reason()).containsOnlyOnce(told);
            eventually(() -> !warnings(log).isEmpty());
            assertThat(warnings(log)).singleElement().asString().contains(told);
        }
    }

    @Test
    void whatItSaysOfAValueIsNot() {
        SQLException failure = new SQLDataException("invalid input syntax for type integer: alice", "22P02");
        try (Told log = new Told();
                CheckerFixture f = new CheckerFixture(scannedWith(failure), new ScriptedStore(), builder -> {})) {
            eventually(() -> f.stats().scans().failed() > 2);
            assertThat(f.stats().reason()).contains("IllegalStateException").doesNotContain("alice");
            eventually(() -> !warnings(log).isEmpty());
            assertThat(log.lines()).noneMatch(line -> line.contains("alice"));
        }
    }

    @Test
    void aTransactionThatStaysOpenIsNamedOnce() {
        BusyStore store = new BusyStore();
        try (CheckerFixture f = CheckerFixture.ready(store)) {
            store.busy = true;
            loseTrust(f);
            eventually(() -> f.stats().scans().failed() > 2);
            assertThat(f.checker.state(KIND)).isEqualTo(KindState.DEGRADED);
            assertThat(f.stats().reason()).containsOnlyOnce("pid 12").containsOnlyOnce("again");
            store.busy = false;
            f.awaitState(KindState.READY);
        }
    }

    @Test
    void toBecomeDegradedIsAWarningAndToRecoverIsNone() {
        try (Told told = new Told();
                CheckerFixture f = CheckerFixture.ready("alice")) {
            f.store.failing(true);
            loseTrust(f);
            eventually(() -> f.stats().scans().failed() > 2);
            f.store.failing(false);
            f.awaitState(KindState.READY);
            eventually(() -> ofTheRegistry(told, "READY").size() == 2);
            assertThat(ofTheRegistry(told, "DEGRADED"))
                    .allMatch(line -> line.contains(BULK))
                    .filteredOn(line -> line.startsWith("WARNING"))
                    .hasSize(1);
            assertThat(ofTheRegistry(told, "READY")).hasSize(2).allMatch(line -> line.startsWith("INFO"));
        }
    }

    /** An application that writes by bulk statements all day. */
    @Test
    void whatHappensAllTheTimeIsAWarningOnceAnHour() {
        try (Told told = new Told();
                CheckerFixture f = CheckerFixture.ready("alice")) {
            for (int i = 0; i < 3; i++) {
                loseTrust(f);
                f.awaitState(KindState.READY);
            }
            eventually(() -> ofTheRegistry(told, "READY").size() == 4);
            assertThat(ofTheRegistry(told, "DEGRADED"))
                    .hasSize(3)
                    .filteredOn(line -> line.startsWith("WARNING"))
                    .hasSize(1);
            f.nanos.addAndGet(Duration.ofMinutes(61).toNanos());
            loseTrust(f);
            f.awaitState(KindState.READY);
            eventually(() -> ofTheRegistry(told, "READY").size() == 5);
            assertThat(ofTheRegistry(told, "DEGRADED"))
                    .filteredOn(line -> line.startsWith("WARNING"))
                    .hasSize(2);
        }
    }
}
