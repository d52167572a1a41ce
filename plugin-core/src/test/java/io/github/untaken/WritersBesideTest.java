package io.github.untaken;

import static io.github.untaken.CheckerFixture.LOWER_CASE;
import static io.github.untaken.CheckerFixture.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.spi.RegisteredIdentifierStore;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

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
