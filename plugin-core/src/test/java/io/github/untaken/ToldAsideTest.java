package io.github.untaken;

import static io.github.untaken.CheckerFixture.KIND;
import static io.github.untaken.CheckerFixture.LOWER_CASE;
import static io.github.untaken.CheckerFixture.beside;
import static io.github.untaken.CheckerFixture.eventually;
import static io.github.untaken.CheckerFixture.soon;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.Verdict.Status;
import io.github.untaken.spi.RegisteredIdentifierStore;
import io.github.untaken.spi.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Who listens may stand still, and nobody waits for that. */
class ToldAsideTest {
    private final ScriptedStore store = new ScriptedStore();
    private final Gate slow = new Gate();
    private final List<KindState> states = new CopyOnWriteArrayList<>();

    private AvailabilityChecker checker(CheckListener listener) {
        return AvailabilityChecker.builder()
                .singleWriter(false)
                .store(KIND, store)
                .normalizer(KIND, LOWER_CASE)
                .tick(CheckerFixture.TICK)
                .listener(listener)
                .build();
    }

    private void registersAndChecks(AvailabilityChecker checker) {
        eventually(() -> checker.state(KIND) == KindState.READY);
        for (int i = 0; i < 3; i++) {
            String name = "alice" + i;
            assertThat(soon(beside(() -> {
                        checker.registrations().bulk(KIND, () -> store.commit(name));
                        return true;
                    })))
                    .isTrue();
            eventually(() -> checker.state(KIND) == KindState.READY);
            assertThat(soon(beside(() -> checker.check(KIND, name))).status()).isEqualTo(Status.TAKEN);
        }
    }

    @Test
    void aListenerThatStandsStillStopsNeitherWritersNorChecksNorScans() {
        CheckListener standing = new CheckListener() {
            @Override
            public void stateChanged(IdentifierKind kind, KindState state, String reason) {
                slow.pass();
                states.add(state);
            }
        };
        try (AvailabilityChecker checker = checker(standing)) {
            registersAndChecks(checker);
            slow.open();
            eventually(() -> states.size() >= 7);
            assertThat(states)
                    .as("in order")
                    .startsWith(KindState.READY, KindState.DEGRADED, KindState.READY, KindState.DEGRADED);
        } finally {
            slow.open();
        }
    }

