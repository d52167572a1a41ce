package io.github.untaken;

import static io.github.untaken.CheckerFixture.KIND;
import static io.github.untaken.CheckerFixture.LOWER_CASE;
import static io.github.untaken.CheckerFixture.TICK;
import static io.github.untaken.CheckerFixture.beside;
import static io.github.untaken.CheckerFixture.besideAsFarAsItGoes;
import static io.github.untaken.CheckerFixture.eventually;
import static io.github.untaken.CheckerFixture.soon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.untaken.Verdict.DecidedBy;
import io.github.untaken.Verdict.Status;
import io.github.untaken.spi.GapReason;
import io.github.untaken.spi.IdentifierNormalizer;
import io.github.untaken.spi.RegisteredIdentifierStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** A checker that hears of others' commits from the database's log. The clocks are the test's. */
class FollowedLogTest {
    private static final Duration BOUND = Duration.ofMillis(40);
    private static final long HALF_A_BOUND = BOUND.toNanos() / 2;

    private final ScriptedStore store = new ScriptedStore("bob");
    private final ScriptedFeed feed = new ScriptedFeed(KIND);
    private final AtomicInteger misses = new AtomicInteger();
    private volatile long nanos;
    private volatile long millis = 1_000_000;
    private volatile Runnable whenTheClockIsRead = () -> {};
    private AvailabilityChecker checker;

    private AvailabilityCheckerBuilder builder() {
        return builder(BOUND);
    }

    private AvailabilityCheckerBuilder builder(Duration bound) {
        return builder(bound, LOWER_CASE);
    }

    private AvailabilityCheckerBuilder builder(Duration bound, IdentifierNormalizer normalizer) {
        return AvailabilityChecker.builder()
                .store(KIND, store)
                .normalizer(KIND, normalizer)
                .recheckTimeout(Duration.ofSeconds(20))
                .rescanInterval(Duration.ofDays(300))
                .auditInterval(Duration.ofDays(300))
                .ticker(this::nanoTime)
                .wall(() -> millis)
                .tick(TICK)
                .listener(new CheckListener() {
                    @Override
                    public void missProved(IdentifierKind kind) {
                        misses.incrementAndGet();
                    }
                })
                .bound(bound)
                .feed(feed);
    }

    private long nanoTime() {
        whenTheClockIsRead.run();
        return nanos;
    }

    private void start(AvailabilityCheckerBuilder settings) {
        checker = settings.build();
    }

    /** Ready, and with news. */
    private void follow() {
        follow(builder());
    }

    private void follow(AvailabilityCheckerBuilder settings) {
        start(settings);
        feed.sink().following();
        eventually(() -> checker.state(KIND) == KindState.READY);
        hear();
    }

    /** News come that were asked for now. */
    private void hear() {
        long before = following().questions().answered();
        eventually(() -> following().questions().answered() > before + 1);
    }

    private KindStats.Following following() {
        return checker.stats(KIND).following().orElseThrow();
    }

    private void pass(long time) {
        nanos += time;
        millis += TimeUnit.NANOSECONDS.toMillis(time);
    }

    private void passTheBoundWithoutNews() {
        feed.silent(true);
        long before = following().questions().failed();
        eventually(() -> following().questions().failed() > before + 1);
        pass(BOUND.toNanos());
    }

    private Verdict check(String name) {
        return checker.check(KIND, name);
    }

    private void commitElsewhere(String name) {
        store.commit(name);
        tell(name);
    }

    private void tell(String name) {
        feed.sink().registered(KIND, name);
    }

    /** Its entry stays in the filter, and a read has proved that it is gone. */
    private void freeAndWhitelist(String name) {
        store.delete(name);
        check(name);
    }

    @AfterEach
    void close() {
        feed.silent(false);
        checker.close();
    }

