package io.github.untaken;

import static io.github.untaken.CheckerFixture.KIND;
import static io.github.untaken.CheckerFixture.end;
import static io.github.untaken.CheckerFixture.eventually;
import static io.github.untaken.CheckerFixture.soon;
import static io.github.untaken.Verdict.Status.AVAILABLE;
import static io.github.untaken.Verdict.Status.TAKEN;
import static io.github.untaken.Verdict.Status.UNKNOWN;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.Verdict.DecidedBy;
import io.github.untaken.kind.StoreAnswers;
import io.github.untaken.spi.IdentifierNormalizer;
import io.github.untaken.spi.IdentifierSource;
import io.github.untaken.spi.IdentifierWrite;
import io.github.untaken.spi.RegisteredIdentifierStore;
import io.github.untaken.spi.WriteSink;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Each schedule that a rule of the protocol forbids, played step by step against the real registry. */
class RegistryProtocolTest {
    private static final Duration SHORT = Duration.ofMillis(20);
    private static final Duration LONG = Duration.ofDays(1);

    /** A birth that begins now, and has ended when this returns. */
    private static void rescan(CheckerFixture f) {
        f.forgetRebuilds();
        f.checker.rescan(KIND);
        f.awaitRebuild();
    }

    private static IdentifierWrite tell(CheckerFixture f, String... names) {
        IdentifierWrite write = f.begin();
        for (String name : names) {
            write.adding(KIND, name);
        }
        return write;
    }

    @Nested
    class ToldBeforeItIsSent {
        @Test
        void aNameIsAskedOfTheDatabaseFromTheMomentItIsTold() {
            try (CheckerFixture f = CheckerFixture.ready()) {
                IdentifierWrite write = tell(f, "alice");
                assertThat(f.check("ALICE")).matches(v -> v.available() && v.decidedBy() == DecidedBy.STORE);
                f.store.commit("alice");
                assertThat(f.check("alice")).matches(v -> v.status() == TAKEN && v.decidedBy() == DecidedBy.STORE);
                end(write);
                assertThat(f.check("alice")).matches(v -> v.status() == TAKEN && v.decidedBy() == DecidedBy.STORE);
                assertThat(f.stats().missesProved()).isZero();
            }
        }

        @Test
        void howATransactionEndsIsNotBelieved() {
            try (CheckerFixture f = CheckerFixture.ready("zoe")) {
                IdentifierWrite write = tell(f, "alice");
                end(write); // a rollback, as far as anybody can see
                assertThat(f.status("alice")).isEqualTo(AVAILABLE);
                f.store.commit("alice");
                assertThat(f.status("alice")).isEqualTo(TAKEN);
                rescan(f);
                assertThat(f.status("alice")).isEqualTo(TAKEN);
            }
        }

        @Test
        void theNewbornHearsOfWhatWasToldBeforeItWasBorn() {
            try (CheckerFixture f = CheckerFixture.ready("kim")) {
                IdentifierWrite write = tell(f, "alice");
                rescan(f); // the statement waits for a lock all the while
                f.store.commit("alice");
                assertThat(f.status("alice")).isEqualTo(TAKEN);
                end(write);
                assertThat(f.status("alice")).isEqualTo(TAKEN);
            }
        }

        @Test
        void theNewbornHearsOfWhatIsToldWhileItIsScanned() {
            try (CheckerFixture f = CheckerFixture.ready("kim")) {
                Gate scan = f.store.holdScanAfter(1);
                f.forgetRebuilds();
                f.checker.rescan(KIND);
                scan.awaitArrival();
                f.register("alice"); // behind the scan's snapshot
                scan.open();
                f.awaitRebuild();
                assertThat(f.status("alice")).isEqualTo(TAKEN);
            }
        }

        @Test
        void theFirstbornHearsOfWhatIsToldWhileItIsScanned() {
            ScriptedStore store = new ScriptedStore("kim");
            Gate scan = store.holdScanAfter(1);
            try (CheckerFixture f = new CheckerFixture(store)) {
                scan.awaitArrival();
                f.register("alice"); // behind the scan's snapshot, while nothing serves
                scan.open();
                f.awaitState(KindState.READY);
                assertThat(f.status("alice")).isEqualTo(TAKEN);
            }
        }

        @Test
        void theNewbornIsToldForItselfOfWhatTheServingOneKnows() {
            try (CheckerFixture f = CheckerFixture.ready("kim", "alice")) {
                f.store.delete("alice");
                Gate scan = f.store.holdScanAfter(1);
                f.forgetRebuilds();
                f.checker.rescan(KIND);
                scan.awaitArrival();
                f.register("alice"); // again, behind the scan's snapshot
                scan.open();
                f.awaitRebuild();
                assertThat(f.status("alice")).isEqualTo(TAKEN);
            }
        }

        @Test
        void whatIsToldTwiceLateOrForNothingDoesNoHarm() {
            try (CheckerFixture f = CheckerFixture.ready("alice")) {
                for (int i = 0; i < 1000; i++) {
                    end(tell(f, "alice"));
                }
                assertThat(f.stats().memory().entries()).isEqualTo(1);
                assertThat(f.stats().underWay().open()).isZero();
                assertThat(f.status("alice")).isEqualTo(TAKEN);
                assertThat(f.checker.state(KIND)).isEqualTo(KindState.READY);
            }
        }