    @Test
    void aLogThatStandsStillStopsNeitherWritersNorChecksNorScans() {
        Handler standing = new Handler() {
            @Override
            public void publish(LogRecord line) {
                if (line.getMessage().startsWith("Registry of kind")) {
                    slow.pass();
                }
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Logger log = Logger.getLogger("io.github.untaken");
        log.addHandler(standing);
        try (AvailabilityChecker checker = checker(new CheckListener() {})) {
            registersAndChecks(checker);
        } finally {
            log.removeHandler(standing);
            slow.open();
        }
    }

    /** A database that gives every cause for a line: reads that hang, scans that fail, rows that nobody told of, looks that throw. */
    private static final class TroubledStore extends RowsStore
            implements RegisteredIdentifierStore.Sampled, RegisteredIdentifierStore.Exclusive {
        private final CountDownLatch released = new CountDownLatch(1);
        private final AtomicInteger hanging = new AtomicInteger();
        private final AtomicBoolean scanFails = new AtomicBoolean();
        private final AtomicBoolean lookFails = new AtomicBoolean();
        private final AtomicInteger looks = new AtomicInteger();
        private volatile boolean alone = true;

        @Override
        public Presence exists(String key, Duration timeout) {
            if (key.startsWith("hang")) {
                hanging.incrementAndGet();
                stand(released);
            }
            return super.exists(key, timeout);
        }

        @Override
        public void scan(Consumer<String> values) {
            if (scanFails.getAndSet(false)) {
                throw new StoreException("told to fail");
            }
            super.scan(values);
        }

        @Override
        public List<String> sample(int count) {
            return List.copyOf(rows);
        }

        @Override
        public Standing standing() {
            looks.incrementAndGet();
            if (lookFails.getAndSet(false)) {
                throw new StoreException("told to fail");
            }
            return alone ? Standing.ALONE : Standing.BESIDE_OTHERS;
        }

        @Override
        public void mark() {}

        @Override
        public void release() {}
    }

    private static void stand(CountDownLatch latch) {
        try {
            if (!latch.await(CheckerFixture.PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw new WaitedInVain("nobody let go");
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Tag("ci")
    @Test
    void aLogThatTakesNotOneLineStopsNothing() {
        CountDownLatch read = new CountDownLatch(1);
        Set<String> stopped = ConcurrentHashMap.newKeySet();
        Handler standing = new Handler() {
            @Override
            public void publish(LogRecord line) {
                if (Thread.currentThread().getName().equals("untaken-log")) {
                    stand(read);
                } else {
                    stopped.add(Thread.currentThread().getName());
                }
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        TroubledStore troubled = new TroubledStore();
        troubled.rows.add("alice");
        AtomicLong nanos = new AtomicLong();
        Logger log = Logger.getLogger("io.github.untaken");
        log.addHandler(standing);
        try (AvailabilityChecker checker = AvailabilityChecker.builder()
                .store(KIND, troubled)
                .normalizer(KIND, LOWER_CASE)
                .recheckTimeout(Duration.ofMillis(50))
                .tick(CheckerFixture.TICK)
                .linger(CheckerFixture.TICK)
                .ticker(nanos::get)
                .listener(new CheckListener() {
                    @Override
                    public void checked(IdentifierKind kind, Status status, Verdict.DecidedBy decidedBy) {
                        throw new IllegalStateException("told to fail");
                    }
                })
                .build()) {
            eventually(() -> checker.state(KIND) == KindState.READY);
            checksGoOnWhereReadsHang(checker, troubled);
            birthsGoOnWhereOneFails(checker, troubled);
            looksGoOnWhereOneFails(checker, troubled);
            troubled.rows.add("bob"); // by somebody who tells nobody
            passUntil(() -> checker.stats(KIND).missesProved() > 0, nanos, troubled);
            eventually(() -> checker.state(KIND) == KindState.READY);
            committersGoOn(checker, troubled);
            assertThat(stopped).as("threads that the log would have stopped").isEmpty();
        } finally {
            log.removeHandler(standing);
            read.countDown();
            troubled.released.countDown();
        }
    }

    private static void checksGoOnWhereReadsHang(AvailabilityChecker checker, TroubledStore troubled) {
        troubled.rows.addAll(List.of("hang0", "hang1", "hang2", "hang3"));
        checker.rescan(KIND);
        eventually(() -> checker.stats(KIND).memory().entries() == 5);
        for (int i = 0; troubled.hanging.get() < 4; i = (i + 1) % 4) {
            assertThat(checker.check(KIND, "hang" + i).status()).isEqualTo(Status.UNKNOWN);
        }
        eventually(() -> checker.check(KIND, "alice").status() == Status.TAKEN);
    }

    private static void birthsGoOnWhereOneFails(AvailabilityChecker checker, TroubledStore troubled) {
        troubled.scanFails.set(true);
        checker.registrations().bulk(KIND, () -> {});
        eventually(() -> checker.stats(KIND).scans().failed() == 1);
        eventually(() -> checker.state(KIND) == KindState.READY);
    }

    private static void looksGoOnWhereOneFails(AvailabilityChecker checker, TroubledStore troubled) {
        troubled.lookFails.set(true);
        eventually(() -> !troubled.lookFails.get());
        troubled.alone = false;
        eventually(() -> checker.state(KIND) == KindState.DEGRADED);
        troubled.alone = true;
        eventually(() -> checker.state(KIND) == KindState.READY);
    }

    /** Second by second: who does not look for longer than two has stood still, and scans. */
    private static void passUntil(Supplier<Boolean> found, AtomicLong nanos, TroubledStore troubled) {
        for (int second = 0; second < 120; second++) {
            nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
            int looks = troubled.looks.get();
            eventually(() -> troubled.looks.get() > looks + 1);
        }
        eventually(found);
    }

    private static void committersGoOn(AvailabilityChecker checker, TroubledStore troubled) {
        assertThat(soon(beside(() -> {
                    checker.registrations().bulk(KIND, () -> troubled.rows.add("carol"));
                    return true;
                })))
                .isTrue();
        eventually(() -> checker.state(KIND) == KindState.READY);
        assertThat(soon(beside(() -> checker.check(KIND, "carol"))).status()).isEqualTo(Status.TAKEN);
    }
}