    @Nested
    class Following {
        @Test
        void questionsThatFailOneAfterTheOtherAreOneLineOfTheLog() {
            try (Told told = new Told()) {
                follow();
                feed.silent(true);
                long before = following().questions().failed();
                eventually(() -> following().questions().failed() > before + 10);
                List<String> lines = told.lines().stream()
                        .filter(line -> line.contains("Asking for a mark"))
                        .toList();
                assertThat(lines)
                        .singleElement()
                        .asString()
                        .startsWith("WARNING")
                        .contains("failed");
                feed.silent(false);
                hear();
                assertThat(told.lines())
                        .anyMatch(line -> line.contains("Asking for a mark") && line.contains("works again"));
            }
        }

        @Test
        void aScanFromBeforeThatDoesNotLetMemoryAnswer() {
            start(builder());
            checker.rescan(KIND);
            eventually(() -> checker.state(KIND) != KindState.WARMING);
            assertThat(checker.state(KIND)).isEqualTo(KindState.DEGRADED);
            hear();
            store.commit("alice"); // nobody tells of it
            assertThat(check("alice").status()).isEqualTo(Status.TAKEN);
            feed.sink().following();
            eventually(() -> checker.state(KIND) == KindState.READY);
        }

        @Test
        void anIdentifierWithoutAKeyEndsTheTrustInMemory() {
            follow(builder(BOUND, new IdentifierNormalizer() {
                @Override
                public String key(String value) {
                    if (value.equals("broken")) {
                        throw new IllegalArgumentException("told by the test");
                    }
                    return LOWER_CASE.key(value);
                }

                @Override
                public Optional<String> rejection(String text, String key) {
                    return Optional.empty();
                }
            }));
            commitElsewhere("broken");
            assertThat(checker.state(KIND)).isEqualTo(KindState.DEGRADED);
        }

        @Test
        void untilTheLogIsFollowedNothingIsScannedAndTheStoreAnswers() {
            start(builder());
            assertThat(check("alice").decidedBy()).isEqualTo(DecidedBy.STORE);
            assertThat(store.scans()).isZero();
            feed.sink().following();
            eventually(() -> checker.state(KIND) == KindState.READY);
            hear();
            assertThat(check("alice").decidedBy()).isEqualTo(DecidedBy.FILTER);
            assertThat(check("bob").status()).isEqualTo(Status.TAKEN);
        }

        @Test
        void whatAnotherProcessCommitsIsTakenOnceTheLogHasTold() {
            follow();
            commitElsewhere("Alice");
            assertThat(check("Alice").status()).isEqualTo(Status.TAKEN);
            assertThat(misses).hasValue(0);
        }

        @Test
        void aNameThatWasFreedAndWhitelistedHereIsTakenOnceTheLogTellsOfIt() {
            follow();
            freeAndWhitelist("bob");
            assertThat(check("bob").decidedBy()).isEqualTo(DecidedBy.WHITELIST);
            commitElsewhere("bob");
            assertThat(check("bob").status()).isEqualTo(Status.TAKEN);
        }

        @Test
        void whoHasNoNewsSaysSoAndWhyAlthoughItIsReady() {
            follow();
            passTheBoundWithoutNews();
            assertThat(checker.state(KIND)).isEqualTo(KindState.READY);
            assertThat(checker.stats(KIND).reason())
                    .contains(
                            "news from the database's log is older than 40 ms",
                            "the last question failed (the feed was told to be silent)");
            feed.silent(false);
            hear();
            assertThat(checker.stats(KIND).reason()).isEmpty();
        }

        /** The feed may say again and again why it does not follow the log. That is no further scan. */
        @Test
        void aGapIsCountedOnceUnderItsFirstReason() {
            follow();
            feed.sink().gap(GapReason.ALTERED, "the table was altered");
            feed.sink().gap(GapReason.CONNECTION, "the server refuses connections");
            assertThat(following().gaps().byReason())
                    .containsEntry(GapReason.ALTERED, 1L)
                    .containsEntry(GapReason.CONNECTION, 0L);
            assertThat(checker.stats(KIND).reason()).isEqualTo("the server refuses connections");
            feed.sink().following();
            feed.sink().gap(GapReason.CONNECTION, "the connection was lost");
            assertThat(following().gaps().byReason()).containsEntry(GapReason.CONNECTION, 1L);
        }

