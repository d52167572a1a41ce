package io.github.untaken;

import static io.github.untaken.CheckerFixture.LOWER_CASE;
import static io.github.untaken.CheckerFixture.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.untaken.Verdict.Status;
import io.github.untaken.spi.RegisteredIdentifierStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** What is done again and again goes on whatever is thrown, and an error leaves nothing open. */
class PeriodicWorkTest {
    private static final IdentifierKind KIND = CheckerFixture.KIND;

    /** A database that throws an error once, or that another process writes. */
    private static final class TroubledStore extends RowsStore
            implements RegisteredIdentifierStore.Sampled, RegisteredIdentifierStore.Exclusive {
        private final AtomicInteger scans = new AtomicInteger();
        private final AtomicInteger audits = new AtomicInteger();
        private final AtomicBoolean sampleThrows = new AtomicBoolean();
        private final AtomicBoolean scanThrows = new AtomicBoolean();
        private final AtomicBoolean lookThrows = new AtomicBoolean();
        private final AtomicBoolean readThrows = new AtomicBoolean();
        private final AtomicReference<Gate> heldScan = new AtomicReference<>();
        private volatile boolean alone = true;

        private static void throwOnce(AtomicBoolean armed) {
            if (armed.getAndSet(false)) {
                throw new OutOfMemoryError("told to fail");
            }
        }

        @Override
        public Presence exists(String key, Duration timeout) {
            throwOnce(readThrows);
            return super.exists(key, timeout);
        }

        @Override
        public void scan(Consumer<String> values) {
            throwOnce(scanThrows);
            Gate gate = heldScan.getAndSet(null);
            if (gate != null) {
                gate.pass();
            }
            super.scan(values);
            scans.incrementAndGet();
        }

        @Override
        public List<String> sample(int count) {
            audits.incrementAndGet();
            throwOnce(sampleThrows);
            return List.copyOf(rows);
        }

        @Override
        public Standing standing() {
            throwOnce(lookThrows);
            return alone ? Standing.ALONE : Standing.BESIDE_OTHERS;
        }

        @Override
        public void mark() {}

        @Override
        public void release() {}
    }

    private final TroubledStore store = new TroubledStore();
    private final AtomicLong nanos = new AtomicLong();
    private final AtomicBoolean clockThrows = new AtomicBoolean();
    private final AtomicBoolean listenerThrows = new AtomicBoolean();

    private AvailabilityChecker ready() {
        return ready(false); // whose marks would take the minutes that these tests let pass at once for a pause of the
        // process
    }

    private AvailabilityChecker ready(boolean marked) {
        AvailabilityChecker checker = AvailabilityChecker.builder()
                .singleWriter(marked)
                .store(KIND, store)
                .normalizer(KIND, LOWER_CASE)
                .recheckTimeout(Duration.ofSeconds(20))
                .rescanInterval(Duration.ofMinutes(10))
                .ticker(this::now)
                .tick(CheckerFixture.TICK)
                .linger(CheckerFixture.TICK)
                .listener(new CheckListener() {
                    @Override
                    public void stateChanged(IdentifierKind kind, KindState state, String reason) {
                        if (listenerThrows.get()) {
                            throw new StackOverflowError("told to fail");
                        }
                    }
                })
                .build();
        eventually(() -> checker.state(KIND) == KindState.READY);
        return checker;
    }

    private long now() {
        if (Thread.currentThread().getName().startsWith("untaken-clock")) {
            TroubledStore.throwOnce(clockThrows);
        }
        return nanos.get();
    }

    private void assertScansGoOn(AvailabilityChecker checker) {
        int before = store.scans.get();
        store.rows.add("bob"); // by another program
        nanos.addAndGet(Duration.ofMinutes(11).toNanos());
        eventually(() -> store.scans.get() > before
                && checker.state(KIND) == KindState.READY
                && checker.check(KIND, "bob").status() == Status.TAKEN);
    }

    @Test
    void anErrorInTheLookAtTheClockDoesNotEndTheLooks() {
        try (AvailabilityChecker checker = ready()) {
            clockThrows.set(true);
            eventually(() -> !clockThrows.get());
            assertScansGoOn(checker);
        }
    }

    @Test
    void anErrorInAnAuditEndsNeitherTheAuditsNorTheScans() {
        try (AvailabilityChecker checker = ready()) {
            store.sampleThrows.set(true);
            nanos.addAndGet(Duration.ofMinutes(2).toNanos());
            eventually(() -> !store.sampleThrows.get());
            int before = store.audits.get();
            nanos.addAndGet(Duration.ofMinutes(2).toNanos());
            eventually(() -> store.audits.get() > before);
            assertScansGoOn(checker);
        }
    }

    @Test
    void anErrorInAScanIsTriedAgain() {
        try (AvailabilityChecker checker = ready()) {
            store.scanThrows.set(true);
            assertScansGoOn(checker);
            assertThat(store.scanThrows).isFalse();
        }
    }

