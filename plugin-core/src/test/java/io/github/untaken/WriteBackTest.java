package io.github.untaken;

import static io.github.untaken.CheckerFixture.KIND;
import static io.github.untaken.CheckerFixture.eventually;
import static io.github.untaken.Verdict.Status.AVAILABLE;
import static io.github.untaken.Verdict.Status.TAKEN;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.Verdict.DecidedBy;
import io.github.untaken.filter.FilterType;
import io.github.untaken.filter.KeyHasher;
import io.github.untaken.filter.MembershipFilters;
import io.github.untaken.spi.IdentifierTransaction;
import org.junit.jupiter.api.Test;

/** A row written with the identifier it was read with, although it may have been renamed in between. */
class WriteBackTest {

    /** Another transaction renames alice's row to bob, after some entity of it was read. */
    private static void rename(CheckerFixture f) {
        IdentifierTransaction t = f.begin();
        t.adding(KIND, "bob");
        t.removing(KIND, "alice", true);
        f.store.delete("alice");
        f.store.commit("bob");
        t.committed();
        eventually(() -> f.check("alice").decidedBy() == DecidedBy.FILTER);
    }

    private static void writeBack(CheckerFixture f) {
        IdentifierTransaction t = f.begin();
        t.rewriting(KIND, "alice");
        assertThat(f.check("alice").decidedBy()).isEqualTo(DecidedBy.PENDING);
        f.store.delete("bob");
        f.store.commit("alice");
        t.committed();
    }

    @Test
    void aKeyWhoseCopyWasTakenOutGetsAnother() {
        try (CheckerFixture f = CheckerFixture.ready("alice")) {
            rename(f);
            writeBack(f);
            assertThat(f.status("alice")).isEqualTo(TAKEN);
            assertThat(f.stats().entries()).isEqualTo(2);
        }
    }

    /** What says "maybe" then is somebody else's copy, which goes with its own row. */
    @Test
    void aKeyWhoseCopyWasTakenOutGetsAnotherEvenIfTheFilterSaysMaybe() {
        try (CheckerFixture f = CheckerFixture.ready("alice")) {
            f.register("alice");
            f.store.delete("alice");
            IdentifierTransaction t = f.begin();
            t.removing(KIND, "alice", true);
            t.committed();
            eventually(() -> f.stats().entries() == 1);
            writeBack(f);
            assertThat(f.stats().entries()).isEqualTo(2);
        }
    }

    @Test
    void aKeyWhoseCopyIsThereGetsNone() {
        try (CheckerFixture f = CheckerFixture.ready("alice")) {
            for (int i = 0; i < 20; i++) {
                writeBack(f);
            }
            assertThat(f.stats().entries()).isEqualTo(1);
            assertThat(f.status("alice")).isEqualTo(TAKEN);
        }
    }

    @Test
    void aKeyWrittenBackBehindARunningScanSurvivesTheSwap() {
        try (CheckerFixture f = CheckerFixture.ready("alice")) {
            rename(f);
            Gate scan = f.store.holdScanAfter(1);
            f.forgetRebuilds();
            f.checker.rescan(KIND);
            scan.awaitArrival(); // it has seen bob
            writeBack(f);
            scan.open();
            f.awaitRebuild();
            assertThat(f.status("alice")).isEqualTo(TAKEN);
        }
    }

    @Test
    void aKeyWrittenBackAfterAScanThatSawTheOtherNameIsTaken() {
        try (CheckerFixture f = CheckerFixture.ready("alice")) {
            rename(f);
            f.forgetRebuilds();
            f.checker.rescan(KIND);
            f.awaitRebuild();
            writeBack(f);
            assertThat(f.status("alice")).isEqualTo(TAKEN);
        }
    }

    @Test
    void aRollbackLeavesTheNameFree() {
        try (CheckerFixture f = CheckerFixture.ready("alice")) {
            rename(f);
            IdentifierTransaction t = f.begin();
            t.rewriting(KIND, "alice");
            t.rolledBack();
            assertThat(f.status("alice")).isEqualTo(AVAILABLE);
            eventually(() -> f.check("alice").decidedBy() == DecidedBy.FILTER); // once a read has verified it
        }
    }

    @Test
    void anUnknownOutcomeLeavesTheKeyInDoubt() {
        try (CheckerFixture f = CheckerFixture.ready("alice")) {
            rename(f);
            IdentifierTransaction t = f.begin();
            t.rewriting(KIND, "alice");
            t.unknown();
            assertThat(f.status("alice")).isEqualTo(AVAILABLE);
            f.store.commit("alice"); // the COMMIT lands late
            assertThat(f.status("alice")).isEqualTo(TAKEN);
        }
    }

    @Test
    void aRemovalAfterItInTheSameTransactionIsStillProvedByARead() {
        try (CheckerFixture f = CheckerFixture.ready("alice")) {
            IdentifierTransaction gone = f.begin();
            gone.rewriting(KIND, "alice");
            gone.removing(KIND, "alice", true);
            f.store.delete("alice");
            gone.committed();
            eventually(() -> f.stats().entries() == 0);
        }
        try (CheckerFixture f = CheckerFixture.ready("alice")) {
            IdentifierTransaction lie = f.begin();
            lie.rewriting(KIND, "alice");
            lie.removing(KIND, "alice", true); // inside a savepoint that was rolled back
            lie.committed();
            eventually(() -> f.stats().staleRemovals() == 1);
            assertThat(f.status("alice")).isEqualTo(TAKEN);
            assertThat(f.stats().entries()).isEqualTo(1);
        }
    }

    @Test
    void aGenerationKnowsWhatTheOneBeforeItLost() {
        Generation before = generation();
        before.add(before.hash("alice"));
        before.remove("alice");
        Generation after = generation();
        after.remember(before);
        assertThat(after.lacksCopyOf("bob")).isFalse();
        assertThat(after.lacksCopyOf("alice")).isTrue();
        assertThat(after.lacksCopyOf("alice")).as("asked once, added once").isFalse();
    }

    private static Generation generation() {
        return new Generation(KeyHasher.random(), MembershipFilters.of(FilterType.CUCKOO, 1_000));
    }
}