        @Test
        void whoeverTellsNeverReadsTheStore() {
            try (CheckerFixture f = CheckerFixture.ready("old")) {
                end(tell(f, "new"));
                f.check("new");
                assertThat(f.store.readingThreads())
                        .isNotEmpty()
                        .allSatisfy(name -> assertThat(name).startsWith("untaken-"));
            }
        }

        @Test
        void aNameThatCannotBeToldSendsChecksToTheDatabase() {
            ScriptedStore store = new ScriptedStore();
            IdentifierNormalizer choosy = new IdentifierNormalizer() {
                @Override
                public String key(String value) {
                    if (value.equals("?")) {
                        throw new IllegalArgumentException("no key");
                    }
                    return value;
                }

                @Override
                public Optional<String> rejection(String text, String key) {
                    return Optional.empty();
                }
            };
            AtomicReference<WriteSink> sink = new AtomicReference<>();
            try (AvailabilityChecker checker = AvailabilityChecker.builder()
                    .singleWriter(false)
                    .source(new IdentifierSource() {
                        @Override
                        public Map<IdentifierKind, List<RegisteredIdentifierStore>> stores() {
                            return Map.of(KIND, List.of(store));
                        }

                        @Override
                        public void connect(WriteSink given) {
                            sink.set(given);
                        }

                        @Override
                        public void disconnect() {}
                    })
                    .normalizer(KIND, choosy)
                    .build()) {
                eventually(() -> checker.state(KIND) == KindState.READY);
                IdentifierWrite write = sink.get().begin();
                write.adding(KIND, "?");
                assertThat(checker.state(KIND)).isEqualTo(KindState.DEGRADED);
                end(write);
                eventually(() -> checker.state(KIND) == KindState.READY);
            }
        }
    }

    @Nested
    class OverMeansThatTheServerIsDone {
        @Test
        void aStatementThatWasNeverAnsweredIsToldToEachScanForTenMinutes() {
            try (CheckerFixture f = CheckerFixture.ready(new ScriptedStore("kim"), b -> b.linger(LONG))) {
                tell(f, "alice").ended(); // the connection broke
                assertThat(f.stats().underWay().lingering()).isEqualTo(1);
                for (int i = 0; i < 3; i++) {
                    rescan(f);
                }
                f.store.commit("alice"); // the server went on
                assertThat(f.status("alice")).isEqualTo(TAKEN);
            }
        }

        @Test
        void whatHasLingeredForLongEnoughIsNotToldAnyMore() {
            try (CheckerFixture f = CheckerFixture.ready(new ScriptedStore("kim"), b -> b.linger(SHORT))) {
                tell(f, "alice").ended();
                eventually(() -> f.stats().underWay().lingering() == 0
                        && f.stats().underWay().open() == 0);
                rescan(f);
                assertThat(f.check("alice")).matches(v -> v.available() && v.decidedBy() == DecidedBy.FILTER);
            }
        }

        @Test
        void aClockThatJumpsAgesNothing() {
            try (CheckerFixture f = CheckerFixture.ready(new ScriptedStore("kim"), b -> b.linger(LONG))) {
                tell(f, "alice").ended();
                f.nanos.addAndGet(Duration.ofDays(2).toNanos()); // the machine was asleep, and so was the server
                rescan(f);
                assertThat(f.stats().underWay().lingering()).isEqualTo(1);
                f.store.commit("alice");
                assertThat(f.status("alice")).isEqualTo(TAKEN);
            }
        }

        @Test
        void anAnnouncementThatIsLostIsNotForgottenAtOnce() {
            try (CheckerFixture f = CheckerFixture.ready(new ScriptedStore("kim"), b -> b.linger(LONG))) {
                Announcement unused = f.checker.registrations().announce(KIND, "alice", "bob");
                unused = null;
                eventually(() -> {
                    System.gc();
                    return f.stats().underWay().lingering() == 1;
                });
                rescan(f);
                f.store.commit("alice");
                assertThat(f.status("alice")).isEqualTo(TAKEN);
            }
        }

        @Test
        void anAnnouncementThatWasClosedIsStillToldToScans() {
            try (CheckerFixture f = CheckerFixture.ready(new ScriptedStore("kim"), b -> b.linger(LONG))) {
                try (Announcement name = f.checker.registrations().announce(KIND, "Alice")) {
                    assertThat(name).isNotNull();
                }
                rescan(f);
                f.store.commit("alice"); // the block had ended by an exception, and the server went on
                assertThat(f.status("alice")).isEqualTo(TAKEN);
            }
        }
    }

    @Nested
    class Births {
        @Test
        void theScanBeginsOnlyAfterTheBarrier() {
            ScriptedStore store = new ScriptedStore();
            Gate barrier = store.holdBarrier();
            try (CheckerFixture f = new CheckerFixture(store)) {
                barrier.awaitArrival();
                store.commit("alice"); // a transaction from before anybody listened
                barrier.open();
                f.awaitState(KindState.READY);
                assertThat(f.status("alice")).isEqualTo(TAKEN);
            }
        }

