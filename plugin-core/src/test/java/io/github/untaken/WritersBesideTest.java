package io.github.untaken;

import static io.github.untaken.CheckerFixture.LOWER_CASE;
import static io.github.untaken.CheckerFixture.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.spi.RegisteredIdentifierStore;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a process writes while another has not noticed it would be unknown there. */
class WritersBesideTest {
    private static final IdentifierKind KIND = CheckerFixture.KIND;

    private final Set<Object> marks = ConcurrentHashMap.newKeySet();

    /** A database in which each process has a mark of its own. */
    private static final class PeerStore extends RowsStore implements RegisteredIdentifierStore.Exclusive {
        private final Set<Object> marks;
        private final AtomicInteger looksAlone = new AtomicInteger();
        private final Gate secondLookAlone = new Gate();
        private volatile boolean counting;
        private volatile boolean slowToMark;

        PeerStore(Set<Object> marks) {
            this.marks = marks;
        }

        @Override
        public Standing standing() {
            if (!marks.contains(this)) {
                return Standing.UNKNOWN;
            }
            if (marks.size() > 1) {
                return Standing.BESIDE_OTHERS;
            }
            if (looksAlone.incrementAndGet() == 2 && counting) {
                secondLookAlone.pass();
            }
            return Standing.ALONE;
        }

        @Override
        public void mark() {
            if (!slowToMark) {
                marks.add(this);
            }
        }

        @Override
        public void release() {
            marks.remove(this);
        }
    }

    private AvailabilityChecker checker(PeerStore store, Duration tick) {
        return AvailabilityChecker.builder()
                .store(KIND, store)
                .normalizer(KIND, LOWER_CASE)
                .tick(tick)
                .recheckTimeout(Duration.ofSeconds(20))
                .build();
    }

    /** With the ticks of every checker: what is compared here are times. */
    @Test
    void whoStartsBesideAnotherBeginsOnceThatOneHasNoticed() {
        Duration tick = Duration.ofSeconds(1);
        try (AvailabilityChecker first = checker(new PeerStore(marks), tick)) {
            eventually(() -> first.state(KIND) == KindState.READY);
            try (AvailabilityChecker second = checker(new PeerStore(marks), tick)) {
                assertThat(first.state(KIND)).isEqualTo(KindState.DEGRADED);
                assertThat(second.state(KIND)).isNotEqualTo(KindState.READY);
            }
        }
    }

    private enum StoppedClock {
        MONOTONIC,
        WALL
    }

    private AvailabilityChecker checker(PeerStore store, Duration tick, StoppedClock stopped, AtomicLong passed) {
        long wall = System.currentTimeMillis();
        AvailabilityCheckerBuilder builder = AvailabilityChecker.builder()
                .store(KIND, store)
                .normalizer(KIND, LOWER_CASE)
                .tick(tick)
                .recheckTimeout(Duration.ofSeconds(20));
        return stopped == StoppedClock.MONOTONIC
                ? builder.ticker(() -> 0).wall(() -> wall + passed.get()).build()
                : builder.ticker(() -> passed.get() * 1_000_000)
                        .wall(() -> wall)
                        .build();
    }

    /** It is continued, and has not looked yet. */
    @ParameterizedTest
    @EnumSource
    void whoStoodStillForLongerThanOthersWaitAsksTheStore(StoppedClock stopped) {
        AtomicLong passed = new AtomicLong();
        PeerStore store = new PeerStore(marks);
        Duration tick = Duration.ofMinutes(10); // the next look never comes
        try (AvailabilityChecker checker = checker(store, tick, stopped, passed)) {
            eventually(() -> checker.state(KIND) == KindState.READY);
            assertThat(checker.check(KIND, "alice").decidedBy()).isEqualTo(Verdict.DecidedBy.FILTER);

            store.rows.add("alice"); // by another
            passed.addAndGet(tick.multipliedBy(2).toMillis());

            assertThat(checker.check(KIND, "alice").status()).isEqualTo(Verdict.Status.TAKEN);
            assertThat(checker.checkAll(KIND, List.of("alice", "bob")))
                    .extracting(Verdict::status)
                    .containsExactly(Verdict.Status.TAKEN, Verdict.Status.AVAILABLE);
        }
    }

    @ParameterizedTest
    @EnumSource
    void whoStoodStillForTheWholeLifeOfAnotherScansAnew(StoppedClock stopped) {
        AtomicLong passed = new AtomicLong();
        PeerStore store = new PeerStore(marks);
        try (AvailabilityChecker checker = checker(store, CheckerFixture.TICK, stopped, passed)) {
            eventually(() -> checker.state(KIND) == KindState.READY);

            store.rows.add("alice"); // by another that is gone again
            passed.addAndGet(2_000);
            int looks = store.looksAlone.get();

            eventually(() -> store.looksAlone.get() > looks + 3);
            eventually(() -> checker.state(KIND) == KindState.READY);
            assertThat(checker.check(KIND, "alice").status()).isEqualTo(Verdict.Status.TAKEN);
            assertThat(checker.checkInMemory(KIND, "bob").status()).isEqualTo(Verdict.Status.AVAILABLE);
        }
    }

    @Test
    void whoIsInterruptedDoesNotWait() {
        Duration tick = Duration.ofDays(1);
        marks.add(new Object());
        Thread.currentThread().interrupt();
        try (AvailabilityChecker checker = checker(new PeerStore(marks), tick)) {
            assertThat(Thread.interrupted()).isTrue();
            assertThat(checker.state(KIND)).isNotEqualTo(KindState.READY);
        }
    }

    /** All marks of a server are gone when it starts anew, and one process is the first to set its own again. */
    @Test
    void whoIsTheFirstToBeMarkedAgainIsNotTakenForTheOnlyOne() {
        PeerStore ours = new PeerStore(marks);
        PeerStore theirs = new PeerStore(marks);
        try (AvailabilityChecker first = checker(ours, CheckerFixture.TICK);
                AvailabilityChecker second = checker(theirs, CheckerFixture.TICK)) {
            eventually(() -> first.state(KIND) == KindState.DEGRADED);
            theirs.slowToMark = true;
            ours.looksAlone.set(0);
            ours.counting = true;
            marks.clear();
            ours.secondLookAlone.awaitArrival(); // so the first has been heeded
            assertThat(first.stats(KIND).obstacles()).containsAnyOf(Obstacle.OTHER_WRITER, Obstacle.WRITERS_UNKNOWN);
            theirs.slowToMark = false;
            eventually(() -> marks.contains(theirs));
            ours.secondLookAlone.open();
            second.close();
            eventually(() -> first.state(KIND) == KindState.READY);
        }
    }
}