        @Test
        void afterAGapTheStoreAnswersUntilAScanHasEndedThatBeganOnceTheLogWasFollowedAgain() {
            follow();
            freeAndWhitelist("bob");
            feed.sink().gap(GapReason.PLACE, "the slot was lost");
            store.commit("alice"); // nobody tells of it
            assertThat(check("alice").status()).isEqualTo(Status.TAKEN);
            assertThat(check("bob").decidedBy()).isEqualTo(DecidedBy.STORE);
            assertThat(checker.stats(KIND).reason()).isEqualTo("the slot was lost");
            checker.rescan(KIND);
            eventually(() -> store.scans() == 2);
            assertThat(check("carol").decidedBy()).isEqualTo(DecidedBy.STORE);
            feed.sink().following();
            eventually(() -> checker.state(KIND) == KindState.READY);
            assertThat(check("alice").status()).isEqualTo(Status.TAKEN);
            assertThat(following().gaps().sum()).isEqualTo(1);
            assertThat(following().gaps().byReason())
                    .hasSize(GapReason.values().length)
                    .containsEntry(GapReason.PLACE, 1L);
            assertThat(following().gaps().last()).contains("the slot was lost");
            assertThat(following().latest()).isFalse();
        }

        /** The feed hears of the error, makes it a gap, and begins again. */
        @Test
        void anErrorWhileAKindStartsDoesNotLeaveItWithoutItsRescans() {
            start(builder());
            Thread feeds = Thread.currentThread();
            AtomicBoolean throwing = new AtomicBoolean(true);
            whenTheClockIsRead = () -> {
                if (Thread.currentThread() == feeds && throwing.getAndSet(false)) {
                    throw new OutOfMemoryError("told to fail");
                }
            };
            assertThatThrownBy(() -> feed.sink().following()).isInstanceOf(OutOfMemoryError.class);
            feed.sink().gap(GapReason.OTHER, "an error");
            feed.sink().following();
            eventually(() -> checker.state(KIND) == KindState.READY);
            int before = store.scans();
            pass(Duration.ofDays(301).toNanos());
            eventually(() -> store.scans() > before);
        }

        @Test
        void aGapWhileAScanRunsIsNotMendedByIt() {
            follow();
            Gate scan = store.holdScanAfter(0);
            checker.rescan(KIND);
            scan.awaitArrival();
            feed.sink().gap(GapReason.PLACE, "the slot was lost");
            store.commit("alice");
            feed.sink().following();
            scan.open();
            eventually(() -> checker.state(KIND) == KindState.READY);
            assertThat(check("alice").status()).isEqualTo(Status.TAKEN);
        }

        @Test
        void norIsAScanEnoughThatBeganBeforeTheLogWasFollowedAgain() {
            follow();
            feed.sink().gap(GapReason.PLACE, "the slot was lost");
            Gate scan = store.holdScanAfter(0);
            checker.rescan(KIND);
            scan.awaitArrival();
            store.commit("alice"); // behind the scan, and nobody tells of it
            Gate next = store.holdScanAfter(0);
            feed.sink().following();
            scan.open();
            next.awaitArrival();
            assertThat(check("alice").status()).isEqualTo(Status.TAKEN);
            next.open();
        }

        @Test
        void whatIsWrittenPastTheEntityEventsIsHeardOfFromTheLogAndStopsNothing() {
            try (CheckerFixture fixture = new CheckerFixture(store, settings -> settings.feed(feed))) {
                checker = fixture.checker;
                feed.sink().following();
                eventually(() -> checker.state(KIND) == KindState.READY);
                fixture.begin().unseen(KIND);
                assertThat(checker.state(KIND)).isEqualTo(KindState.READY);
            }
        }

        @Test
        void aBoundWithoutAFeedIsRefused() {
            checker = AvailabilityChecker.builder()
                    .store(KIND, store)
                    .normalizer(KIND, LOWER_CASE)
                    .build();
            AvailabilityCheckerBuilder settings =
                    AvailabilityChecker.builder().store(KIND, store).normalizer(KIND, LOWER_CASE);
            assertThatThrownBy(() -> settings.latest(KIND).build())
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("feed");
        }