        @Test
        void aTransactionWhoseStatementIsOverIsWaitedForByTheBarrier() {
            try (CheckerFixture f = CheckerFixture.ready("kim")) {
                IdentifierWrite write = tell(f, "alice");
                write.over(); // inserted, not committed
                Gate barrier = f.store.holdBarrier();
                f.forgetRebuilds();
                f.checker.rescan(KIND);
                barrier.awaitArrival();
                f.store.commit("alice");
                barrier.open();
                f.awaitRebuild();
                assertThat(f.status("alice")).isEqualTo(TAKEN);
            }
        }

        @Test
        void withoutABarrierAStatementIsToldUntilItsTransactionHasLongEnded() {
            ScriptedStore store = new ScriptedStore("kim");
            store.withoutBarrier();
            try (CheckerFixture f = CheckerFixture.ready(store, b -> b.linger(LONG))) {
                IdentifierWrite write = tell(f, "alice");
                write.over(); // inserted, not committed, and nobody can tell
                rescan(f);
                write.ended(); // the commit is on its way
                rescan(f);
                f.store.commit("alice");
                assertThat(f.status("alice")).isEqualTo(TAKEN);
            }
        }

        @Test
        void aBarrierThatIsLostFailsTheBirthAndWhatServesGoesOn() {
            try (CheckerFixture f = CheckerFixture.ready("kim")) {
                f.store.withoutBarrier();
                f.checker.rescan(KIND);
                eventually(() -> f.stats().scans().failed() > 0);
                assertThat(f.checker.state(KIND)).isEqualTo(KindState.READY);
                assertThat(f.check("alice").decidedBy()).isEqualTo(DecidedBy.FILTER);
            }
        }

        @Test
        void aBarrierThatTimesOutFailsTheBirthAndWhatServesGoesOn() {
            try (CheckerFixture f = CheckerFixture.ready("kim")) {
                f.store.failingBarrier(true);
                f.checker.rescan(KIND);
                eventually(() -> f.stats().scans().failed() > 0);
                assertThat(f.checker.state(KIND)).isEqualTo(KindState.READY);
                assertThat(f.check("alice").decidedBy()).isEqualTo(DecidedBy.FILTER);
            }
        }

        @Test
        void aScanThatFailsChangesNothingAndIsTriedAgain() {
            ScriptedStore store = new ScriptedStore("alice");
            store.failing(true);
            try (CheckerFixture f = new CheckerFixture(store)) {
                eventually(() -> f.stats().reason().contains("tried again"));
                assertThat(f.status("bob")).isEqualTo(UNKNOWN);
                store.failing(false);
                f.awaitState(KindState.READY);
                assertThat(f.status("alice")).isEqualTo(TAKEN);
                assertThat(f.check("bob").decidedBy()).isEqualTo(DecidedBy.FILTER);
            }
        }
    }

    /** A renewal is a birth that keeps the filter. */
    @Nested
    class Renewals {
        private void awaitRenewal(CheckerFixture f) {
            long before = f.stats().memory().renewals();
            f.nanos.addAndGet(Duration.ofSeconds(61).toNanos());
            eventually(() -> f.stats().memory().renewals() > before);
        }

        @Test
        void aNameThatWasNeverCommittedIsFreeFromMemoryWithinAMinuteWithoutAScan() {
            try (CheckerFixture f = CheckerFixture.ready("zoe")) {
                end(tell(f, "alice"));
                assertThat(f.check("alice").decidedBy()).isEqualTo(DecidedBy.STORE);
                assertThat(f.check("alice").decidedBy()).as("not remembered").isEqualTo(DecidedBy.STORE);
                f.forgetRebuilds();
                int scans = f.store.scans();
                awaitRenewal(f);
                assertThat(f.check("alice").decidedBy()).isEqualTo(DecidedBy.STORE);
                assertThat(f.check("alice")).matches(v -> v.available() && v.decidedBy() == DecidedBy.WHITELIST);
                assertThat(f.store.scans()).isEqualTo(scans);
                assertThat(f.checker.state(KIND)).isEqualTo(KindState.READY);
            }
        }

        @Test
        void aNameThatWasDeletedIsFreeFromMemoryAfterOneRead() {
            try (CheckerFixture f = CheckerFixture.ready("alice", "bob")) {
                f.store.delete("alice");
                assertThat(f.check("alice").decidedBy()).isEqualTo(DecidedBy.STORE);
                assertThat(f.check("alice")).matches(v -> v.available() && v.decidedBy() == DecidedBy.WHITELIST);
                assertThat(f.status("bob")).isEqualTo(TAKEN);
            }
        }

        @Test
        void theRenewedHearsOfWhatIsOpen() {
            try (CheckerFixture f = CheckerFixture.ready("zoe")) {
                end(tell(f, "carol"));
                f.check("carol"); // asks for the renewal
                IdentifierWrite write = tell(f, "alice");
                awaitRenewal(f);
                assertThat(f.status("alice")).isEqualTo(AVAILABLE);
                f.store.commit("alice");
                assertThat(f.status("alice")).isEqualTo(TAKEN);
                end(write);
            }
        }

