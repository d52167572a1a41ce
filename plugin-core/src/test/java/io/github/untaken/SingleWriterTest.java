package io.github.untaken;

import static io.github.untaken.CheckerFixture.LOWER_CASE;
import static io.github.untaken.CheckerFixture.beside;
import static io.github.untaken.CheckerFixture.eventually;
import static io.github.untaken.CheckerFixture.soon;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.Verdict.Status;
import io.github.untaken.kind.SingleWriter;
import io.github.untaken.spi.RegisteredIdentifierStore;
import io.github.untaken.spi.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Of the processes that write one database, one answers from memory. */
class SingleWriterTest {
    private static final IdentifierKind KIND = CheckerFixture.KIND;

    /** A database with room for one mark. */
    private static final class MarkedStore extends RowsStore implements RegisteredIdentifierStore.Exclusive {
        private final Object[] mark;
        private final AtomicReference<Gate> heldMark = new AtomicReference<>();
        private final AtomicReference<Gate> heldLook = new AtomicReference<>();
        private final AtomicInteger looks = new AtomicInteger();
        private final AtomicInteger scans = new AtomicInteger();
        private final AtomicInteger releases = new AtomicInteger();
        private volatile boolean failing;
        private volatile boolean outOfMemory;
        private volatile @Nullable Thread looking;
        private volatile @Nullable Thread marking;

        MarkedStore(Object[] mark) {
            this.mark = mark;
        }

        @Override
        public Standing standing() {
            if (outOfMemory) {
                throw new OutOfMemoryError("told to fail");
            }
            looking = Thread.currentThread();
            Gate gate = heldLook.get();
            if (gate != null) {
                gate.pass();
            }
            looks.incrementAndGet();
            synchronized (mark) {
                if (failing || mark[0] == null) {
                    return Standing.UNKNOWN;
                }
                return mark[0] == this ? Standing.ALONE : Standing.BESIDE_OTHERS;
            }
        }

        @Override
        public void scan(Consumer<String> values) {
            super.scan(values);
            scans.incrementAndGet();
        }

        @Override
        public void mark() {
            marking = Thread.currentThread();
            Gate gate = heldMark.get();
            if (gate != null) {
                gate.pass();
            }
            if (failing) {
                throw new StoreException("told to fail");
            }
            synchronized (mark) {
                if (mark[0] == null) {
                    mark[0] = this;
                }
            }
        }

        @Override
        public void release() {
            synchronized (mark) {
                if (mark[0] == this) {
                    mark[0] = null;
                }
            }
            releases.incrementAndGet();
        }

        void loseTo(@Nullable Object other) {
            synchronized (mark) {
                mark[0] = other;
            }
        }
    }

    private final Object[] mark = new Object[1];
    private final MarkedStore ours = new MarkedStore(mark);

    private static AvailabilityChecker checker(MarkedStore store) {
        return AvailabilityChecker.builder()
                .store(KIND, store)
                .normalizer(KIND, LOWER_CASE)
                .tick(CheckerFixture.TICK)
                .recheckTimeout(Duration.ofSeconds(20))
                .build();
    }

    private static AvailabilityChecker checker(MarkedStore store, IdentifierKind other, MarkedStore others) {
        return AvailabilityChecker.builder()
                .store(KIND, store)
                .store(other, others)
                .normalizer(KIND, LOWER_CASE)
                .normalizer(other, LOWER_CASE)
                .tick(CheckerFixture.TICK)
                .recheckTimeout(Duration.ofSeconds(20))
                .build();
    }

    private static void awaitReady(AvailabilityChecker checker) {
        eventually(() -> checker.state(KIND) == KindState.READY);
    }

    @Test
    void theOnlyProcessAnswersFromMemory() {
        try (AvailabilityChecker checker = checker(ours)) {
            awaitReady(checker);
            assertThat(checker.checkInMemory(KIND, "alice").status()).isEqualTo(Status.AVAILABLE);
        }
    }

    @Test
    void aSecondProcessAsksTheStoreAndSaysWhy() {
        try (AvailabilityChecker first = checker(ours)) {
            awaitReady(first);
            MarkedStore same = new MarkedStore(mark);
            try (AvailabilityChecker second = checker(same)) {
                eventually(() -> second.stats(KIND).scans().sinceLast().isPresent()
                        && second.stats(KIND).scans().progress().isEmpty()
                        && second.state(KIND) == KindState.DEGRADED);

                same.rows.add("alice"); // by the first
                assertThat(second.check(KIND, "alice").status()).isEqualTo(Status.TAKEN);
                assertThat(second.check(KIND, "bob").decidedBy()).isEqualTo(Verdict.DecidedBy.STORE);
                eventually(() -> second.stats(KIND).reason().contains("another process"));
                assertThat(second.stats(KIND).reason()).doesNotContain("module");
            }
        }
    }

