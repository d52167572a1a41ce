package io.github.untaken;

import static io.github.untaken.CheckerFixture.KIND;
import static io.github.untaken.CheckerFixture.eventually;
import static io.github.untaken.CheckerFixture.soon;
import static io.github.untaken.Verdict.Status.AVAILABLE;
import static io.github.untaken.Verdict.Status.TAKEN;
import static io.github.untaken.Verdict.Status.UNKNOWN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.untaken.Verdict.DecidedBy;
import io.github.untaken.spi.IdentifierNormalizer;
import io.github.untaken.spi.IdentifierSource;
import io.github.untaken.spi.IdentifierTransaction;
import io.github.untaken.spi.RegisteredIdentifierStore;
import io.github.untaken.spi.TransactionSink;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Each schedule that would end in a false "available", played step by step against the real registry. */
class RegistryProtocolTest {

    @Nested
    class Reading {
        @Test
        void aCheckDoesNotJoinAReadThatHasAlreadyStarted() {
            try (CheckerFixture f = CheckerFixture.ready()) {
                makeFilterSayMaybe(f, "alice");
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
            ScriptedStore store = new ScriptedStore("blocker");
            try (CheckerFixture f = CheckerFixture.ready(store, b -> b.recheckThreads(1))) {
                Gate busy = store.holdReply("blocker");
                CompletableFuture<Verdict> blocker = f.checkBeside("blocker");
                busy.awaitArrival();
                makeFilterSayMaybe(f, "bob");
                int before = store.reads();

                List<CompletableFuture<Verdict>> many = java.util.stream.IntStream.range(0, 20)
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
            ScriptedStore store = new ScriptedStore("alice");
            Gate scan = store.holdScanAfter(0);
            try (CheckerFixture f = new CheckerFixture(store)) {
                scan.awaitArrival();
                assertThat(f.check("alice").status()).isEqualTo(TAKEN);
                assertThat(f.check("bob")).matches(v -> v.status() == AVAILABLE && v.decidedBy() == DecidedBy.STORE);
                assertThat(f.stats().progress()).isPresent();
                scan.open();
                f.awaitState(KindState.READY);
                assertThat(f.check("bob").decidedBy()).isEqualTo(DecidedBy.FILTER);
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
            try (CheckerFixture f = CheckerFixture.ready("alice", "bob")) {
                IdentifierTransaction open = f.begin();
                open.adding(KIND, "carol");
                assertThat(f.checker.checkAll(KIND, List.of("alice", "dave", "carol", "bob", "eve")))
                        .extracting(Verdict::status)
                        .containsExactly(TAKEN, AVAILABLE, TAKEN, TAKEN, AVAILABLE);
                open.rolledBack();
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
    class Writing {
        @Test
        void anAnnouncedKeyIsTakenBeforeItsCommitAndAfter() {
            try (CheckerFixture f = CheckerFixture.ready()) {
                IdentifierTransaction t = f.begin();
                t.adding(KIND, "alice");
                assertThat(f.check("ALICE")).matches(v -> v.status() == TAKEN && v.decidedBy() == DecidedBy.PENDING);
                f.store.commit("alice");
                assertThat(f.status("alice")).isEqualTo(TAKEN);
                t.committed();
                assertThat(f.check("alice")).matches(v -> v.status() == TAKEN && v.decidedBy() == DecidedBy.STORE);
            }
        }

        @Test
        void aRollbackOfOneOwnerDoesNotHideTheCommitOfAnother() {
            try (CheckerFixture f = CheckerFixture.ready()) {
                IdentifierTransaction first = f.begin();
                IdentifierTransaction second = f.begin();
                first.adding(KIND, "alice");
                second.adding(KIND, "alice");
                first.rolledBack();
                assertThat(f.stats().storeReads())
                        .as("the second will speak for the key")
                        .isZero();
                f.store.commit("alice");
                assertThat(f.status("alice")).isEqualTo(TAKEN);
                second.committed();
                assertThat(f.status("alice")).isEqualTo(TAKEN);
                assertThat(f.stats().pending()).isZero();
            }
        }

        @Test
        void aRollbackOfOneOwnerDoesNotEndTheDoubtOfAnother() {
            try (CheckerFixture f = CheckerFixture.ready("zoe")) {
                IdentifierTransaction first = f.begin();
                first.adding(KIND, "alice");
                first.unknown();
                IdentifierTransaction second = f.begin();
                second.adding(KIND, "alice");
                second.rolledBack();
                // The second read of a key begins when the first has ended, which verifies the rollback.
                assertThat(List.of(f.status("alice"), f.status("alice"))).containsOnly(AVAILABLE);
                assertThat(f.stats().doubtful()).isEqualTo(1);
                f.store.commit("alice"); // the first COMMIT lands
                assertThat(f.status("alice")).isEqualTo(TAKEN);
            }
        }

        @Test
        void aThousandRefusedRegistrationsLeaveNoTrace() {
            try (CheckerFixture f = CheckerFixture.ready("alice")) {
                long before = f.stats().entries();
                for (int i = 0; i < 1000; i++) {
                    IdentifierTransaction t = f.begin();
                    t.adding(KIND, "alice");
                    t.rolledBack();
                }
                assertThat(f.stats().entries()).isEqualTo(before);
                assertThat(f.stats().pending()).isZero();
            }
        }

        @Test
        void whatWasCommittedBehindAReportedRollbackIsTakenAtOnceAndForGood() {
            try (CheckerFixture f = CheckerFixture.ready("zoe")) {
                IdentifierTransaction t = f.begin();
                t.adding(KIND, "alice");
                f.store.commit("alice"); // connection.commit() on a connection lent out
                Gate verification = f.store.holdReplyBeforeItsSnapshot("alice");
                t.rolledBack();
                verification.awaitArrival();
                assertThat(f.checker.checkInMemory(KIND, "alice").available()).isFalse();
                verification.open();
                assertThat(f.status("alice")).isEqualTo(TAKEN);
                eventually(() -> f.stats().entries() == 2);
                assertThat(f.stats()).matches(now -> now.pending() == 0 && now.doubtful() == 0);
                assertThat(f.stats().missesProved()).isZero();
                assertThat(f.status("alice")).isEqualTo(TAKEN);
            }
        }

        @Test
        void whatWasCommittedBehindAReportedRollbackIsNotLostToTheScanUnderWay() {
            try (CheckerFixture f = CheckerFixture.ready("zoe")) {
                Gate scan = f.store.holdScanAfter(1);
                f.forgetRebuilds();
                f.checker.rescan(KIND);
                scan.awaitArrival(); // its snapshot is taken
                IdentifierTransaction t = f.begin();
                t.adding(KIND, "alice");
                f.store.commit("alice");
                t.rolledBack();
                eventually(() -> f.stats().entries() == 2);
                scan.open();
                f.awaitRebuild();
                assertThat(f.stats().entries()).isEqualTo(2);
                assertThat(f.status("alice")).isEqualTo(TAKEN);
            }
        }

        @Test
        void aReadThatVerifiesOneRollbackDoesNotSpeakForAnother() {
            try (CheckerFixture f = CheckerFixture.ready("zoe")) {
                Gate verification = f.store.holdReply("alice");
                IdentifierTransaction first = f.begin();
                first.adding(KIND, "alice");
                first.rolledBack();
                verification.awaitArrival(); // it has seen nothing
                IdentifierTransaction second = f.begin();
                second.adding(KIND, "alice");
                f.store.commit("alice"); // connection.commit() on a connection lent out
                second.rolledBack();
                verification.open();
                eventually(() -> f.stats().entries() == 2
                        || f.checker.checkInMemory(KIND, "alice").available());
                assertThat(f.status("alice")).isEqualTo(TAKEN);
            }
        }

        @Test
        void aReportedRollbackThatNoReadCanVerifyLeavesADoubt() {
            try (CheckerFixture f = CheckerFixture.ready("zoe")) {
                f.store.failing(true); // what failed the reply to that commit fails the read as well
                IdentifierTransaction t = f.begin();
                t.adding(KIND, "alice");
                f.store.commit("alice");
                t.rolledBack();
                eventually(() -> f.stats().doubtful() == 1);
                f.store.failing(false);
                assertThat(f.status("alice")).isEqualTo(TAKEN);
            }
        }

        @Test
        void aTrueRollbackLeavesNeitherCopyNorDoubtNorWhitelisting() {
            try (CheckerFixture f = CheckerFixture.ready("zoe")) {
                IdentifierTransaction t = f.begin();
                t.adding(KIND, "alice");
                t.rolledBack();
                // Without a check: one begun just after the verifying read might teach the whitelist, as it may.
                eventually(() -> f.checker.checkInMemory(KIND, "alice").available());
                assertThat(f.stats())
                        .matches(now -> now.entries() == 1 && now.doubtful() == 0 && now.whitelisted() == 0);
                assertThat(f.status("alice")).isEqualTo(AVAILABLE);
            }
        }

        @Test
        void aNameIsFreeAsSoonAsATrueRollbackIsReported() {
            try (CheckerFixture f = CheckerFixture.ready("zoe")) {
                Gate verification = f.store.holdReply("alice");
                IdentifierTransaction t = f.begin();
                t.adding(KIND, "alice");
                t.rolledBack();
                verification.awaitArrival();
                CompletableFuture<Verdict> meanwhile = f.checkBeside("alice");
                verification.open();
                assertThat(soon(meanwhile).status()).isEqualTo(AVAILABLE);
            }
        }

        @Test
        void theLoserOfTwoRegistrationsOfOneNameCostsNoRead() {
            try (CheckerFixture f = CheckerFixture.ready()) {
                IdentifierTransaction winner = f.begin();
                IdentifierTransaction loser = f.begin();
                winner.adding(KIND, "alice");
                loser.adding(KIND, "alice");
                f.store.commit("alice");
                loser.rolledBack(); // told before the winner's end
                winner.committed();
                assertThat(f.store.reads()).isZero();
                assertThat(f.stats().entries()).isEqualTo(1);
            }
        }

        @Test
        void aKeyOfUnknownOutcomeIsRecheckedEachTimeAndNeverWhitelisted() {
            try (CheckerFixture f = CheckerFixture.ready()) {
                makeFilterSayMaybe(f, "alice");
                IdentifierTransaction t = f.begin();
                t.adding(KIND, "alice");
                t.unknown();
                int before = f.store.reads();
                assertThat(f.check("alice").decidedBy()).isEqualTo(DecidedBy.STORE);
                assertThat(f.check("alice").decidedBy()).isEqualTo(DecidedBy.STORE);
                assertThat(f.store.reads() - before).isEqualTo(2);
                f.store.commit("alice"); // the COMMIT lands late
                assertThat(f.status("alice")).isEqualTo(TAKEN);
            }
        }

        @Test
        void doubtEndsWithARebuildBegunTenMinutesLater() {
            try (CheckerFixture f = CheckerFixture.ready()) {
                IdentifierTransaction t = f.begin();
                t.adding(KIND, "alice");
                t.unknown();
                f.forgetRebuilds();
                f.checker.rescan(KIND);
                f.awaitRebuild();
                Gate nextScan = f.store.holdScanAfter(0);
                f.checker.rescan(KIND);
                nextScan.awaitArrival(); // what a rebuild forgets it forgets after it is told of
                assertThat(f.stats().doubtful()).isEqualTo(1);
                nextScan.open();
                f.awaitRebuild();
                f.store.commit("alice");
                f.nanos.addAndGet(Duration.ofMinutes(11).toNanos());
                f.awaitRebuild();
                eventually(() -> f.stats().doubtful() == 0);
                assertThat(f.status("alice")).isEqualTo(TAKEN);
            }
        }

        @Test
        void aSecondDoubtOfAKeyLastsAsLongAsTheFirst() {
            try (CheckerFixture f = CheckerFixture.ready()) {
                IdentifierTransaction first = f.begin();
                first.adding(KIND, "alice");
                first.unknown();
                f.nanos.addAndGet(Duration.ofMinutes(9).toNanos());
                IdentifierTransaction second = f.begin();
                second.adding(KIND, "alice");
                second.unknown();
                f.nanos.addAndGet(Duration.ofMinutes(2).toNanos());
                f.forgetRebuilds();
                f.checker.rescan(KIND);
                f.awaitRebuild();
                Gate nextScan = f.store.holdScanAfter(0);
                f.checker.rescan(KIND);
                nextScan.awaitArrival(); // what a rebuild forgets it forgets after it is told of
                f.store.commit("alice"); // the second COMMIT lands late, behind the snapshot of every scan
                assertThat(f.status("alice")).isEqualTo(TAKEN);
                nextScan.open();
            }
        }

        @Test
        void aCommitHeardAfterTheDoubtStillAddsItsCopy() {
            try (CheckerFixture f = CheckerFixture.ready()) {
                IdentifierTransaction t = f.begin();
                t.adding(KIND, "alice");
                t.unknown();
                f.store.commit("alice");
                t.committed();
                assertThat(f.stats().entries()).isEqualTo(1);
                assertThat(f.status("alice")).isEqualTo(TAKEN);
            }
        }

        @Test
        void aValueWithoutAKeySendsChecksToTheStore() {
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
            AtomicReference<TransactionSink> sink = new AtomicReference<>();
            try (AvailabilityChecker checker = AvailabilityChecker.builder()
                    .source(new IdentifierSource() {
                        @Override
                        public Map<IdentifierKind, List<RegisteredIdentifierStore>> stores() {
                            return Map.of(KIND, List.of(store));
                        }

                        @Override
                        public void connect(TransactionSink given) {
                            sink.set(given);
                        }

                        @Override
                        public void disconnect() {}
                    })
                    .normalizer(KIND, choosy)
                    .build()) {
                eventually(() -> checker.state(KIND) == KindState.READY);
                IdentifierTransaction t = sink.get().begin();
                t.adding(KIND, "?");
                assertThat(checker.state(KIND)).isEqualTo(KindState.DEGRADED);
                t.rolledBack();
                eventually(() -> checker.state(KIND) == KindState.READY);
            }
        }

        @Test
        void theCommittingThreadNeverReadsTheStore() {
            try (CheckerFixture f = CheckerFixture.ready("old")) {
                IdentifierTransaction t = f.begin();
                t.adding(KIND, "new");
                t.removing(KIND, "old");
                f.store.delete("old");
                f.store.commit("new");
                t.committed();
                eventually(() -> f.store.reads() >= 1);
                assertThat(f.store.readingThreads())
                        .isNotEmpty()
                        .allSatisfy(name -> assertThat(name).startsWith("untaken-"));
            }
        }

        @Test
        void tooManyPendingKeysSendChecksToTheStoreUntilTheTransactionEnded() {
            ScriptedStore store = new ScriptedStore();
            try (CheckerFixture f = CheckerFixture.ready(store, b -> b.maxPending(10))) {
                IdentifierTransaction t = f.begin();
                for (int i = 0; i < 20; i++) {
                    t.adding(KIND, "name" + i);
                }
                f.awaitState(KindState.DEGRADED);
                f.forgetRebuilds();
                f.checker.rescan(KIND);
                f.awaitRebuild();
                assertThat(f.checker.state(KIND)).isEqualTo(KindState.DEGRADED);
                for (int i = 0; i < 20; i++) {
                    store.commit("name" + i);
                }
                for (int i = 0; i < 20; i++) {
                    assertThat(f.status("name" + i)).isEqualTo(TAKEN);
                }
                t.committed();
                f.awaitState(KindState.READY);
                for (int i = 0; i < 20; i++) {
                    assertThat(f.status("name" + i)).isEqualTo(TAKEN);
                }
            }
        }

        @Test
        void aWatchedRequestIsSettledByOneReadAndLeavesNoDoubt() {
            try (CheckerFixture f = CheckerFixture.ready()) {
                Announcement failed = f.checker.registrations().watch(KIND, "bob");
                assertThat(f.status("bob")).isEqualTo(TAKEN);
                failed.close();
                eventually(() -> f.stats().pending() == 0);
                assertThat(f.check("bob")).matches(v -> v.available() && v.decidedBy() == DecidedBy.FILTER);

                Announcement succeeded = f.checker.registrations().watch(KIND, "alice");
                f.store.commit("alice");
                succeeded.close();
                eventually(() -> f.stats().pending() == 0);
                assertThat(f.status("alice")).isEqualTo(TAKEN);
                assertThat(f.stats().doubtful()).isZero();
            }
        }

        /** Nobody reads it for its key, so any name may be what it registers. */
        @Test
        void aWatchedTextThatIsTooLongToFollowIsSomethingUnseen() {
            try (CheckerFixture f = CheckerFixture.ready()) {
                String longest = "a".repeat(2_097_152);
                Announcement followed = f.checker.registrations().watch(KIND, longest);
                assertThat(f.stats().pending()).isEqualTo(1);
                followed.close();
                eventually(() -> f.stats().pending() == 0);
                assertThat(f.checker.state(KIND)).isEqualTo(KindState.READY);

                Announcement watch = f.checker.registrations().watch(KIND, longest + "a");
                assertThat(f.stats().pending()).isZero();
                f.store.commit("alice");
                assertThat(f.status("alice")).isEqualTo(TAKEN);
                watch.close();
                assertThat(f.status("alice")).isEqualTo(TAKEN);
                assertThat(f.checker.state(KIND)).isEqualTo(KindState.DEGRADED);
                assertThat(f.stats().reason()).contains("2097152");
            }
        }

        @Test
        void aWatchedRequestThatCannotBeReadIsKept() {
            try (CheckerFixture f = CheckerFixture.ready()) {
                Announcement watch = f.checker.registrations().watch(KIND, "alice");
                f.store.commit("alice");
                f.store.failing(true);
                watch.close();
                eventually(() -> f.stats().pending() == 0);
                f.store.failing(false);
                assertThat(f.status("alice")).isEqualTo(TAKEN);
            }
        }
    }

    @Nested
    class Whitelisting {
        @Test
        void aProvedFalsePositiveIsAnsweredFromMemoryTheNextTime() {
            try (CheckerFixture f = CheckerFixture.ready()) {
                makeFilterSayMaybe(f, "alice");
                assertThat(f.check("alice").decidedBy()).isEqualTo(DecidedBy.STORE);
                assertThat(f.check("alice")).matches(v -> v.available() && v.decidedBy() == DecidedBy.WHITELIST);
                f.checker.clearWhitelist(KIND);
                assertThat(f.check("alice").decidedBy()).isEqualTo(DecidedBy.STORE);
            }
        }

        @Test
        void aReadOverlappedByARegistrationTeachesNothing() {
            try (CheckerFixture f = CheckerFixture.ready()) {
                makeFilterSayMaybe(f, "alice");
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
        void aReadOverlappedByALossOfTrustTeachesNothing() {
            try (CheckerFixture f = CheckerFixture.ready()) {
                makeFilterSayMaybe(f, "alice");
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
            try (CheckerFixture f = CheckerFixture.ready()) {
                makeFilterSayMaybe(f, "alice");
                f.check("alice");
                assertThat(f.check("alice").decidedBy()).isEqualTo(DecidedBy.WHITELIST);
                f.register("alice");
                assertThat(f.status("alice")).isEqualTo(TAKEN);
            }
        }
    }

    /** Nothing is taken out of what serves: a name that goes is proved absent once, and remembered. */
    @Nested
    class Forgetting {
        private void assertAvailableWithoutARead(CheckerFixture f, String name) {
            eventually(() -> f.stats().stale() == 1);
            int reads = f.store.reads();
            assertThat(f.check(name)).matches(v -> v.available() && v.decidedBy() == DecidedBy.WHITELIST);
            assertThat(f.store.reads()).isEqualTo(reads);
        }

        @Test
        void aDeletedNameIsAvailableFromMemory() {
            try (CheckerFixture f = CheckerFixture.ready("alice", "bob")) {
                IdentifierTransaction t = f.begin();
                t.removing(KIND, "alice");
                f.store.delete("alice");
                t.committed();
                assertAvailableWithoutARead(f, "alice");
                assertThat(f.stats().entries()).as("the entry stays").isEqualTo(2);
                assertThat(f.status("bob")).isEqualTo(TAKEN);
            }
        }

        @Test
        void aReleasedNameIsAvailableFromMemory() {
            try (CheckerFixture f = CheckerFixture.ready("alice", "bob")) {
                f.store.delete("alice");
                f.checker.registrations().released(KIND, "alice");
                assertAvailableWithoutARead(f, "alice");
            }
        }

        @Test
        void whatIsToldTwiceLateOrWronglyTakesNobodysEntry() {
            try (CheckerFixture f = CheckerFixture.ready("alice", "bob")) {
                for (int i = 0; i < 3; i++) {
                    IdentifierTransaction t = f.begin();
                    t.removing(KIND, "alice");
                    t.removing(KIND, "bob"); // whose row is still there
                    f.store.delete("alice");
                    t.committed();
                }
                eventually(() -> f.stats().stale() == 3);
                assertThat(f.stats().entries()).isEqualTo(2);
                assertThat(f.status("bob")).isEqualTo(TAKEN);
                assertThat(f.status("alice")).isEqualTo(AVAILABLE);
            }
        }

        @Test
        void aDeleteThatIsRolledBackKeepsTheName() {
            try (CheckerFixture f = CheckerFixture.ready("alice")) {
                IdentifierTransaction t = f.begin();
                t.removing(KIND, "alice");
                t.rolledBack();
                assertThat(f.status("alice")).isEqualTo(TAKEN);
            }
        }

        @Test
        void aReadOvertakenByANewRegistrationTeachesNothing() {
            try (CheckerFixture f = CheckerFixture.ready("alice")) {
                Gate slowReply = f.store.holdReply("alice");
                IdentifierTransaction t = f.begin();
                t.removing(KIND, "alice");
                f.store.delete("alice");
                t.committed();
                slowReply.awaitArrival();
                f.register("alice");
                slowReply.open();
                eventually(() -> f.stats().stale() == 1);
                assertThat(f.status("alice")).isEqualTo(TAKEN);
            }
        }

        @Test
        void anAdditionWinsOverARemovalInTheSameTransaction() {
            try (CheckerFixture f = CheckerFixture.ready("alice")) {
                IdentifierTransaction t = f.begin();
                t.adding(KIND, "alice");
                t.removing(KIND, "alice");
                t.committed();
                assertThat(f.stats().entries()).isEqualTo(1);
                assertThat(f.status("alice")).isEqualTo(TAKEN);
            }
        }

        @Test
        void theEndOfALargeDeleteLeavesThreadsToTheChecks() {
            String[] names = new String[200];
            for (int i = 0; i < names.length; i++) {
                names[i] = "name" + i;
            }
            try (CheckerFixture f = CheckerFixture.ready(
                    new ScriptedStore(names), b -> b.recheckThreads(2).recheckQueue(2))) {
                Gate slow = f.store.holdReply("name0");
                IdentifierTransaction t = f.begin();
                for (int i = 0; i < 199; i++) {
                    t.removing(KIND, names[i]);
                    f.store.delete(names[i]);
                }
                t.committed();
                assertThat(f.status("name199")).isEqualTo(TAKEN);
                slow.open();
                eventually(() -> f.stats().stale() == 199);
                assertThat(f.check("name7").decidedBy()).isEqualTo(DecidedBy.WHITELIST);
            }
        }

        @Test
        void aFreedNameOfAnOddSpellingIsAvailableAfterTheSweepItAsksFor() {
            try (CheckerFixture f =
                    CheckerFixture.ready(new ScriptedStore("Alice", "bob"), b -> b.sweepDelay(Duration.ofSeconds(1)))) {
                f.forgetRebuilds();
                f.store.delete("Alice");
                f.checker.registrations().released(KIND, "Alice");
                assertThat(f.status("alice")).isIn(TAKEN, AVAILABLE);
                f.awaitRebuild();
                assertThat(f.status("alice")).isEqualTo(AVAILABLE);
            }
        }
    }

    @Nested
    class Rebuilding {
        @Test
        void whatIsRegisteredWhileTheScanRunsSurvivesTheSwap() {
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
        void whatTheServingGenerationKnowsIsAddedToTheNextForItself() {
            try (CheckerFixture f = CheckerFixture.ready("kim")) {
                makeFilterSayMaybe(f, "alice");
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

        /** The reply to its COMMIT was lost, and the COMMIT was not. */
        @Test
        void bulkWorkThatThrowsMayStillBeCommitted() {
            try (CheckerFixture f = CheckerFixture.ready("kim")) {
                assertThatThrownBy(() -> f.checker.registrations().bulk(KIND, () -> {
                            throw new IllegalStateException("no reply");
                        }))
                        .hasMessage("no reply");
                f.forgetRebuilds();
                f.checker.rescan(KIND);
                f.awaitRebuild();
                f.store.commit("alice");
                assertThat(f.status("alice")).isEqualTo(TAKEN);
                assertThat(f.checker.state(KIND)).isEqualTo(KindState.DEGRADED);
                // A rescan asks for the next by the clock on the wall, so that must not be far.
                f.nanos.addAndGet(Duration.ofMinutes(10).minusMillis(5).toNanos());
                f.checker.rescan(KIND);
                f.nanos.addAndGet(Duration.ofMillis(5).toNanos());
                f.awaitState(KindState.READY);
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
                f.forgetRebuilds();
                Gate secondScan = f.store.holdScanAfter(0);
                scan.open();
                secondScan.awaitArrival();
                assertThat(f.checker.state(KIND)).isEqualTo(KindState.DEGRADED);
                assertThat(f.status("alice")).isEqualTo(TAKEN);
                secondScan.open();
                f.awaitRebuild();
                eventually(() -> f.checker.state(KIND) == KindState.READY);
                assertThat(f.status("alice")).isEqualTo(TAKEN);
            }
        }

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

        @Test
        void aMissProvedByAReadIsAddedCountedAndRescanned() {
            try (CheckerFixture f = CheckerFixture.ready("bob")) {
                IdentifierTransaction t = f.begin();
                t.removing(KIND, "alice"); // makes the registry read the store for a key its filter does not have
                f.store.commit("alice"); // written behind the registry's back
                t.committed();
                eventually(() -> f.stats().missesProved() == 1);
                assertThat(f.stats().entries()).as("before the rescan").isEqualTo(2);
                assertThat(f.status("alice")).isEqualTo(TAKEN);
            }
        }

        @Test
        void afterAProvenMissTheStoreAnswersUntilARescan() {
            try (CheckerFixture f = CheckerFixture.ready("bob")) {
                Gate scan = f.store.holdScanAfter(1);
                IdentifierTransaction t = f.begin();
                t.removing(KIND, "alice");
                f.store.commit("alice"); // two rows behind the registry's back, of which one is noticed
                f.store.commit("carol");
                f.nanos.addAndGet(Duration.ofSeconds(30).toNanos()); // the last rebuild is long ago
                t.committed();
                scan.awaitArrival();
                assertThat(f.checker.state(KIND)).isEqualTo(KindState.DEGRADED);
                assertThat(f.stats().reason()).contains("missing from memory");
                assertThat(f.status("carol")).isEqualTo(TAKEN);
                assertThat(f.check("dave")).matches(v -> v.available() && v.decidedBy() == DecidedBy.STORE);
                scan.open();
                f.awaitState(KindState.READY);
                assertThat(f.check("carol").status()).isEqualTo(TAKEN);
                assertThat(f.check("dave").decidedBy()).isEqualTo(DecidedBy.FILTER);
            }
        }

        @Test
        void theLoserOfTwoParallelRegistrationsIsNoMiss() {
            try (CheckerFixture f = CheckerFixture.ready()) {
                Gate slowReply = f.store.holdReply("alice");
                Announcement watch = f.checker.registrations().watch(KIND, "alice");
                f.register("alice");
                watch.close();
                slowReply.awaitArrival();
                slowReply.open();
                eventually(() -> f.stats().pending() == 0);
                assertThat(f.stats().missesProved()).isZero();
                assertThat(f.status("alice")).isEqualTo(TAKEN);
            }
        }
    }

    @Nested
    class Spellings {
        @Test
        void aScannedDisplayFormIsNeverAvailableInAnySpelling() {
            try (CheckerFixture f = CheckerFixture.ready("Alice", "bob")) {
                assertThat(f.status("alice")).isEqualTo(TAKEN);
                assertThat(f.status("Alice")).isEqualTo(TAKEN);
                assertThat(f.stats().odd()).isEqualTo(1);
            }
        }

        @Test
        void aWrittenDisplayFormIsNeverAvailableInAnySpelling() {
            try (CheckerFixture f = CheckerFixture.ready("bob")) {
                f.register("Alice");
                assertThat(f.status("alice")).isEqualTo(TAKEN);
                assertThat(f.status("ALICE")).isEqualTo(TAKEN);
                f.checker.registrations().bulk(KIND, () -> {});
                assertThat(f.status("alice")).isEqualTo(TAKEN);
                f.awaitState(KindState.READY);
                assertThat(f.status("alice")).isEqualTo(TAKEN);
            }
        }

        @Test
        void anAnnouncedDisplayFormIsNeverAvailableInAnySpelling() {
            try (CheckerFixture f = CheckerFixture.ready("bob")) {
                Announcement announced = f.checker.registrations().announce(KIND, "Alice");
                f.store.commit("Alice");
                announced.committed();
                assertThat(f.status("alice")).isEqualTo(TAKEN);
                assertThat(f.status("Alice")).isEqualTo(TAKEN);
            }
        }

        @Test
        void aWatchedDisplayFormIsNeverAvailableInAnySpelling() {
            try (CheckerFixture f = CheckerFixture.ready("kim")) {
                Announcement watched = f.checker.registrations().watch(KIND, "Bobby");
                f.store.commit("Bobby");
                watched.close();
                eventually(() -> f.stats().pending() == 0);
                assertThat(f.status("bobby")).isEqualTo(TAKEN);
                assertThat(f.status("Bobby")).isEqualTo(TAKEN);
            }
        }

        @Test
        void whoeverOnlyTypesADisplayFormKeepsNoName() {
            try (CheckerFixture f = CheckerFixture.ready("kim")) {
                f.checker.registrations().watch(KIND, "Bobby").close();
                eventually(() -> f.stats().pending() == 0);
                assertThat(f.status("bobby")).isEqualTo(AVAILABLE);
                assertThat(f.stats().odd()).isZero();
            }
        }

        @Test
        void beyondTheBoundANameThatTheFilterDoesNotKnowIsStillFree() {
            ScriptedStore store = new ScriptedStore();
            for (int i = 0; i < 200; i++) {
                store.commit("Name" + i);
            }
            try (CheckerFixture f = CheckerFixture.ready(store, b -> b.maxOddSpellings(100))) {
                assertThat(f.check("nobody")).matches(v -> v.available() && v.decidedBy() == DecidedBy.FILTER);
                int taken = 0;
                for (int i = 0; i < 200; i++) {
                    assertThat(f.status("name" + i)).isIn(TAKEN, UNKNOWN);
                    taken += f.status("name" + i) == TAKEN ? 1 : 0;
                }
                assertThat(taken).isEqualTo(100);
                assertThat(f.stats().whitelisted()).isZero();
            }
        }

        @Test
        void aWordThatAColumnHoldsKeysIsWithdrawnByTheFirstValueThatIsNone() {
            try (CheckerFixture f = CheckerFixture.ready("bob")) {
                f.checker.registrations().bulk(KIND, () -> {
                    assertThat(f.status("carol")).as("by its word").isEqualTo(AVAILABLE);
                    f.register("Alice");
                    assertThat(f.status("carol")).isEqualTo(UNKNOWN);
                });
                f.awaitState(KindState.READY);
                assertThat(f.status("carol")).isEqualTo(AVAILABLE);
            }
        }
    }

    /** A row that is gone leaves its entry behind, so that the filter goes on saying maybe. */
    private static void makeFilterSayMaybe(CheckerFixture f, String key) {
        f.register(key);
        f.store.delete(key);
    }
}