        @Test
        void aRenewalWaitsForTheBarrier() {
            try (CheckerFixture f = CheckerFixture.ready("zoe")) {
                IdentifierWrite write = tell(f, "alice");
                write.over(); // inserted, not committed
                f.check("alice"); // asks for the renewal
                Gate barrier = f.store.holdBarrier();
                f.nanos.addAndGet(Duration.ofSeconds(61).toNanos());
                barrier.awaitArrival();
                f.check("alice"); // a read that sees nothing: what it finds is not remembered
                f.store.commit("alice");
                barrier.open();
                eventually(() -> f.stats().memory().renewals() == 1);
                assertThat(f.status("alice")).isEqualTo(TAKEN);
            }
        }

        @Test
        void aReadFromBeforeARenewalTeachesTheNextOneNothing() {
            try (CheckerFixture f = CheckerFixture.ready("zoe", "alice")) {
                f.store.delete("alice");
                end(tell(f, "carol"));
                f.check("carol"); // asks for the renewal
                Gate slowReply = f.store.holdReply("alice");
                CompletableFuture<Verdict> early = f.checkBeside("alice");
                slowReply.awaitArrival();
                IdentifierWrite write = tell(f, "alice");
                f.store.commit("alice");
                end(write);
                awaitRenewal(f);
                slowReply.open();
                soon(early);
                assertThat(f.status("alice")).isEqualTo(TAKEN);
            }
        }
    }

    @Nested
    class Unseen {
        @Test
        void theDatabaseAnswersUntilAGenerationServesThatWasBornAfterIt() {
            try (CheckerFixture f = CheckerFixture.ready("kim")) {
                IdentifierWrite write = f.begin();
                write.unseen(KIND);
                assertThat(f.checker.state(KIND)).isEqualTo(KindState.DEGRADED);
                assertThat(f.check("bob")).matches(v -> v.available() && v.decidedBy() == DecidedBy.STORE);
                f.store.commit("alice");
                assertThat(f.status("alice")).isEqualTo(TAKEN);
                end(write);
                f.awaitState(KindState.READY);
                assertThat(f.status("alice")).isEqualTo(TAKEN);
                assertThat(f.check("bob").decidedBy()).isEqualTo(DecidedBy.FILTER);
            }
        }

        @Test
        void bulkWorkIsNotOverAtOnceWhereNoBarrierShowsItsTransaction() {
            ScriptedStore store = new ScriptedStore("kim");
            store.withoutBarrier();
            try (CheckerFixture f = CheckerFixture.ready(store, b -> b.linger(LONG))) {
                f.checker.registrations().bulk(KIND, () -> {}); // inserted, not committed, and nobody can tell
                f.checker.rescan(KIND);
                assertThat(f.stats().underWay().lingering()).isEqualTo(1);
                assertThat(f.checker.state(KIND)).isEqualTo(KindState.DEGRADED);
                store.commit("alice");
                assertThat(f.status("alice")).isEqualTo(TAKEN);
            }
        }

        @Test
        void bulkWorkIsOverAtOnceWhereTheBarrierIsProved() {
            try (CheckerFixture f = CheckerFixture.ready(new ScriptedStore("kim"), b -> b.linger(LONG))) {
                f.checker.registrations().bulk(KIND, () -> f.store.commit("alice"));
                f.awaitState(KindState.READY);
                assertThat(f.stats().underWay().lingering()).isZero();
                assertThat(f.status("alice")).isEqualTo(TAKEN);
            }
        }

        @Test
        void bulkWorkDuringAScanIsNotForgivenByThatScan() {
            try (CheckerFixture f = CheckerFixture.ready("kim")) {
                Gate scan = f.store.holdScanAfter(1);
                f.checker.rescan(KIND);
                scan.awaitArrival();
                f.checker.registrations().bulk(KIND, () -> f.store.commit("alice"));
                assertThat(f.status("alice")).isEqualTo(TAKEN);
                Gate secondScan = f.store.holdScanAfter(0);
                scan.open();
                f.nanos.addAndGet(Duration.ofMinutes(1).toNanos());
                secondScan.awaitArrival();
                assertThat(f.checker.state(KIND)).isEqualTo(KindState.DEGRADED);
                assertThat(f.status("alice")).isEqualTo(TAKEN);
                secondScan.open();
                eventually(() -> f.checker.state(KIND) == KindState.READY);
                assertThat(f.status("alice")).isEqualTo(TAKEN);
            }
        }

        @Test
        void noBirthBeginsWhileItIsOpen() {
            try (CheckerFixture f = CheckerFixture.ready("kim")) {
                IdentifierWrite write = f.begin();
                write.unseen(KIND);
                int scans = f.store.scans();
                f.checker.rescan(KIND);
                f.nanos.addAndGet(Duration.ofMinutes(10).toNanos());
                assertThat(f.check("bob").decidedBy()).isEqualTo(DecidedBy.STORE);
                assertThat(f.store.scans()).isEqualTo(scans);
                end(write);
                f.awaitState(KindState.READY);
                assertThat(f.store.scans()).isGreaterThan(scans);
            }
        }