    @Test
    void aLookThatThrowsIsNoSolitudeAndKeepsNobodyFromTheNextKind() {
        IdentifierKind other = IdentifierKind.of("other");
        MarkedStore others = new MarkedStore(new Object[1]);
        try (AvailabilityChecker checker = AvailabilityChecker.builder()
                .store(KIND, ours)
                .store(other, others)
                .normalizer(KIND, LOWER_CASE)
                .normalizer(other, LOWER_CASE)
                .tick(CheckerFixture.TICK)
                .recheckTimeout(Duration.ofSeconds(20))
                .build()) {
            awaitReady(checker);
            eventually(() -> checker.state(other) == KindState.READY);
            ours.outOfMemory = true;
            others.loseTo("another process");
            eventually(() -> checker.state(other) == KindState.DEGRADED);
            eventually(() -> checker.state(KIND) == KindState.DEGRADED);
            ours.outOfMemory = false;
            awaitReady(checker);
        }
    }

    @Test
    void theSecondTakesOverWhenTheFirstEndsAndScansAnew() {
        AvailabilityChecker first = checker(ours);
        awaitReady(first);
        MarkedStore same = new MarkedStore(mark);
        try (AvailabilityChecker second = checker(same)) {
            eventually(() -> second.state(KIND) == KindState.DEGRADED);
            same.rows.add("alice"); // by the first, which tells nobody
            first.close();

            awaitReady(second);
            assertThat(second.check(KIND, "alice").status()).isEqualTo(Status.TAKEN);
        }
    }

    @Test
    void aMarkThatIsLostEndsTheAnswersFromMemory() {
        try (AvailabilityChecker checker = checker(ours)) {
            awaitReady(checker);

            ours.loseTo("another process");

            eventually(() -> checker.state(KIND) == KindState.DEGRADED);
            assertThat(checker.checkInMemory(KIND, "alice").status()).isEqualTo(Status.UNKNOWN);
            ours.loseTo(ours);
            awaitReady(checker);
        }
    }

    @Test
    void aMarkThatCannotBeConfirmedCountsAsLost() {
        try (AvailabilityChecker checker = checker(ours)) {
            awaitReady(checker);

            ours.failing = true;

            eventually(() -> checker.state(KIND) == KindState.DEGRADED);
        }
    }

    @Test
    void whileTheDatabaseIsAwayItIsAskedAllTheSame() {
        try (AvailabilityChecker checker = checker(ours)) {
            awaitReady(checker);
            ours.failing = true;
            eventually(() -> checker.state(KIND) == KindState.DEGRADED);
            assertThat(checker.stats(KIND).reason()).isEqualTo(SingleWriter.UNREACHABLE);
            ours.failing = false;
            awaitReady(checker);
        }
    }

    /** Who looked for another process would look in vain: the pool may have no connection to spare. */
    @Test
    void aMarkThatCannotBeSetIsNotBlamedOnAnotherProcess() {
        ours.failing = true;
        try (AvailabilityChecker checker = checker(ours)) {
            eventually(() -> ours.looks.get() > 3);
            assertThat(checker.stats(KIND).reason()).startsWith(SingleWriter.UNMARKED);
            ours.failing = false;
            awaitReady(checker);
        }
    }

    @Test
    void whoeverSaysSoIsAnsweredFromMemoryForAWhileAndThenScannedFor() {
        AtomicLong nanos = new AtomicLong();
        try (AvailabilityChecker checker = AvailabilityChecker.builder()
                .store(KIND, ours)
                .normalizer(KIND, LOWER_CASE)
                .whenUnreachable(WhenUnreachable.MEMORY)
                .unreachableFor(Duration.ofMinutes(1))
                .ticker(nanos::get)
                .tick(CheckerFixture.TICK)
                .build()) {
            awaitReady(checker);
            int scans = ours.scans.get();
            ours.failing = true;
            int looks = ours.looks.get();
            eventually(() -> ours.looks.get() > looks + 2);
            assertThat(checker.check(KIND, "alice").decidedBy()).isEqualTo(Verdict.DecidedBy.FILTER);
            ours.rows.add("alice"); // by another process, while nobody could tell
            ours.failing = false;
            eventually(() -> ours.scans.get() > scans);
            awaitReady(checker);
            assertThat(checker.check(KIND, "alice").status()).isEqualTo(Status.TAKEN);
            ours.failing = true;
            int more = ours.looks.get();
            eventually(() -> ours.looks.get() > more + 2);
            nanos.addAndGet(Duration.ofMinutes(1).toNanos() + 1);
            eventually(() -> checker.state(KIND) == KindState.DEGRADED);
        }
    }

