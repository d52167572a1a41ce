package io.github.untaken;

import static io.github.untaken.CheckerFixture.KIND;
import static io.github.untaken.CheckerFixture.LOWER_CASE;
import static io.github.untaken.CheckerFixture.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.Verdict.Status;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A database that stops to answer without a word: nothing waits for it for ever. */
class DeadlinesTest {

    /** Reads of names that begin with "hang" stand still, as on a connection whose flow was forgotten. */
    private static final class HangingStore extends RowsStore {
        private final Semaphore released = new Semaphore(0);
        private final AtomicInteger hanging = new AtomicInteger();

        @Override
        public Presence exists(String key, Duration timeout) {
            if (key.startsWith("hang")) {
                hanging.incrementAndGet();
                released.acquireUninterruptibly();
                hanging.decrementAndGet();
            }
            return super.exists(key, timeout);
        }

        void release() {
            released.release(1_000_000);
        }
    }

    private final HangingStore store = new HangingStore();

    private AvailabilityChecker checker(Duration recheckTimeout) {
        AvailabilityChecker checker = AvailabilityChecker.builder()
                .singleWriter(false)
                .store(KIND, store)
                .normalizer(KIND, LOWER_CASE)
                .recheckTimeout(recheckTimeout)
                .tick(CheckerFixture.TICK)
                .build();
        eventually(() -> checker.state(KIND) == KindState.READY);
        return checker;
    }

    @Test
    void fourReadsThatHangDoNotLeaveEveryTakenNameUnknown() {
        store.rows.add("alice");
        IntStream.range(0, 4).forEach(i -> store.rows.add("hang" + i));
        try (AvailabilityChecker checker = checker(Duration.ofMillis(50))) {
            for (int i = 0; store.hanging.get() < 4; i = (i + 1) % 4) {
                assertThat(checker.check(KIND, "hang" + i).status()).isEqualTo(Status.UNKNOWN);
            }
            eventually(() -> checker.check(KIND, "alice").status() == Status.TAKEN);
            assertThat(store.hanging).as("nobody is interrupted").hasValueGreaterThanOrEqualTo(4);
            eventually(() -> checker.stats(KIND).reads().failed() >= 4);
            assertThat(checker.state(KIND)).isEqualTo(KindState.READY);
            assertThat(checker.stats(KIND).reason()).containsPattern("\\d store reads hang");
            store.release();
            eventually(() -> store.hanging.get() == 0);
            eventually(() -> checker.stats(KIND).reason().isEmpty());
            eventually(() -> checker.check(KIND, "hang1").status() == Status.TAKEN);
        } finally {
            store.release();
        }
    }

    @Test
    void noMoreThanFourThreadsAreReplacedAtATime() {
        IntStream.range(0, 20).forEach(i -> store.rows.add("hang" + i));
        try (AvailabilityChecker checker = checker(Duration.ofMillis(20))) {
            for (int i = 0; store.hanging.get() < 8; i = (i + 1) % 20) {
                assertThat(checker.check(KIND, "hang" + i).status()).isEqualTo(Status.UNKNOWN);
            }
            for (int i = 0; i < 20; i++) {
                assertThat(checker.check(KIND, "hang" + i).status()).isEqualTo(Status.UNKNOWN);
            }
            assertThat(store.hanging).hasValue(8);
            store.release(); // the checker waits for its threads when it is closed
        } finally {
            store.release();
        }
    }

    @Test
    void manyNamesWaitAsLongAsOne() {
        String[] names = IntStream.range(0, 40).mapToObj(i -> "hang" + i).toArray(String[]::new);
        store.rows.addAll(List.of(names));
        try (AvailabilityChecker checker = checker(Duration.ofMillis(250))) {
            long begin = System.nanoTime();
            assertThat(checker.checkAll(KIND, List.of(names)))
                    .extracting(Verdict::status)
                    .containsOnly(Status.UNKNOWN)
                    .hasSize(40);
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(3));
            store.release();
        } finally {
            store.release();
        }
    }
}