        @Test
        void bulkWorkThatThrowsMayStillBeUnderWay() {
            try (CheckerFixture f = CheckerFixture.ready(new ScriptedStore("kim"), b -> b.linger(SHORT))) {
                try {
                    f.checker.registrations().bulk(KIND, () -> {
                        throw new IllegalStateException("the reply to COMMIT was lost");
                    });
                } catch (IllegalStateException expected) {
                    assertThat(f.checker.state(KIND)).isEqualTo(KindState.DEGRADED);
                    assertThat(f.stats().underWay().lingering()).isEqualTo(1);
                }
                f.store.commit("alice"); // it landed after all
                f.awaitState(KindState.READY);
                assertThat(f.status("alice")).isEqualTo(TAKEN);
            }
        }
    }

    @Nested
    class FullNeverLies {
        @Test
        void anOpenSetThatIsFullDelaysTheNextGenerationAndDegradesNothing() {
            try (CheckerFixture f = CheckerFixture.ready(new ScriptedStore(), b -> b.maxAnnounced(10))) {
                IdentifierWrite write = f.begin();
                for (int i = 0; i < 20; i++) {
                    write.adding(KIND, "name" + i);
                }
                int scans = f.store.scans();
                f.forgetRebuilds();
                f.checker.rescan(KIND);
                f.nanos.addAndGet(Duration.ofMinutes(2).toNanos());
                assertThat(f.checker.state(KIND)).isEqualTo(KindState.READY);
                for (int i = 0; i < 20; i++) {
                    f.store.commit("name" + i);
                }
                for (int i = 0; i < 20; i++) {
                    assertThat(f.status("name" + i)).isEqualTo(TAKEN);
                }
                assertThat(f.store.scans()).isEqualTo(scans);
                end(write);
                f.awaitRebuild();
                for (int i = 0; i < 20; i++) {
                    assertThat(f.status("name" + i)).isEqualTo(TAKEN);
                }
                assertThat(f.checker.state(KIND)).isEqualTo(KindState.READY);
            }
        }

        @Test
        void strangersWhoFailToSignUpCostNeitherAScanNorReady() {
            try (CheckerFixture f = CheckerFixture.ready("kim")) {
                int scans = f.store.scans();
                for (int second = 0; second < 900; second++) { // a quarter of an hour at twenty a second
                    for (int i = 0; i < 20; i++) {
                        String name = "n" + second + "-" + i;
                        IdentifierWrite write = tell(f, name);
                        if (i % 2 == 0) {
                            f.store.commit(name);
                        }
                        end(write);
                    }
                    f.nanos.addAndGet(Duration.ofSeconds(1).toNanos());
                    assertThat(f.checker.state(KIND)).isEqualTo(KindState.READY);
                }
                assertThat(f.status("n0-0")).isEqualTo(TAKEN);
                assertThat(f.status("n0-1")).isEqualTo(AVAILABLE);
                // What was never committed makes the filter larger than its scan, which is worth a scan now and then.
                assertThat(f.store.scans() - scans).isLessThanOrEqualTo(2);
            }
        }
    }

    @Nested
    class TheDatabaseHasTheLastWord {
        @Test
        void aCheckDoesNotJoinAReadThatHasAlreadyStarted() {
            try (CheckerFixture f = CheckerFixture.ready("alice")) {
                f.store.delete("alice");
                Gate slowReply = f.store.holdReply("alice");
                CompletableFuture<Verdict> early = f.checkBeside("alice");
                slowReply.awaitArrival();
                f.register("alice");

                CompletableFuture<Verdict> late = f.checkBeside("alice");
                slowReply.open();

                assertThat(soon(late).status()).isEqualTo(TAKEN);
                assertThat(soon(early).status()).isIn(AVAILABLE, TAKEN);
                assertThat(f.status("alice")).isEqualTo(TAKEN);
            }
        }

        @Test
        void equalChecksShareAReadThatHasNotStarted() {
            ScriptedStore store = new ScriptedStore("blocker", "bob");
            try (CheckerFixture f = CheckerFixture.ready(store, b -> b.recheckThreads(1))) {
                Gate busy = store.holdReply("blocker");
                CompletableFuture<Verdict> blocker = f.checkBeside("blocker");
                busy.awaitArrival();
                store.delete("bob");
                int before = store.reads();

                List<CompletableFuture<Verdict>> many = IntStream.range(0, 20)
                        .mapToObj(i -> f.checkBeside("bob"))
                        .toList();
                busy.open();
                soon(blocker);

                assertThat(many).allSatisfy(v -> assertThat(soon(v).status()).isEqualTo(AVAILABLE));
                assertThat(store.reads() - before).isEqualTo(1);
            }
        }

        @Test
        void duringWarmUpTheStoreAnswers() {
            ScriptedStore store = new ScriptedStore("Alice");
            Gate scan = store.holdScanAfter(0);
            try (CheckerFixture f = new CheckerFixture(store)) {
                scan.awaitArrival();
                assertThat(f.check("Alice").status()).isEqualTo(TAKEN);
                assertThat(f.check("bob")).matches(v -> v.status() == AVAILABLE && v.decidedBy() == DecidedBy.STORE);
                assertThat(f.stats().scans().progress()).isPresent();
                scan.open();
                f.awaitState(KindState.READY);
                assertThat(f.check("bob").decidedBy()).isEqualTo(DecidedBy.FILTER);
            }
        }

