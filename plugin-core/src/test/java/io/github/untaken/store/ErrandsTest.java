package io.github.untaken.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.untaken.spi.StoreException;
import io.github.untaken.store.Errands.Errand;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Whoever does not come back is not waited for. */
class ErrandsTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final AtomicBoolean noMemory = new AtomicBoolean();
    private final AtomicInteger disowned = new AtomicInteger();
    private final CountDownLatch released = new CountDownLatch(1);
    private final ThreadPoolExecutor pool =
            new ThreadPoolExecutor(2, 2, 1, TimeUnit.MINUTES, new LinkedBlockingQueue<>(), task -> {
                if (noMemory.get()) {
                    throw new InternalError("told to fail");
                }
                return new Thread(task);
            });

    @AfterEach
    void end() {
        released.countDown();
        pool.shutdown();
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(1, TimeUnit.MINUTES)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private Errand begin(Errands errands) {
        return errands.begin(SECOND, disowned::incrementAndGet);
    }

    private static void passTwoTicks(Errands errands) {
        errands.tick(SECOND);
        errands.tick(SECOND);
    }

    @Test
    void whatComesOfOneThatWasDisownedDoesNotCount() {
        Errands errands = new Errands(pool);
        Errand late = begin(errands);
        Errand inTime = begin(errands);
        errands.tick(SECOND);
        inTime.goesOn();
        errands.tick(SECOND);
        assertThat(disowned).hasValue(1);
        assertThat(errands.away()).isEqualTo(1);
        assertThatThrownBy(late::step).isInstanceOf(StoreException.class);
        assertThat(late.back()).isFalse();
        assertThat(inTime.back()).isTrue();
        assertThat(errands.away()).isZero();
    }

    @Test
    void oneWhoseThreadCannotBeReplacedIsDisownedAllTheSame() {
        IntStream.range(0, 2).forEach(i -> pool.execute(() -> await(released)));
        CountDownLatch next = new CountDownLatch(1);
        pool.execute(next::countDown);
        Errands errands = new Errands(pool);
        Errand hanging = begin(errands);
        noMemory.set(true);
        assertThatCode(() -> passTwoTicks(errands)).doesNotThrowAnyException();
        assertThat(disowned).hasValue(1);
        noMemory.set(false);
        pool.execute(() -> {});
        await(next);
        assertThat(hanging.back()).isFalse();
        assertThat(pool.getCorePoolSize()).isEqualTo(2);
    }

    @Test
    void allOwnersOfOnePoolTogetherLoseNoMoreThanFourOfItsThreads() {
        ReplacedThreads shared = ReplacedThreads.of(pool);
        List<Errands> owners =
                IntStream.range(0, 3).mapToObj(i -> new Errands(shared)).toList();
        List<Errand> all = owners.stream()
                .flatMap(owner -> IntStream.range(0, 3).mapToObj(i -> begin(owner)))
                .toList();
        owners.forEach(ErrandsTest::passTwoTicks);
        assertThat(disowned).hasValue(9);
        assertThat(pool.getCorePoolSize()).isEqualTo(6);
        assertThat(pool.getMaximumPoolSize()).isEqualTo(6);
        assertThat(owners).allMatch(Errands::areTooManyAway);
        all.forEach(errand -> {
            boolean first = errand.back();
            assertThat(first || errand.back()).isFalse();
        });
        assertThat(pool.getCorePoolSize()).isEqualTo(2);
        assertThat(pool.getMaximumPoolSize()).isEqualTo(2);
        assertThat(owners).noneMatch(Errands::areTooManyAway);
    }
}
