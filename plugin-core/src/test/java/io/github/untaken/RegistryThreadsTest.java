package io.github.untaken;

import static io.github.untaken.CheckerFixture.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.kind.KindTerms;
import io.github.untaken.kind.RegistryThreads;
import io.github.untaken.spi.RegisteredIdentifierStore;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** An interrupt inside a database that runs in this process closes its files, under the application's own connections. */
class RegistryThreadsTest {
    private final AtomicInteger interrupts = new AtomicInteger();
    private volatile boolean released;

    /** Stands still as a driver does, and notes an interrupt. */
    private boolean holdOn() {
        while (!released && !Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
        if (Thread.currentThread().isInterrupted()) {
            interrupts.incrementAndGet();
        }
        return released;
    }

    @Test
    void noThreadIsInterruptedNotEvenWhereTheWaitIsOver() {
        RegistryThreads threads = new RegistryThreads(2, 10);
        AtomicInteger running = new AtomicInteger();
        Runnable work = () -> {
            running.incrementAndGet();
            holdOn();
            running.decrementAndGet();
        };
        KindTerms.Workers workers = threads.workers(CheckerFixture.KIND);
        workers.rechecks().execute(work);
        workers.rechecks().execute(work);
        workers.rebuilds().execute(work);
        eventually(() -> running.get() == 3);
        threads.close(0);
        released = true;
        eventually(() -> running.get() == 0);
        assertThat(interrupts).hasValue(0);
    }

    @Test
    void theClockGoesOnHoweverManyScansHang() throws InterruptedException {
        RegistryThreads threads = new RegistryThreads(2, 10);
        try {
            KindTerms.Workers workers = threads.workers(CheckerFixture.KIND);
            for (int i = 0; i < 10; i++) {
                workers.rebuilds().execute(this::holdOn);
            }
            CountDownLatch ticked = new CountDownLatch(1);
            workers.clock().execute(ticked::countDown);
            assertThat(ticked.await(20, TimeUnit.SECONDS)).isTrue();
        } finally {
            released = true;
            threads.close(0);
        }
    }

    private final class HeldStore extends RowsStore implements RegisteredIdentifierStore.Barrier {
        private final AtomicInteger held = new AtomicInteger();
        private volatile boolean holdsBarrier;
        private volatile boolean holdsScan;
        private volatile boolean holdsReads;

        private void hold(boolean asked) {
            if (asked) {
                held.incrementAndGet();
                boolean unused = holdOn();
            }
        }

        @Override
        public boolean awaitOpenTransactions(Duration timeout) {
            hold(holdsBarrier);
            return true;
        }

        @Override
        public void scan(Consumer<String> values) {
            hold(holdsScan);
            super.scan(values);
        }

        @Override
        public Presence exists(String key, Duration timeout) {
            hold(holdsReads);
            return super.exists(key, timeout);
        }
    }

    private void assertClosesWithoutInterrupting(HeldStore store) {
        AvailabilityChecker checker = AvailabilityChecker.builder()
                .singleWriter(false)
                .store(CheckerFixture.KIND, store)
                .normalizer(CheckerFixture.KIND, CheckerFixture.LOWER_CASE)
                .tick(CheckerFixture.TICK)
                .build();
        if (store.holdsReads) {
            CompletableFuture<Verdict> unused =
                    CheckerFixture.beside(() -> checker.check(CheckerFixture.KIND, "alice"));
        }
        eventually(() -> store.held.get() == 1);
        CompletableFuture<Boolean> closing = CheckerFixture.beside(() -> {
            checker.close();
            return true;
        });
        eventually(() -> checker.state(CheckerFixture.KIND) == KindState.CLOSED);
        released = true;
        assertThat(CheckerFixture.soon(closing)).isTrue();
        assertThat(interrupts).hasValue(0);
    }

    @Test
    void closingDuringAScanInterruptsNobody() {
        HeldStore store = new HeldStore();
        store.holdsScan = true;
        assertClosesWithoutInterrupting(store);
    }

    @Test
    void closingDuringABarrierInterruptsNobody() {
        HeldStore store = new HeldStore();
        store.holdsBarrier = true;
        assertClosesWithoutInterrupting(store);
    }

    @Test
    void closingDuringAReadInterruptsNobody() {
        HeldStore store = new HeldStore();
        store.rows.add("alice");
        store.holdsReads = true;
        assertClosesWithoutInterrupting(store);
    }
}