        @Test
        void aTextIsAskedForAsItWasGivenAndByItsKey() {
            try (CheckerFixture f = CheckerFixture.ready("Alice", "bob")) {
                assertThat(f.status("Alice")).isEqualTo(TAKEN);
                assertThat(f.status("BOB")).as("by its key").isEqualTo(TAKEN);
                assertThat(f.check("ALICE"))
                        .as("neither it nor its key is stored, says the column")
                        .matches(v -> v.status() == AVAILABLE && v.decidedBy() == DecidedBy.STORE);
                assertThat(f.check("ALICE").decidedBy()).isEqualTo(DecidedBy.WHITELIST);
                assertThat(f.status("Alice"))
                        .as("what was proved of one spelling says nothing of another")
                        .isEqualTo(TAKEN);
            }
        }

        @Test
        void aDisplayFormThatIsWrittenIsTaken() {
            try (CheckerFixture f = CheckerFixture.ready("bob")) {
                f.register("Alice");
                assertThat(f.status("Alice")).isEqualTo(TAKEN);
                rescan(f);
                assertThat(f.status("Alice")).isEqualTo(TAKEN);
            }
        }

        @Test
        void aStoreThatFailsNeverMeansAvailable() {
            try (CheckerFixture f = CheckerFixture.ready("alice")) {
                f.store.failing(true);
                assertThat(f.check("alice"))
                        .matches(v -> v.status() == UNKNOWN
                                && v.reason().orElseThrow().equals(StoreAnswers.STORE_UNAVAILABLE));
                f.store.failing(false);
                assertThat(f.status("alice")).isEqualTo(TAKEN);
            }
        }

        @Test
        void aClosedCheckerKnowsNothing() {
            CheckerFixture f = CheckerFixture.ready("alice");
            f.close();
            assertThat(f.status("alice")).isEqualTo(UNKNOWN);
            assertThat(f.status("bob")).isEqualTo(UNKNOWN);
        }

        @Test
        void checkAllAgreesWithCheck() {
            try (CheckerFixture f = CheckerFixture.ready("alice", "bob", "Eve")) {
                IdentifierWrite open = tell(f, "carol");
                f.store.commit("carol");
                assertThat(f.checker.checkAll(KIND, List.of("alice", "dave", "carol", "BOB", "EVE", "Eve")))
                        .extracting(Verdict::status)
                        .containsExactly(TAKEN, AVAILABLE, TAKEN, TAKEN, AVAILABLE, TAKEN);
                end(open);
            }
        }

        @Test
        void checkInMemoryNeverReadsTheStore() {
            try (CheckerFixture f = CheckerFixture.ready("alice")) {
                int before = f.store.reads();
                assertThat(f.checker.checkInMemory(KIND, "alice").status()).isEqualTo(UNKNOWN);
                assertThat(f.checker.checkInMemory(KIND, "bob").status()).isEqualTo(AVAILABLE);
                assertThat(f.store.reads()).isEqualTo(before);
            }
        }
    }

    @Nested
    class AbsenceIsRememberedWhereNobodyTold {
        @Test
        void aProvedFalsePositiveIsAnsweredFromMemoryTheNextTime() {
            try (CheckerFixture f = CheckerFixture.ready("alice")) {
                f.store.delete("alice");
                assertThat(f.check("alice").decidedBy()).isEqualTo(DecidedBy.STORE);
                assertThat(f.check("alice")).matches(v -> v.available() && v.decidedBy() == DecidedBy.WHITELIST);
                f.checker.clearWhitelist(KIND);
                assertThat(f.check("alice").decidedBy()).isEqualTo(DecidedBy.STORE);
            }
        }

        @Test
        void aNameThatWasToldAndIsNotThereYetIsReadEachTime() {
            try (CheckerFixture f = CheckerFixture.ready()) {
                IdentifierWrite write = tell(f, "alice");
                int before = f.store.reads();
                assertThat(f.check("alice").decidedBy()).isEqualTo(DecidedBy.STORE);
                assertThat(f.check("alice").decidedBy()).isEqualTo(DecidedBy.STORE);
                assertThat(f.store.reads() - before).isEqualTo(2);
                f.store.commit("alice"); // an hour later
                end(write);
                assertThat(f.status("alice")).isEqualTo(TAKEN);
            }
        }

        @Test
        void aReadOverlappedByARegistrationTeachesNothing() {
            try (CheckerFixture f = CheckerFixture.ready("alice")) {
                f.store.delete("alice");
                Gate slowReply = f.store.holdReply("alice");
                CompletableFuture<Verdict> early = f.checkBeside("alice");
                slowReply.awaitArrival();
                f.register("alice");
                slowReply.open();
                soon(early);
                assertThat(f.status("alice")).isEqualTo(TAKEN);
            }
        }

        @Test
        void aReadFromBeforeASwapTeachesTheNextGenerationNothing() {
            try (CheckerFixture f = CheckerFixture.ready("alice")) {
                f.store.delete("alice");
                Gate slowReply = f.store.holdReply("alice");
                CompletableFuture<Verdict> early = f.checkBeside("alice");
                slowReply.awaitArrival();
                f.checker.registrations().bulk(KIND, () -> f.store.commit("alice"));
                f.awaitState(KindState.READY);
                slowReply.open();
                soon(early);
                assertThat(f.status("alice")).isEqualTo(TAKEN);
                assertThat(f.status("alice")).isEqualTo(TAKEN);
            }
        }

