package io.github.untaken;

import static io.github.untaken.CheckerFixture.KIND;
import static io.github.untaken.CheckerFixture.soon;
import static io.github.untaken.Verdict.Status.AVAILABLE;
import static io.github.untaken.Verdict.Status.TAKEN;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.Verdict.DecidedBy;
import io.github.untaken.spi.IdentifierWrite;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Reads and statements that last while the same name changes. */
class OverlapTest {

    /** What happens to one name, step by step; the row is there after steps 2 and 3 and again after step 6. */
    private static final class Life {
        private final CheckerFixture f;
        private IdentifierWrite open;

        Life(CheckerFixture f) {
            this.f = f;
        }

        static final int STEPS = 7;

        void step(int number) {
            switch (number) {
                case 1, 5 -> {
                    open = f.begin();
                    open.adding(KIND, "alice");
                }
                case 2, 6 -> f.store.commit("alice");
                case 3, 7 -> CheckerFixture.end(open);
                case 4 -> f.store.delete("alice");
                default -> throw new IllegalArgumentException("there is no step " + number);
            }
        }
    }

    record Moments(int read, int reply, boolean scanBetween) {}

    static List<Moments> momentsOfAReadAndItsReply() {
        List<Moments> all = new ArrayList<>();
        for (int read = 0; read < Life.STEPS; read++) {
            for (int reply = read + 1; reply <= Life.STEPS; reply++) {
                all.add(new Moments(read, reply, false));
                all.add(new Moments(read, reply, true));
            }
        }
        return all;
    }

    /** The reply to a read begun after one step arrives after another; it must not make anything wrong. */
    @ParameterizedTest
    @MethodSource("momentsOfAReadAndItsReply")
    void aReplyFromThePastIsBelievedByNobody(Moments moments) {
        try (CheckerFixture f = CheckerFixture.ready("kim", "alice")) {
            f.store.delete("alice"); // the filter says maybe all the while, and nobody has told of her
            Life life = new Life(f);
            for (int step = 1; step <= moments.read(); step++) {
                life.step(step);
            }
            f.checker.clearWhitelist(KIND);
            Gate reply = f.store.holdReply("alice");
            CompletableFuture<Verdict> early = f.checkBeside("alice");
            reply.awaitArrival();
            for (int step = moments.read() + 1; step <= moments.reply(); step++) {
                life.step(step);
            }
            if (moments.scanBetween()) {
                f.checker.rescan(KIND);
                f.awaitRebuild();
            }
            reply.open();
            assertThat(soon(early).status()).isIn(TAKEN, AVAILABLE);
            assertTakenIfThere(f, moments.reply());
            for (int step = moments.reply() + 1; step <= Life.STEPS; step++) {
                life.step(step);
                assertTakenIfThere(f, step);
            }
            assertThat(f.status("alice")).isEqualTo(TAKEN);
            assertThat(f.stats().missesProved()).isZero();
            assertThat(f.stats().underWay().open()).isZero();
        }
    }

    private static void assertTakenIfThere(CheckerFixture f, int step) {
        for (int twice = 0; twice < 2 && f.store.holds("alice"); twice++) {
            assertThat(f.status("alice")).as("after step %d", step).isEqualTo(TAKEN);
        }
    }

    @Test
    void aReadThatSawARowSinceRemovedProvesNoMiss() {
        try (CheckerFixture f = CheckerFixture.ready("alice", "kim")) {
            Gate reply = f.store.holdReply("alice");
            CompletableFuture<Verdict> check = f.checkBeside("alice");
            reply.awaitArrival(); // it has seen the row
            f.store.delete("alice");
            f.forgetRebuilds();
            f.checker.rescan(KIND);
            f.awaitRebuild();

            reply.open();

            assertThat(soon(check).status()).isEqualTo(TAKEN);
            assertThat(f.stats().missesProved()).isZero();
            assertThat(f.status("alice")).isEqualTo(AVAILABLE);
        }
    }

    @Test
    void aStatementFromBeforeTheFirstScanMayEndAfterManySwaps() {
        ScriptedStore store = new ScriptedStore("kim");
        Gate firstScan = store.holdScanAfter(0);
        try (CheckerFixture f = new CheckerFixture(store)) {
            IdentifierWrite old = f.begin();
            old.adding(KIND, "alice");
            firstScan.awaitArrival();
            assertThat(f.check("alice").decidedBy()).isEqualTo(DecidedBy.STORE);
            firstScan.open();
            f.awaitRebuild();
            for (int swap = 0; swap < 10; swap++) {
                f.checker.rescan(KIND);
                f.awaitRebuild();
                assertThat(f.check("alice").decidedBy()).isEqualTo(DecidedBy.STORE);
                assertThat(f.check("alice").decidedBy()).as("not remembered").isEqualTo(DecidedBy.STORE);
            }
            Gate scan = store.holdScanAfter(1);
            f.checker.rescan(KIND);
            scan.awaitArrival();
            store.commit("alice");
            CheckerFixture.end(old);
            assertThat(f.status("alice")).isEqualTo(TAKEN);
            scan.open();
            f.awaitRebuild();
            assertThat(f.check("alice")).matches(v -> v.status() == TAKEN && v.decidedBy() == DecidedBy.STORE);
        }
    }
}
