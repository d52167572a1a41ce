package io.github.untaken;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.spi.RegisteredIdentifierStore.Presence;
import io.github.untaken.store.Recheck;
import io.github.untaken.store.Stores;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** In virtual time: a store that answers one question at a time, and who waits for it. */
class LateReadsTest {
    private static final long TIMEOUT = Duration.ofSeconds(1).toNanos();
    private static final int ROOM = 256;

    private final Queue<Runnable> handedOver = new ArrayDeque<>();
    private final List<String> asked = new ArrayList<>();
    private final List<Object> told = new ArrayList<>();
    private Consumer<String> reading = text -> {};
    private long nanos;

    private final RowsStore store = new RowsStore() {
        @Override
        public Presence exists(String key, Duration timeout) {
            asked.add(key);
            reading.accept(key);
            return super.exists(key, timeout);
        }
    };

    private final Recheck recheck = new Recheck(
            new Stores(List.of(store)),
            Duration.ofNanos(TIMEOUT),
            task -> {
                if (handedOver.size() == ROOM) {
                    throw new RejectedExecutionException();
                }
                handedOver.add(task);
            },
            text -> found -> {},
            (askers, keys, time, failure) -> told.addAll(askers),
            () -> nanos);

    private CompletableFuture<Presence> read(String text, Object asker) {
        return recheck.read(text, asker, nanos + TIMEOUT);
    }

    private void runNext() {
        handedOver.remove().run();
    }

    /** What happens while the read of a name hangs, on a thread that is lost. */
    private void whileItHangs(Runnable meanwhile) {
        AtomicReference<AssertionError> failed = new AtomicReference<>(new AssertionError("it was not read"));
        reading = text -> {
            reading = other -> {};
            try {
                meanwhile.run();
                failed.set(null);
            } catch (AssertionError e) { // whoever reads takes it for a failure of the store
                failed.set(e);
            }
        };
        CompletableFuture<Presence> unused = read("hanging", "the first");
        runNext();
        if (failed.get() != null) {
            throw failed.get();
        }
    }

    @Test
    void whoHasLeftIsForgottenWhereverHisReadStands() {
        whileItHangs(() -> {
            CompletableFuture<Presence> joined = read("hanging", "a");
            CompletableFuture<Presence> behind = read("bob", "b");
            nanos += TIMEOUT / 2;
            assertThat(read("hanging", "c")).isSameAs(joined);
            nanos += TIMEOUT / 2;
            recheck.tick(Duration.ZERO);
            assertThat(behind).isCompletedExceptionally();
            assertThat(joined).isNotDone();
            assertThat(recheck.waiting()).isEqualTo(1);
        });
    }

    @Test
    void whoJoinsANameThatHangsIsKeptForAsLongAsHeWaits() {
        whileItHangs(() -> {
            for (int i = 0; i < 1_000; i++) {
                CompletableFuture<Presence> unused = read("hanging", i);
                nanos += TIMEOUT / 10;
                recheck.tick(Duration.ZERO);
            }
            told.clear();
        });
        told.clear();
        runNext();
        assertThat(told).hasSizeBetween(1, 10).contains(999);
    }

    @Test
    void whatNobodyWaitsForIsNotAskedForEvenBehindOneThatManyHaveJoined() {
        whileItHangs(() -> {
            CompletableFuture<Presence> unused = read("hanging", "a");
            CompletableFuture<Presence> behind = read("bob", "b");
            nanos += TIMEOUT;
            unused = read("hanging", "c");
            CompletableFuture<Presence> last = read("carol", "d");
            runNext();
            runNext();
            assertThat(behind).isCompletedExceptionally();
            assertThat(last).isCompletedWithValue(Presence.ABSENT);
            assertThat(asked).doesNotContain("bob");
        });
    }

    /** Of 200 answers that the store can give a second. */
    @ParameterizedTest
    @CsvSource({"0.9, false", "1.1, false", "3, false", "0.9, true", "1.1, true", "3, true"})
    void aboutTheCapacityIsAnsweredInTimeHoweverMuchIsAsked(double load, boolean besideANameThatHangs) {
        Arrivals arrivals = new Arrivals(load, besideANameThatHangs);
        if (besideANameThatHangs) {
            whileItHangs(arrivals::run);
        } else {
            arrivals.run();
        }
        double capacity = 200.0 * Arrivals.SECONDS;
        assertThat(arrivals.inTime).isGreaterThan((int) (0.95 * capacity * Math.min(1, load)));
    }

    private final class Arrivals {
        private static final int SECONDS = 30;
        private static final long ANSWER = Duration.ofMillis(5).toNanos();

        private final long pause;
        private final boolean joining;
        private long next;
        private long tick;
        private int count;
        private int inTime;

        Arrivals(double load, boolean joining) {
            this.pause = (long) (ANSWER / load);
            this.joining = joining;
        }

        void run() {
            next = nanos;
            tick = nanos;
            reading = text -> passUntil(nanos + ANSWER);
            long end = nanos + Duration.ofSeconds(SECONDS).toNanos();
            while (nanos < end) {
                if (handedOver.isEmpty()) {
                    passUntil(next);
                } else {
                    runNext();
                }
            }
        }

        private void passUntil(long end) {
            while (next <= end) {
                nanos = next;
                next += pause;
                ask();
            }
            nanos = end;
        }

        private void ask() {
            if (nanos >= tick) {
                tick = nanos + TIMEOUT;
                recheck.tick(Duration.ZERO);
            }
            if (joining && count % 20 == 0) {
                CompletableFuture<Presence> unused = read("hanging", "another");
            }
            long deadline = nanos + TIMEOUT;
            CompletableFuture<?> unused = read("user" + count++, "somebody").thenAccept(found -> {
                inTime += nanos <= deadline ? 1 : 0;
            });
        }
    }
}