        @Test
        void aRegistrationEndsTheWhitelisting() {
            try (CheckerFixture f = CheckerFixture.ready("alice")) {
                f.store.delete("alice");
                f.check("alice");
                assertThat(f.check("alice").decidedBy()).isEqualTo(DecidedBy.WHITELIST);
                f.register("alice");
                assertThat(f.status("alice")).isEqualTo(TAKEN);
            }
        }
    }

    @Nested
    class Misses {
        @Test
        void whatIsFoundThoughItWasProvedAbsentIsOne() {
            try (CheckerFixture f = CheckerFixture.ready("alice")) {
                f.store.delete("alice");
                f.check("alice");
                assertThat(f.check("alice").decidedBy()).isEqualTo(DecidedBy.WHITELIST);
                f.store.commit("alice"); // by somebody who tells nobody
                assertThat(f.status("Alice")).isEqualTo(TAKEN);
                assertThat(f.stats().missesProved()).isEqualTo(1);
                assertThat(f.status("alice")).isEqualTo(TAKEN);
            }
        }

        @Test
        void whatARequestRegistersIsNone() {
            try (CheckerFixture f = CheckerFixture.ready("bob")) {
                Announcement watch = f.checker.registrations().watch(KIND, "dave");
                f.store.commit("dave");
                watch.close();
                eventually(() -> f.stats().memory().entries() >= 2
                        && f.stats().underWay().mentioned() == 0);
                assertThat(f.stats().missesProved()).isZero();
            }
        }
    }

    /** What a watched request merely mentions. */
    @Nested
    class StrangersTexts {
        @Test
        void whatARequestMentionsIsAskedOfTheDatabaseUntilItsEnd() {
            try (CheckerFixture f = CheckerFixture.ready()) {
                Announcement watch = f.checker.registrations().watch(KIND, "bob");
                assertThat(f.check("bob").decidedBy()).isEqualTo(DecidedBy.STORE);
                f.store.commit("bob");
                assertThat(f.status("bob")).isEqualTo(TAKEN);
                watch.close();
                eventually(() -> f.stats().memory().entries() == 1);
                assertThat(f.status("bob")).isEqualTo(TAKEN);
            }
        }

        @Test
        void whatIsOnlyMentionedLeavesNoTrace() {
            try (CheckerFixture f = CheckerFixture.ready()) {
                for (int i = 0; i < 1000; i++) {
                    f.checker.registrations().watch(KIND, "Name" + i % 7).close();
                }
                eventually(() -> f.check("name3").decidedBy() == DecidedBy.FILTER);
                assertThat(f.stats())
                        .matches(now -> now.memory().entries() == 0
                                && now.memory().told() == 0
                                && now.underWay().open() == 0);
            }
        }

        @Test
        void whatIsOnlyMentionedTakesNoRoomOnTheWhitelist() {
            try (CheckerFixture f = CheckerFixture.ready("alice")) {
                for (int i = 0; i < 100; i++) {
                    f.checker.registrations().watch(KIND, "name" + i).close();
                }
                eventually(() -> f.stats().underWay().mentioned() == 0);
                assertThat(f.stats().memory().whitelisted()).isZero();
            }
        }

        @Test
        void theReadsAtTheEndLeaveTheQueueToThoseWhoAsk() {
            ScriptedStore store = new ScriptedStore("blocker", "alice");
            try (CheckerFixture f =
                    CheckerFixture.ready(store, b -> b.recheckThreads(1).recheckQueue(3))) {
                Gate busy = store.holdReply("blocker");
                CompletableFuture<Verdict> blocker = f.checkBeside("blocker");
                busy.awaitArrival();
                for (int i = 0; i < 100; i++) {
                    f.checker.registrations().watch(KIND, "name" + i).close();
                }
                assertThat(f.stats().reads().waiting()).isEqualTo(2);
                CompletableFuture<Verdict> asked = f.checkBeside("alice");
                busy.open();
                soon(blocker);
                assertThat(soon(asked).status()).isEqualTo(TAKEN);
                eventually(() -> f.stats().underWay().mentioned() == 0);
                assertThat(f.stats().memory().told())
                        .as("each was read in its turn")
                        .isZero();
            }
        }

        @Test
        void thousandsThatAreRefusedAtTheEndAreToldOneAfterTheOther() {
            ScriptedStore store = new ScriptedStore("blocker", "alice");
            try (CheckerFixture f =
                    CheckerFixture.ready(store, b -> b.recheckThreads(1).recheckQueue(1))) {
                Gate busy = store.holdReply("blocker");
                CompletableFuture<Verdict> blocker = f.checkBeside("blocker");
                busy.awaitArrival();
                List<Announcement> many = IntStream.range(0, 9_000)
                        .mapToObj(i -> f.checker.registrations().watch(KIND, "name" + i))
                        .toList();
                CompletableFuture<Verdict> waiting = f.checkBeside("alice");
                many.forEach(Announcement::close);
                assertThat(f.stats().underWay().mentioned()).isZero();
                assertThat(f.stats().memory().told()).isEqualTo(9_000);
                busy.open();
                soon(blocker);
                assertThat(soon(waiting).status()).isEqualTo(TAKEN);
            }
        }