        @Test
        void aStoreThatCannotWaitForOpenTransactionsIsRefused() {
            checker = AvailabilityChecker.builder()
                    .store(KIND, store)
                    .normalizer(KIND, LOWER_CASE)
                    .build();
            AvailabilityCheckerBuilder settings = AvailabilityChecker.builder()
                    .store(KIND, new RowsStore())
                    .normalizer(KIND, LOWER_CASE)
                    .feed(feed);
            assertThatThrownBy(settings::build)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("Barrier");
        }

        @Test
        void closingDisconnectsTheFeed() {
            follow();
            checker.close();
            assertThat(feed.disconnected()).isTrue();
            assertThat(check("alice").status()).isEqualTo(Status.UNKNOWN);
        }
    }

    @Nested
    class Bounded {
        @Test
        void withoutNewsForTheBoundTheStoreAnswers() {
            follow();
            passTheBoundWithoutNews();
            store.commit("alice");
            assertThat(check("alice").status()).isEqualTo(Status.TAKEN);
            assertThat(checker.checkInMemory(KIND, "carol").status()).isEqualTo(Status.UNKNOWN);
            assertThat(checker.state(KIND)).isEqualTo(KindState.READY);
        }

        @Test
        void theWhitelistNeedsNewsToo() {
            follow();
            freeAndWhitelist("bob");
            passTheBoundWithoutNews();
            store.commit("bob");
            assertThat(check("bob").status()).isEqualTo(Status.TAKEN);
        }

        @Test
        void manyAtOnceNeedNewsToo() {
            follow();
            passTheBoundWithoutNews();
            store.commit("alice");
            assertThat(checker.checkAll(KIND, List.of("alice", "carol")))
                    .extracting(Verdict::status)
                    .containsExactly(Status.TAKEN, Status.AVAILABLE);
        }

        @Test
        void newsAreAsOldAsTheQuestionNotAsItsAnswer() {
            follow();
            Gate question = feed.holdQuestion();
            question.awaitArrival();
            pass(HALF_A_BOUND);
            store.commit("alice"); // after the question
            feed.silent(true); // the next one must not find an answer any more
            question.open();
            eventually(() -> following().questions().failed() > 1);
            pass(HALF_A_BOUND);
            assertThat(check("alice").status()).isEqualTo(Status.TAKEN);
        }

        @Test
        void aMachineThatWasPausedSeesItByTheClockOnTheWall() {
            follow();
            feed.silent(true);
            eventually(() -> following().questions().failed() > 1);
            millis += BOUND.toMillis();
            store.commit("alice");
            assertThat(check("alice").status()).isEqualTo(Status.TAKEN);
        }

        @Test
        void aWallClockThatWasSetBackEndsTheLease() {
            follow();
            feed.silent(true);
            eventually(() -> following().questions().failed() > 1);
            millis -= 5;
            store.commit("alice");
            assertThat(check("alice").status()).isEqualTo(Status.TAKEN);
        }

        /** The filter has said "no" when the log tells of the name, and of news that the filter did not have. */
        @Test
        void newsThatComeWhileMemoryIsAskedSayNothingOfWhatItHasAnswered() {
            follow();
            passTheBoundWithoutNews();
            Thread checking = Thread.currentThread();
            whenTheClockIsRead = () -> {
                if (Thread.currentThread() == checking) {
                    whenTheClockIsRead = () -> {};
                    commitElsewhere("alice");
                    feed.silent(false);
                    hear();
                }
            };
            assertThat(check("alice").status()).isEqualTo(Status.TAKEN);
        }
    }

    @Nested
    class Latest {
        @Test
        void knowsWhatWasCommittedBeforeItBegan() {
            follow();
            Gate earlier = feed.holdQuestion();
            earlier.awaitArrival();
            store.commit("alice");
            CompletableFuture<Verdict> verdict = besideAsFarAsItGoes(() -> checker.latest(KIND, "alice"));
            Gate asked = feed.holdQuestion();
            earlier.open(); // asked before the commit: its answer is worth nothing to this check
            asked.awaitArrival();
            assertThat(verdict).isNotDone();
            feed.sink().registered(KIND, "alice");
            asked.open();
            assertThat(soon(verdict).status()).isEqualTo(Status.TAKEN);
        }