    @Test
    void anErrorWhileAKindStartsKeepsNeitherItNorTheOthersFromTheirScans() {
        AtomicBoolean startThrows = new AtomicBoolean(true);
        IdentifierKind other = IdentifierKind.of("other");
        try (AvailabilityChecker checker = AvailabilityChecker.builder()
                .store(KIND, store)
                .normalizer(KIND, LOWER_CASE)
                .store(other, store)
                .normalizer(other, LOWER_CASE)
                .rescanInterval(Duration.ofMinutes(10))
                .ticker(() -> {
                    if (Thread.currentThread().getName().equals("untaken-writer-marks")) {
                        TroubledStore.throwOnce(startThrows);
                    }
                    return nanos.get();
                })
                .tick(CheckerFixture.TICK)
                .build()) {
            eventually(() -> checker.state(KIND) == KindState.READY || checker.state(other) == KindState.READY);
            assertThat(startThrows).isFalse();
            nanos.addAndGet(Duration.ofMinutes(11).toNanos());
            eventually(() -> checker.state(KIND) == KindState.READY && checker.state(other) == KindState.READY);
        }
    }

    /** A connection that hangs: the scan never ends, and none comes after it. */
    @Test
    void whileAScanHangsMemoryAnswersForTheIntervalAndAMarginOnly() {
        try (AvailabilityChecker checker = ready()) {
            Gate hanging = new Gate();
            store.heldScan.set(hanging);
            nanos.addAndGet(Duration.ofMinutes(11).toNanos());
            hanging.awaitArrival();
            assertThat(checker.state(KIND)).isEqualTo(KindState.READY);
            nanos.addAndGet(Duration.ofMinutes(5).toNanos());
            eventually(() -> checker.state(KIND) == KindState.DEGRADED);
            int ended = store.scans.get();
            Gate next = new Gate();
            store.heldScan.set(
                    next); // one may follow: a look at the clock may have come before the hanging one had begun
            hanging.open();
            eventually(() -> checker.state(KIND) == KindState.READY);
            assertThat(store.scans).as("that very scan mends it").hasValue(ended + 1);
            next.open();
        }
    }

    @Test
    void anErrorInTheLookForOtherProcessesDoesNotEndTheLooks() {
        try (AvailabilityChecker checker = ready(true)) {
            store.lookThrows.set(true);
            eventually(() -> !store.lookThrows.get());
            store.alone = false;
            eventually(() -> checker.state(KIND) == KindState.DEGRADED);
            store.alone = true;
            eventually(() -> checker.state(KIND) == KindState.READY);
        }
    }

    /** A full disk: whoever is told of a failure asks for the next try first. */
    @Test
    void anErrorInTheLogLosesNoTry() {
        try (AvailabilityChecker checker = ready();
                Told told = new Told()) {
            store.scanThrows.set(true);
            told.failing(3);
            assertScansGoOn(checker);
        }
    }

    @Test
    void anErrorInTheLogDuringBulkWorkLeavesNothingOpen() {
        try (AvailabilityChecker checker = ready();
                Told told = new Told()) {
            told.failing(3);
            checker.registrations().bulk(KIND, () -> store.rows.add("alice"));
            eventually(() -> checker.state(KIND) == KindState.READY);
            assertThat(checker.check(KIND, "alice").status()).isEqualTo(Status.TAKEN);
            assertThat(checker.checkInMemory(KIND, "bob").status()).isEqualTo(Status.AVAILABLE);
        }
    }

    @Test
    void anErrorOfAListenerDuringBulkWorkLeavesNothingOpen() {
        try (AvailabilityChecker checker = ready()) {
            listenerThrows.set(true);
            checker.registrations().bulk(KIND, () -> store.rows.add("alice"));
            eventually(() -> checker.state(KIND) == KindState.READY);
            assertThat(checker.check(KIND, "alice").status()).isEqualTo(Status.TAKEN);
        }
    }

    @Test
    void anErrorOfTheBulkWorkItselfLeavesNothingOpen() {
        try (AvailabilityChecker checker = ready()) {
            assertThatThrownBy(() -> checker.registrations().bulk(KIND, () -> {
                        store.rows.add("alice");
                        throw new OutOfMemoryError("the application's own");
                    }))
                    .isInstanceOf(OutOfMemoryError.class);
            // The rescan asks for the next by the clock on the wall, so that must not be far.
            nanos.addAndGet(Duration.ofMinutes(10).minusMillis(5).toNanos());
            checker.rescan(KIND);
            nanos.addAndGet(Duration.ofMillis(5).toNanos());
            eventually(() -> checker.state(KIND) == KindState.READY);
            assertThat(checker.check(KIND, "alice").status()).isEqualTo(Status.TAKEN);
        }
    }

    @Test
    void anErrorInAReadOfTheStoreIsOneUnknownAnswer() {
        store.rows.add("alice");
        try (AvailabilityChecker checker = ready()) {
            store.readThrows.set(true);
            assertThat(checker.check(KIND, "alice").status()).isEqualTo(Status.UNKNOWN);
            assertThat(checker.check(KIND, "alice").status()).isEqualTo(Status.TAKEN);
        }
    }
}