        @Test
        void oneOfTwoRequestsThatMentionANameSpeaksOnlyForItself() {
            try (CheckerFixture f = CheckerFixture.ready()) {
                Announcement first = f.checker.registrations().watch(KIND, "alice");
                Announcement second = f.checker.registrations().watch(KIND, "alice");
                Gate read = f.store.holdReply("alice");
                first.close();
                read.awaitArrival(); // it has seen nothing
                f.store.commit("alice"); // by the second
                read.open();
                assertThat(f.status("alice")).isEqualTo(TAKEN);
                second.close();
                eventually(() -> f.stats().memory().entries() == 1);
                assertThat(f.status("alice")).isEqualTo(TAKEN);
            }
        }

        @Test
        void whatCannotBeReadAtTheEndLingersForItMayNotBeStoredYet() {
            ScriptedStore store = new ScriptedStore();
            store.withoutBarrier();
            try (CheckerFixture f = CheckerFixture.ready(store, b -> {})) {
                Announcement watch = f.checker.registrations().watch(KIND, "alice");
                store.failing(true);
                watch.close();
                eventually(() -> f.stats().underWay().mentioned() == 0);
                store.failing(false);
                rescan(f);
                store.commit("alice"); // the server has waited for a lock
                assertThat(f.status("alice")).isEqualTo(TAKEN);
            }
        }

        @Test
        void whatCannotBeReadAtTheEndIsTold() {
            try (CheckerFixture f = CheckerFixture.ready()) {
                Announcement watch = f.checker.registrations().watch(KIND, "alice");
                f.store.commit("alice");
                f.store.failing(true);
                watch.close();
                eventually(() -> f.stats().memory().told() == 1);
                f.store.failing(false);
                assertThat(f.status("alice")).isEqualTo(TAKEN);
            }
        }

        @Test
        void closingTwiceIsClosingOnce() {
            try (CheckerFixture f = CheckerFixture.ready()) {
                Announcement other = f.checker.registrations().watch(KIND, "alice");
                Announcement watch = f.checker.registrations().watch(KIND, "alice");
                watch.close();
                watch.close();
                f.store.commit("alice");
                assertThat(f.status("alice")).isEqualTo(TAKEN);
                other.close();
            }
        }

        @Test
        void whereThereIsNoRoomTheTextIsTold() {
            try (CheckerFixture f = CheckerFixture.ready()) {
                List<Announcement> many = IntStream.range(0, 10_001)
                        .mapToObj(i -> f.checker.registrations().watch(KIND, "name" + i))
                        .toList();
                assertThat(f.stats().memory().told()).isEqualTo(1);
                f.store.commit("name10000");
                assertThat(f.status("name10000")).isEqualTo(TAKEN);
                many.forEach(Announcement::close);
                assertThat(f.checker.state(KIND)).isEqualTo(KindState.READY);
            }
        }
    }

    /** The policy on names that only look like a taken one. */
    @Nested
    class Variants {
        private CheckerFixture ready(String... rows) {
            return CheckerFixture.ready(new ScriptedStore(rows), b -> b.variants(KIND, true));
        }

        private void assertRefused(Verdict verdict) {
            assertThat(verdict)
                    .matches(v -> v.status() == TAKEN
                            && v.decidedBy() == DecidedBy.NORMALIZER
                            && v.reason().orElse("").equals("variant"));
        }

        @Test
        void aNameIsRefusedBesideOneInAnotherSpelling() {
            try (CheckerFixture f = ready("Alice", "bob")) {
                assertRefused(f.check("alice"));
                assertRefused(f.check("ALICE"));
                assertRefused(f.check("ALICE")); // now from memory
                assertRefused(f.checker.checkAll(KIND, List.of("aLice")).get(0));
                assertThat(f.check("Alice")).matches(v -> v.status() == TAKEN && v.decidedBy() == DecidedBy.STORE);
                assertThat(f.status("carol")).isEqualTo(AVAILABLE);
                assertThat(f.stats().memory().variants()).isEqualTo(1);
            }
        }

        @Test
        void aRenameNamesItsHolder() {
            try (CheckerFixture f = ready("Alice")) {
                assertThat(f.checker.check(KIND, "alice", "Alice").status()).isEqualTo(AVAILABLE);
                assertRefused(f.checker.check(KIND, "alice", "bob"));
            }
        }

        @Test
        void aStrangersFailedSignUpBlocksNoName() {
            try (CheckerFixture f = ready("bob")) {
                end(tell(f, "Alice"));
                assertThat(f.status("alice")).isEqualTo(AVAILABLE);
            }
        }

        @Test
        void whereThePolicyIsOffTheColumnDecides() {
            try (CheckerFixture f = CheckerFixture.ready("Alice")) {
                assertThat(f.status("alice")).isEqualTo(AVAILABLE);
                assertThat(f.stats().memory().variants()).isZero();
            }
        }
    }
}
