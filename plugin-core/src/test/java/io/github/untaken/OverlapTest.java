package io.github.untaken;

import static io.github.untaken.CheckerFixture.KIND;
import static io.github.untaken.CheckerFixture.eventually;
import static io.github.untaken.CheckerFixture.soon;
import static io.github.untaken.Verdict.Status.AVAILABLE;
import static io.github.untaken.Verdict.Status.TAKEN;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.Verdict.DecidedBy;
import io.github.untaken.spi.IdentifierTransaction;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Reads, removals and transactions that last while the same name changes. */
class OverlapTest {

    /** What happens to one name, step by step; the row is there after steps 2 to 4 and again after step 7. */
    private static final class Life {
        private final CheckerFixture f;
        private IdentifierTransaction open;

        Life(CheckerFixture f) {
            this.f = f;
        }

        static final int STEPS = 9;
        static final int REMOVAL_SETTLES = 6;

        void step(int number) {
            switch (number) {
                case 1 -> announce();
                case 2 -> f.store.commit("alice");
                case 3 -> open.committed();
                case 4 -> {
                    open = f.begin();
                    open.removing(KIND, "alice");
                }
                case 5 -> f.store.delete("alice");
                case 6 -> open.committed();
                case 7 -> announce();
                case 8 -> f.store.commit("alice");
                case 9 -> open.committed();
                default -> throw new IllegalArgumentException("there is no step " + number);
            }
        }

        private void announce() {
            open = f.begin();
            open.adding(KIND, "alice");
        }
    }

    /** While the name is pending nobody reads, so a read begins after any step but 1, 2, 7 and 8. */
    static List<int[]> momentsOfAReadAndItsReply() {
        List<int[]> all = new ArrayList<>();
        for (int read : new int[] {0, 3, 4, 5, 6}) {
            for (int reply = read + 1; reply <= Life.STEPS; reply++) {
                all.add(new int[] {read, reply});
            }
        }
        return all;
    }

    /** The reply to a read begun after one step arrives after another; it must not make anything wrong. */
    @ParameterizedTest
    @MethodSource("momentsOfAReadAndItsReply")
    void aReplyFromThePastIsBelievedByNobody(int[] moments) {
        try (CheckerFixture f = CheckerFixture.ready("kim")) {
            // Nothing in memory decides: the filter says maybe, so that a check must read wherever it is not pending.
            f.register("alice");
            f.store.delete("alice");
            Life life = new Life(f);
            for (int step = 0; step <= moments[0]; step++) {
                advance(f, life, step);
            }
            f.checker.clearWhitelist(KIND);
            Gate reply = f.store.holdReply("alice");
            CompletableFuture<Verdict> early = f.checkBeside("alice");
            reply.awaitArrival();
            for (int step = moments[0] + 1; step <= moments[1]; step++) {
                life.step(step);
            }
            reply.open();
            Verdict.Status answer = soon(early).status();
            assertThat(answer).isIn(TAKEN, AVAILABLE);
            assertTakenIfThere(f, moments[1]);
            for (int step = moments[1] + 1; step <= Life.STEPS; step++) {
                advance(f, life, step);
                assertTakenIfThere(f, step);
            }
            assertThat(f.status("alice")).isEqualTo(TAKEN);
            assertThat(f.stats().missesProved()).isZero();
            assertThat(f.stats().pending()).isZero();
        }
    }

    /** A step, and the read that settles a removal. */
    private static void advance(CheckerFixture f, Life life, int step) {
        long staleBefore = f.stats().stale();
        if (step > 0) {
            life.step(step);
        }
        if (step == Life.REMOVAL_SETTLES) {
            eventually(() -> f.stats().stale() > staleBefore); // the read has taught what it can by then
        }
    }

    private static void assertTakenIfThere(CheckerFixture f, int step) {
        for (int twice = 0; twice < 2 && f.store.holds("alice"); twice++) {
            assertThat(f.status("alice")).as("after step %d", step).isEqualTo(TAKEN);
        }
    }

    @Test
    void aReleaseUnderWayFreesNoNameRegisteredAgain() {
        for (int commitsLate = 0; commitsLate < 2; commitsLate++) {
            try (CheckerFixture f = CheckerFixture.ready("alice", "kim")) {
                IdentifierTransaction delete = f.begin();
                delete.removing(KIND, "alice");
                f.store.delete("alice");
                Gate proof = f.store.holdReply("alice");
                delete.committed();
                proof.awaitArrival();

                IdentifierTransaction again = f.begin();
                again.adding(KIND, "alice");
                f.store.commit("alice");
                if (commitsLate == 0) {
                    again.committed();
                }
                proof.open();
                eventually(() -> f.stats().stale() == 1);
                if (commitsLate == 1) {
                    again.committed();
                }

                assertThat(f.checker.checkInMemory(KIND, "alice").status()).isNotEqualTo(AVAILABLE);
                assertThat(f.status("alice")).isEqualTo(TAKEN);
                assertThat(f.stats().entries()).isEqualTo(2);
            }
        }
    }

    @Test
    void aReadThatSawARowSinceRemovedProvesNoMiss() {
        try (CheckerFixture f = CheckerFixture.ready("alice", "kim")) {
            Gate reply = f.store.holdReply("alice");
            CompletableFuture<Verdict> check = f.checkBeside("alice");
            reply.awaitArrival(); // it has seen the row
            IdentifierTransaction delete = f.begin();
            delete.removing(KIND, "alice");
            f.store.delete("alice");
            f.forgetRebuilds();
            f.checker.rescan(KIND);
            f.awaitRebuild();

            reply.open();

            assertThat(soon(check).status()).isEqualTo(TAKEN);
            assertThat(f.stats().missesProved()).isZero();
            delete.committed();
            assertThat(f.status("alice")).isEqualTo(AVAILABLE);
        }
    }

    @Test
    void aTransactionFromBeforeTheFirstScanMayEndAfterManySwaps() {
        ScriptedStore store = new ScriptedStore("kim");
        Gate firstScan = store.holdScanAfter(0);
        try (CheckerFixture f = new CheckerFixture(store)) {
            IdentifierTransaction old = f.begin();
            old.adding(KIND, "alice");
            firstScan.awaitArrival();
            assertThat(f.check("alice").decidedBy()).isEqualTo(DecidedBy.PENDING);
            firstScan.open();
            f.awaitRebuild();
            for (int swap = 0; swap < 10; swap++) {
                f.checker.rescan(KIND);
                f.awaitRebuild();
                assertThat(f.check("alice").decidedBy()).isEqualTo(DecidedBy.PENDING);
            }
            Gate scan = store.holdScanAfter(1);
            f.checker.rescan(KIND);
            scan.awaitArrival();
            store.commit("alice");
            old.committed();
            assertThat(f.status("alice")).isEqualTo(TAKEN);
            scan.open();
            f.awaitRebuild();
            assertThat(f.check("alice")).matches(v -> v.status() == TAKEN && v.decidedBy() == DecidedBy.STORE);
        }
    }
}
