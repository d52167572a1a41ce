package io.github.untaken.sample.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class ReadinessTest {
    private static final int PATIENCE_SECONDS = 20;

    private final Readiness readiness = new Readiness();
    private final AtomicBoolean ready = new AtomicBoolean();
    private final Semaphore looks = new Semaphore(0);

    @Test
    void whoeverWaitsLooksAgainAfterEachChangeUntilAllIsWell() throws Exception {
        ExecutorService threads = Executors.newSingleThreadExecutor();
        try {
            Future<?> waiting = threads.submit(() -> {
                readiness.await(() -> {
                    looks.release();
                    return ready.get();
                });
                return true;
            });
            for (int change = 0; change < 3; change++) {
                assertLooked();
                readiness.changed();
            }
            assertLooked();
            assertThat(waiting.isDone()).isFalse();
            ready.set(true);
            readiness.changed();
            waiting.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } finally {
            threads.shutdownNow();
        }
    }

    private void assertLooked() throws InterruptedException {
        assertThat(looks.tryAcquire(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void whatHoldsAlreadyIsNotWaitedFor() throws Exception {
        ready.set(true);
        readiness.await(ready::get);
    }
}
