package io.github.untaken;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.Recheck.Finding;
import io.github.untaken.Recheck.Judge;
import io.github.untaken.spi.StoreException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Nobody waits for a read that nobody runs. */
class RecheckTest {
    private final RowsStore store = new RowsStore();
    private final Queue<Runnable> handedOver = new ArrayDeque<>();
    private Error failure;
    private Function<String, Judge> judges = key -> found -> found ? Finding.PRESENT : Finding.ABSENT;

    private final Executor threads = task -> {
        if (failure != null) {
            throw failure;
        }
        handedOver.add(task);
    };

    private final Recheck recheck = new Recheck(
            new Stores(List.of(store)),
            Duration.ofSeconds(20),
            threads,
            key -> judges.apply(key),
            (nanos, failed) -> {});

    private void runAll() {
        Runnable task;
        while ((task = handedOver.poll()) != null) {
            task.run();
        }
    }

    private static Throwable failureOf(CompletableFuture<?> read) {
        assertThat(read).isCompletedExceptionally();
        return read.handle((finding, failed) -> failed).join();
    }

    @Test
    void aThreadThatCannotBeMadeEndsTheReadAndNotTheNext() {
        failure = new OutOfMemoryError("unable to create native thread");
        CompletableFuture<Finding> read = recheck.read("alice");
        assertThat(failureOf(read)).isInstanceOf(StoreException.class).hasCause(failure);
        assertThat(Recheck.wasRefused(failureOf(read))).isFalse();
        failure = null;
        CompletableFuture<Finding> next = recheck.read("alice");
        runAll();
        assertThat(next).isCompletedWithValue(Finding.ABSENT);
    }

    @Test
    void anErrorThatMeetsAWaitingReadEndsThatReadToo() {
        CompletableFuture<Finding> running = recheck.read("alice");
        CompletableFuture<Finding>[] waiting = newArray();
        judges = key -> {
            if (waiting[0] == null) {
                waiting[0] = recheck.read("alice");
                failure = new OutOfMemoryError("unable to create native thread");
            }
            return found -> Finding.ABSENT;
        };
        runAll();
        assertThat(running).isCompletedWithValue(Finding.ABSENT);
        assertThat(failureOf(waiting[0])).hasCause(failure);
        failure = null;
        CompletableFuture<Finding> next = recheck.read("alice");
        runAll();
        assertThat(next).isCompletedWithValue(Finding.ABSENT);
    }

    @SuppressWarnings("unchecked")
    private static CompletableFuture<Finding>[] newArray() {
        return new CompletableFuture[1];
    }

    @Test
    void anErrorOfTheJudgeEndsTheReadAndNotTheNext() {
        judges = key -> {
            throw new StackOverflowError("told to fail");
        };
        CompletableFuture<Finding> read = recheck.read("alice");
        runAll();
        assertThat(failureOf(read)).isInstanceOf(StackOverflowError.class);
        judges = key -> found -> Finding.ABSENT;
        CompletableFuture<Finding> next = recheck.read("alice");
        runAll();
        assertThat(next).isCompletedWithValue(Finding.ABSENT);
    }

    @Test
    void aFullQueueIsToldFromAFailure() {
        Recheck full = new Recheck(
                new Stores(List.of(store)),
                Duration.ofSeconds(20),
                task -> {
                    throw new RejectedExecutionException();
                },
                key -> found -> Finding.ABSENT,
                (nanos, failed) -> {});
        assertThat(Recheck.wasRefused(failureOf(full.read("alice")))).isTrue();
        assertThat(Recheck.wasRefused(failureOf(full.readText("Alice")))).isTrue();
    }

    @Test
    void aReadThatIsNeverUndisturbedIsUncertain() {
        judges = key -> found -> null;
        CompletableFuture<Finding> read = recheck.read("alice");
        runAll();
        assertThat(read).isCompletedWithValue(Finding.UNCERTAIN);
    }

    @Test
    void whatHasNotBegunWhenItIsClosedFails() {
        CompletableFuture<Finding> read = recheck.read("alice");
        recheck.close();
        runAll();
        assertThat(failureOf(read)).isInstanceOf(StoreException.class);
    }
}