    /** A pool that is empty, or a database that is away, may give no connection for half a minute. */
    @Test
    void aKindLosesItsTrustWhileAnotherWaitsForANewMark() {
        Object[] otherMark = new Object[1];
        MarkedStore others = new MarkedStore(otherMark);
        IdentifierKind other = IdentifierKind.of("other");
        try (AvailabilityChecker checker = checker(ours, other, others)) {
            eventually(() -> checker.state(KIND) == KindState.READY && checker.state(other) == KindState.READY);
            Gate waiting = new Gate();
            ours.heldMark.set(waiting);
            ours.loseTo(null);
            waiting.awaitArrival();
            assertThat(checker.state(KIND)).isEqualTo(KindState.DEGRADED);
            eventually(() -> ours.looking != null && ours.looking != ours.marking); // it has not to wait

            others.loseTo(null);

            eventually(() -> checker.state(other) == KindState.DEGRADED);
            waiting.open();
            eventually(() -> checker.state(KIND) == KindState.READY && checker.state(other) == KindState.READY);
        }
    }

    /** A half-open connection, on which no answer comes and no error. */
    @Test
    void aLookThatHangsEndsTheAnswersFromMemoryAndThoseOfNoOtherKind() {
        IdentifierKind other = IdentifierKind.of("other");
        MarkedStore others = new MarkedStore(new Object[1]);
        Gate hanging = new Gate();
        try (AvailabilityChecker checker = checker(ours, other, others)) {
            eventually(() -> checker.state(KIND) == KindState.READY && checker.state(other) == KindState.READY);
            ours.heldLook.set(hanging);
            hanging.awaitArrival();
            eventually(() -> checker.state(KIND) == KindState.DEGRADED);
            assertThat(checker.stats(KIND).reason()).isEqualTo(SingleWriter.UNREACHABLE);
            int looks = others.looks.get();
            eventually(() -> others.looks.get() > looks + 2);
            assertThat(checker.state(other)).isEqualTo(KindState.READY);
            ours.heldLook.set(null);
            hanging.open();
            awaitReady(checker);
        } finally {
            hanging.open();
        }
    }

    @Test
    void aMarkThatHangsKeepsNoOtherKindFromStarting() {
        IdentifierKind other = IdentifierKind.of("other");
        MarkedStore others = new MarkedStore(new Object[1]);
        Gate hanging = new Gate();
        ours.heldMark.set(hanging);
        try (AvailabilityChecker checker = AvailabilityChecker.builder()
                .store(KIND, ours)
                .normalizer(KIND, LOWER_CASE)
                .store(other, others)
                .normalizer(other, LOWER_CASE)
                .tick(CheckerFixture.TICK)
                .build()) {
            hanging.awaitArrival();
            eventually(() -> checker.state(other) == KindState.READY);
            eventually(() -> ours.scans.get() > 0);
            assertThat(checker.stats(KIND).reason()).isEqualTo(SingleWriter.UNMARKED);
            ours.heldMark.set(null);
            hanging.open();
            awaitReady(checker);
        } finally {
            hanging.open();
        }
    }

    @Test
    void whoeverIsAloneInOneOfTwoDatabasesIsNotAlone() {
        MarkedStore second = new MarkedStore(new Object[1]);
        try (AvailabilityChecker checker = AvailabilityChecker.builder()
                .store(KIND, ours)
                .store(KIND, second)
                .normalizer(KIND, LOWER_CASE)
                .tick(CheckerFixture.TICK)
                .recheckTimeout(Duration.ofSeconds(20))
                .build()) {
            awaitReady(checker);
            for (MarkedStore lost : List.of(ours, second)) {
                for (Object holder : new Object[] {"another process", null}) {
                    lost.failing = holder == null; // or it would mark anew where nobody is
                    lost.loseTo(holder);
                    awaitLooks(lost);
                    assertThat(checker.state(KIND)).isEqualTo(KindState.DEGRADED);
                    lost.failing = false;
                    lost.loseTo(lost);
                    awaitReady(checker);
                }
            }
        }
    }

    /** Each of two processes would go on calling free what the other has registered. */
    @Test
    void aStoreThatCannotTellOfOthersIsAskedAndTheStartSaysWhatToDo() {
        RowsStore rows = new RowsStore();
        try (Told log = new Told();
                AvailabilityChecker checker = AvailabilityChecker.builder()
                        .store(KIND, rows)
                        .normalizer(KIND, LOWER_CASE)
                        .tick(CheckerFixture.TICK)
                        .recheckTimeout(Duration.ofSeconds(20))
                        .build()) {
            eventually(() -> checker.state(KIND) == KindState.DEGRADED);
            rows.rows.add("alice"); // by another process
            assertThat(checker.check(KIND, "alice").status()).isEqualTo(Status.TAKEN);
            assertThat(checker.check(KIND, "bob").decidedBy()).isEqualTo(Verdict.DecidedBy.STORE);
            assertThat(checker.state(KIND)).isEqualTo(KindState.DEGRADED);
            assertThat(checker.stats(KIND).obstacles()).containsExactly(Obstacle.WRITERS_UNKNOWN);
            assertThat(log.lines().stream().filter(line -> line.startsWith("WARNING")))
                    .singleElement()
                    .asString()
                    .contains("kind " + KIND, RowsStore.class.getName(), "singleWriter(false)")
                    .contains("untaken.single-writer", "RegisteredIdentifierStore.Exclusive");
        }
    }