        /** Of two spellings the column would take both, and the policy one. */
        @Test
        void knowsTheSpellingsThatTheLogTellsOfMeanwhile() {
            follow(builder().variants(KIND, true));
            Gate asked = feed.holdQuestion();
            asked.awaitArrival();
            CompletableFuture<Verdict> verdict = besideAsFarAsItGoes(() -> checker.latest(KIND, "alice"));
            Gate its = feed.holdQuestion();
            asked.open();
            its.awaitArrival();
            commitElsewhere("Alice");
            its.open();
            assertThat(soon(verdict)).matches(v -> v.status() == Status.TAKEN && v.decidedBy() == DecidedBy.NORMALIZER);
        }

        @Test
        void oneQuestionServesAllWhoWait() {
            follow();
            Gate earlier = feed.holdQuestion();
            earlier.awaitArrival();
            List<CompletableFuture<Verdict>> verdicts = IntStream.range(0, 20)
                    .mapToObj(i -> besideAsFarAsItGoes(() -> checker.latest(KIND, "alice" + i)))
                    .toList();
            Gate one = feed.holdQuestion();
            earlier.open();
            one.awaitArrival();
            Gate next = feed.holdQuestion(); // no other is answered before all have heard
            one.open();
            verdicts.forEach(verdict -> assertThat(soon(verdict).decidedBy()).isEqualTo(DecidedBy.FILTER));
            next.open();
        }

        @Test
        void aNameThatMemoryHoldsWaitsForNoNews() {
            follow();
            feed.silent(true);
            assertThat(checker.latest(KIND, "bob").status()).isEqualTo(Status.TAKEN);
        }

        @Test
        void withoutAnAnswerTheStoreKnows() {
            follow();
            feed.silent(true);
            store.commit("alice");
            assertThat(checker.latest(KIND, "alice").status()).isEqualTo(Status.TAKEN);
            assertThat(checker.latest(KIND, "carol").decidedBy()).isEqualTo(DecidedBy.STORE);
        }

        /** An interrupt is no answer. */
        @Test
        void whoeverIsInterruptedHasNotHeard() {
            follow();
            Gate question = feed.holdQuestion();
            question.awaitArrival();
            store.commit("alice");
            Thread.currentThread().interrupt();
            Status status = checker.latest(KIND, "alice").status();
            assertThat(Thread.interrupted()).isTrue();
            assertThat(status).isNotEqualTo(Status.AVAILABLE);
            question.open();
        }

        /** A mark could at best say what the store says at once. */
        @Test
        void withoutNewsForTheBoundTheStoreIsAskedAtOnce() {
            follow(builder().latest(KIND));
            Gate question = feed.holdQuestion();
            question.awaitArrival();
            pass(BOUND.toNanos());
            store.commit("alice");
            assertThat(soon(beside(() -> checker.latest(KIND, "alice"))).status())
                    .isEqualTo(Status.TAKEN);
            assertThat(soon(beside(() -> checker.checkAll(KIND, List.of("alice", "carol")))))
                    .extracting(Verdict::status)
                    .containsExactly(Status.TAKEN, Status.AVAILABLE);
            question.open();
        }

        /** As at the start, or after a pause. The clock asks so seldom here that no question is under way. */
        @Test
        void newsThatAreMerelyOldAreAskedFor() {
            Duration bound = Duration.ofMinutes(1);
            start(builder(bound));
            feed.sink().following();
            eventually(() -> checker.state(KIND) == KindState.READY);
            assertThat(checker.latest(KIND, "carol").decidedBy()).isEqualTo(DecidedBy.FILTER);
            pass(bound.toNanos());
            assertThat(check("carol").decidedBy()).isEqualTo(DecidedBy.STORE);
            assertThat(checker.latest(KIND, "carol").decidedBy()).isEqualTo(DecidedBy.FILTER);
        }

