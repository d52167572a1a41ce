package io.github.untaken;

import static io.github.untaken.CheckerFixture.KIND;
import static io.github.untaken.CheckerFixture.eventually;
import static io.github.untaken.CheckerFixture.soon;
import static io.github.untaken.Verdict.Status.AVAILABLE;
import static io.github.untaken.Verdict.Status.TAKEN;
import static io.github.untaken.Verdict.Status.UNKNOWN;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.spi.IdentifierTransaction;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * Rows that are not their own key, in a store that compares exactly: a read by the key does not find them, so what is noted of
 * them must outlast whatever happens around it.
 */
class SpellingProtocolTest {

    @Test
    void whatWasToldWhileAScanFailedIsNotCalledFree() {
        ScriptedStore store = new ScriptedStore("kim");
        Gate scan = store.holdScanAfter(0);
        try (CheckerFixture f = new CheckerFixture(store)) {
            scan.awaitArrival();
            f.register("Alice");
            store.failingScan();
            Gate secondTry = store.holdScanAfter(0);
            scan.open();
            eventually(() -> f.stats().reason().contains("tried again"));
            assertThat(f.status("alice")).isEqualTo(UNKNOWN);
            secondTry.open();
            f.awaitState(KindState.READY);
            assertThat(f.status("alice")).isEqualTo(TAKEN);
        }
    }

    @Test
    void anUntrueRemovalFreesNoRowInAnotherSpelling() {
        try (CheckerFixture f = CheckerFixture.ready("Alice", "kim")) {
            IdentifierTransaction t = f.begin();
            t.removing(KIND, "Alice"); // within a savepoint that is rolled back
            t.committed();
            eventually(() -> f.stats().stale() == 1);
            assertThat(f.status("alice")).isEqualTo(TAKEN);
        }
    }

    @Test
    void aRowThatIsTheKeyDoesNotProveThatTheStoreFindsOtherSpellings() {
        try (CheckerFixture f = CheckerFixture.ready("alice", "Alice", "kim")) {
            IdentifierTransaction t = f.begin();
            t.removing(KIND, "alice");
            f.store.delete("alice");
            t.committed();
            assertThat(f.status("alice")).isEqualTo(TAKEN);
            f.register("Bob");
            assertThat(f.status("bob")).isEqualTo(TAKEN);
        }
    }

    @Test
    void aDoubtfulSpellingIsRememberedOverASwap() {
        try (CheckerFixture f = CheckerFixture.ready("kim")) {
            IdentifierTransaction t = f.begin();
            t.adding(KIND, "Alice");
            t.unknown();
            f.checker.rescan(KIND);
            f.awaitRebuild();
            f.store.commit("Alice"); // the COMMIT lands after the scan
            assertThat(f.status("alice")).isEqualTo(TAKEN);
            f.nanos.addAndGet(Duration.ofMinutes(11).toNanos());
            f.awaitRebuild();
            eventually(() -> f.stats().doubtful() == 0);
            assertThat(f.status("alice")).isEqualTo(TAKEN);
        }
    }

    @Test
    void aSpellingBeyondThePendingKeysMakesAbsenceUnknownUntilTheRebuild() {
        ScriptedStore store = new ScriptedStore("kim");
        try (CheckerFixture f = CheckerFixture.ready(store, b -> b.maxPending(1))) {
            IdentifierTransaction t = f.begin();
            t.adding(KIND, "first");
            t.adding(KIND, "Alice");
            f.awaitState(KindState.DEGRADED);
            store.commit("first");
            store.commit("Alice");
            assertThat(f.status("alice")).isEqualTo(UNKNOWN);
            t.committed();
            f.awaitState(KindState.READY);
            assertThat(f.status("alice")).isEqualTo(TAKEN);
            assertThat(f.status("nobody")).isEqualTo(AVAILABLE);
        }
    }

    @Test
    void aReadOvertakenByAChangeOfSpellingIsNotBelieved() {
        try (CheckerFixture f = CheckerFixture.ready("alice", "kim")) {
            IdentifierTransaction t = f.begin();
            Gate reply = f.store.holdReplyBeforeItsSnapshot("alice");
            CompletableFuture<Verdict> check = f.checkBeside("alice"); // from before the change
            reply.awaitArrival();
            t.adding(KIND, "Alice");
            f.store.commit("Alice");
            f.store.delete("alice");
            reply.open(); // the read finds no 'alice', nor does it look for 'Alice'
            assertThat(soon(check).status()).isEqualTo(TAKEN);
            t.committed();
            assertThat(f.status("alice")).isEqualTo(TAKEN);
        }
    }

    /** It was there when the store was probed, and gone when the scan came to its place. */
    @Test
    void aRowThatIsTheKeyAndGoesDuringTheScanDoesNotProveItEither() {
        RowsStore store = new RowsStore() {
            @Override
            public void scan(Consumer<String> values) {
                values.accept("Alice");
                rows.remove("alice");
                values.accept("kim");
            }
        };
        store.rows.addAll(List.of("Alice", "alice", "kim"));
        try (CheckerFixture f = CheckerFixture.ready(store)) {
            assertThat(f.status("alice")).isEqualTo(TAKEN);
        }
    }

    @Test
    void aRowThatIsTheKeyAndComesBackBehindTheScanDoesNotProveItEither() {
        AtomicReference<CheckerFixture> fixture = new AtomicReference<>();
        RowsStore store = new RowsStore() {
            @Override
            public void scan(Consumer<String> values) {
                values.accept("Alice");
                if (fixture.get() != null) {
                    rows.remove("alice");
                    values.accept("kim");
                    IdentifierTransaction again = fixture.get().begin();
                    again.adding(KIND, "alice");
                    rows.add("alice");
                    again.committed();
                } else {
                    values.accept("alice");
                    values.accept("kim");
                }
            }
        };
        store.rows.addAll(List.of("Alice", "alice", "kim"));
        try (CheckerFixture f = CheckerFixture.ready(store)) {
            fixture.set(f);
            f.forgetRebuilds();
            f.checker.rescan(KIND);
            f.awaitRebuild();
            store.rows.remove("alice");
            f.checker.registrations().released(KIND, "alice");
            assertThat(f.status("alice")).isEqualTo(TAKEN);
        }
    }
}