    /** Nor does it answer if it is told to bridge an outage: this is none. */
    @Test
    void aStoreThatCannotTellOfOthersNeverAnswersFromMemory() {
        AtomicLong nanos = new AtomicLong();
        try (AvailabilityChecker checker = AvailabilityChecker.builder()
                .store(KIND, ours)
                .store(KIND, new RowsStore())
                .normalizer(KIND, LOWER_CASE)
                .whenUnreachable(WhenUnreachable.MEMORY)
                .ticker(nanos::get)
                .tick(CheckerFixture.TICK)
                .build()) {
            eventually(() -> checker.stats(KIND).scans().sinceLast().isPresent() && ours.looks.get() > 10);
            assertThat(checker.checkInMemory(KIND, "alice").status()).isEqualTo(Status.UNKNOWN);
            ours.loseTo("another process");
            eventually(() -> checker.stats(KIND).obstacles().contains(Obstacle.OTHER_WRITER));
            ours.loseTo(ours);
            awaitLooks();
            assertThat(checker.state(KIND)).isEqualTo(KindState.DEGRADED);
        }
    }

    @Test
    void whoSaysThatNobodyElseWritesNeedsNoMark() {
        ours.loseTo("another process");
        try (AvailabilityChecker checker = AvailabilityChecker.builder()
                .store(KIND, ours)
                .normalizer(KIND, LOWER_CASE)
                .tick(CheckerFixture.TICK)
                .recheckTimeout(Duration.ofSeconds(20))
                .singleWriter(false)
                .build()) {
            awaitReady(checker);
        }
    }

    @Test
    void closingTwiceIsClosingOnce() {
        AvailabilityChecker checker = checker(ours);
        awaitReady(checker);
        checker.close();
        checker.close();
        assertThat(mark[0]).as("given up").isNull();
    }

    /** It would keep every process that comes later from being alone. */
    @Test
    void aMarkThatIsSetAfterTheEndIsTakenAway() throws InterruptedException {
        Gate late = new Gate();
        AvailabilityChecker checker = checker(ours);
        awaitReady(checker);
        ours.heldMark.set(late);
        ours.loseTo(null);
        late.awaitArrival();
        ours.heldMark.set(null);
        Thread marking = Objects.requireNonNull(ours.marking);
        CompletableFuture<Void> closed = beside(() -> {
            checker.close();
            return null;
        });
        eventually(() -> ours.releases.get() > 0);
        late.open();
        marking.join();
        soon(closed);
        assertThat(mark[0]).isNull();
    }

    /** The flow of its connection was forgotten, while new connections work. */
    @Test
    void aLookThatNeverComesBackIsReplaced() {
        Gate hanging = new Gate();
        try (AvailabilityChecker checker = checker(ours)) {
            awaitReady(checker);
            ours.heldLook.set(hanging);
            hanging.awaitArrival();
            eventually(() -> checker.state(KIND) == KindState.DEGRADED);
            ours.heldLook.set(null);
            awaitReady(checker);
            hanging.open(); // or closing would wait for it
        } finally {
            hanging.open();
        }
    }

    @Test
    void aMarkThatNeverComesBackIsReplaced() {
        Gate hanging = new Gate();
        ours.heldMark.set(hanging);
        try (AvailabilityChecker checker = checker(ours)) {
            hanging.awaitArrival();
            ours.heldMark.set(null);
            awaitReady(checker);
            hanging.open(); // or closing would wait for it
        } finally {
            hanging.open();
        }
    }

    private void awaitLooks() {
        awaitLooks(ours);
    }

    /** Each look is heeded before the next begins. */
    private static void awaitLooks(MarkedStore store) {
        int looks = store.looks.get();
        eventually(() -> store.looks.get() > looks + 3);
    }

    /** A connection that is lost again and again. */
    @Test
    void aMarkThatComesAndGoesCostsNoScanEachTime() {
        try (AvailabilityChecker checker = checker(ours)) {
            awaitReady(checker);
            for (int i = 0; i < 30; i++) {
                ours.loseTo("another process");
                awaitLooks();
                ours.loseTo(ours);
                awaitLooks();
            }
            assertThat(ours.scans).hasValueLessThan(15);
        }
    }
}