        @Test
        void asItIsForManyAtOnceWhileMemoryDoesNotAnswer() {
            follow(builder().latest(KIND));
            Gate question = feed.holdQuestion();
            question.awaitArrival();
            feed.sink().gap(GapReason.PLACE, "the slot was lost");
            assertThat(soon(beside(() -> checker.checkAll(KIND, List.of("bob", "carol")))))
                    .extracting(Verdict::status)
                    .containsExactly(Status.TAKEN, Status.AVAILABLE);
            question.open();
        }

        @Test
        void everyCheckOfAKindCanBeOne() {
            follow(builder().latest(KIND));
            feed.silent(true);
            store.commit("alice");
            assertThat(check("alice").status()).isEqualTo(Status.TAKEN);
            store.commit("dave");
            assertThat(checker.checkAll(KIND, List.of("dave", "carol")))
                    .extracting(Verdict::status)
                    .containsExactly(Status.TAKEN, Status.AVAILABLE);
            tell("alice"); // or the reads would have proved that the log has left them out
            tell("dave");
            feed.silent(false);
            assertThat(check("erin").decidedBy()).isEqualTo(DecidedBy.FILTER);
        }

        @Test
        void withoutAFeedItIsACheck() {
            checker = AvailabilityChecker.builder()
                    .store(KIND, store)
                    .singleWriter(false)
                    .normalizer(KIND, LOWER_CASE)
                    .recheckTimeout(Duration.ofSeconds(20))
                    .build();
            eventually(() -> checker.state(KIND) == KindState.READY);
            assertThat(checker.latest(KIND, "alice").decidedBy()).isEqualTo(DecidedBy.FILTER);
            assertThat(checker.latest(KIND, "Bob").status()).isEqualTo(Status.TAKEN);
        }
    }

    /** What the log tells may be there before reads see it, as while a commit waits for a standby. */
    @Nested
    class AheadOfTheStore {
        @Test
        void aReadThatCannotSeeYetWhatTheLogHasToldIsNotRemembered() {
            follow();
            feed.sink().registered(KIND, "alice");
            assertThat(check("alice").decidedBy()).isEqualTo(DecidedBy.STORE);
            store.commit("alice");
            assertThat(check("alice").status()).isEqualTo(Status.TAKEN);
        }

        @Test
        void norIsOneThatBeganBeforeThatCouldBeSeen() {
            follow();
            store.delete("bob");
            Gate reply = store.holdReply("bob");
            CompletableFuture<Verdict> reading = beside(() -> check("bob"));
            reply.awaitArrival();
            feed.sink().registered(KIND, "bob");
            store.commit("bob");
            reply.open();
            soon(reading);
            assertThat(check("bob").status()).isEqualTo(Status.TAKEN);
        }

        @Test
        void norIsItRememberedByTheRenewedWhichWaitsForTheBarrier() {
            follow();
            feed.sink().registered(KIND, "alice"); // its commit waits for a standby
            assertThat(check("alice").status()).isEqualTo(Status.AVAILABLE);
            Gate barrier = store.holdBarrier();
            pass(Duration.ofSeconds(61).toNanos());
            barrier.awaitArrival();
            assertThat(check("alice").status()).isEqualTo(Status.AVAILABLE);
            store.commit("alice");
            barrier.open();
            eventually(() -> checker.stats(KIND).memory().renewals() == 1);
            assertThat(check("alice").status()).isEqualTo(Status.TAKEN);
        }

        @Test
        void withoutABarrierItIsTakenInAGenerationBornBeforeItCouldBeSeen() {
            store.withoutBarrier();
            follow();
            feed.sink().registered(KIND, "alice"); // its commit waits for a standby
            rescan();
            store.commit("alice");
            assertThat(check("alice").status()).isEqualTo(Status.TAKEN);
        }

        @Test
        void withoutABarrierNoRenewedOneRemembersThatItWasAbsent() {
            store.withoutBarrier();
            follow();
            feed.sink().registered(KIND, "alice");
            assertThat(check("alice").status()).isEqualTo(Status.AVAILABLE);
            pass(Duration.ofSeconds(61).toNanos());
            eventually(() -> checker.stats(KIND).memory().renewals() == 1);
            hear();
            assertThat(check("alice").status()).isEqualTo(Status.AVAILABLE);
            store.commit("alice");
            assertThat(check("alice").status()).isEqualTo(Status.TAKEN);
        }

        /** What stood in the log before it was followed, and cannot be seen yet, only the barrier waits for. */
        @Test
        void whereTheLogRunsAheadAScanWithoutABarrierDoesNotServe() {
            feed.runAhead();
            store.withoutBarrier();
            start(builder());
            feed.sink().following();
            eventually(() -> {
                pass(Duration.ofMinutes(1).toNanos());
                return checker.state(KIND) == KindState.READY
                        || checker.stats(KIND).reason().contains("PROCESS");
            });
            assertThat(checker.state(KIND)).isNotEqualTo(KindState.READY);
            store.commit("alice"); // its commit waited for a replica
            assertThat(check("alice").status()).isEqualTo(Status.TAKEN);
        }

        @Test
        void withABarrierNothingIsKeptForThoseWhoAreBorn() {
            follow();
            IntStream.range(0, 1_000).forEach(i -> feed.sink().registered(KIND, "name" + i));
            assertThat(checker.stats(KIND))
                    .matches(now -> now.underWay().open() == 0
                            && now.underWay().lingering() == 0
                            && now.memory().told() == 1_000);
        }

        private void rescan() {
            int before = store.scans();
            checker.rescan(KIND);
            eventually(() -> store.scans() > before);
            eventually(() -> checker.stats(KIND).scans().progress().isEmpty());
        }
    }

    @Nested
    class Misses {
        /** A read finds a name that memory does not know; the question that decides about it has not begun. */
        private Gate readAheadOfTheLog() {
            follow();
            Gate earlier = feed.holdQuestion();
            earlier.awaitArrival();
            pass(BOUND.toNanos());
            store.commit("alice");
            assertThat(check("alice").decidedBy()).isEqualTo(DecidedBy.STORE);
            return earlier;
        }

        @Test
        void aReadThatIsAheadOfTheLogProvesNone() {
            Gate earlier = readAheadOfTheLog();
            feed.sink().registered(KIND, "alice");
            earlier.open();
            hear();
            assertThat(misses).hasValue(0);
            assertThat(checker.state(KIND)).isEqualTo(KindState.READY);
        }

        @Test
        void whatIsStillUntoldWhenAQuestionAskedAfterTheReadIsAnsweredIsOne() {
            Gate earlier = readAheadOfTheLog();
            earlier.open();
            eventually(() -> misses.get() == 1);
        }
    }

    @Nested
    class Marks {
        private final class Marked extends RowsStore
                implements RegisteredIdentifierStore.Exclusive, RegisteredIdentifierStore.Barrier {
            private final AtomicInteger marks = new AtomicInteger();

            @Override
            public boolean awaitOpenTransactions(Duration timeout) {
                return true;
            }

            @Override
            public Standing standing() {
                return Standing.BESIDE_OTHERS;
            }

            @Override
            public void mark() {
                marks.incrementAndGet();
            }

            @Override
            public void release() {
                marks.set(0);
            }
        }

        @Test
        void aProcessThatFollowsTheLogIsMarkedForThoseThatDoNotAndHeedsNoOther() {
            Marked marked = new Marked();
            follow(AvailabilityChecker.builder()
                    .store(KIND, marked)
                    .normalizer(KIND, LOWER_CASE)
                    .tick(TICK)
                    .feed(feed));
            eventually(() -> marked.marks.get() > 2);
            assertThat(checker.state(KIND)).isEqualTo(KindState.READY);
        }
    }

    /** A server that is restarted again and again. */
    @Test
    void aLogThatComesAndGoesCostsNoScanEachTime() {
        checker = builder().build();
        feed.sink().following();
        eventually(() -> checker.state(KIND) == KindState.READY);
        for (int i = 0; i < 30; i++) {
            int scans = store.scans();
            feed.sink().gap(GapReason.PLACE, "the slot was lost");
            feed.sink().following();
            boolean soon = i < 8;
            eventually(() -> !soon || store.scans() > scans);
            long before = following().questions().answered();
            eventually(() -> following().questions().answered() > before + 1);
        }
        assertThat(store.scans()).isLessThan(15);
    }
}
