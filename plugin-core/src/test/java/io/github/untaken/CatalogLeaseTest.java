package io.github.untaken;

import static io.github.untaken.CheckerFixture.LOWER_CASE;
import static io.github.untaken.CheckerFixture.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.Verdict.DecidedBy;
import io.github.untaken.Verdict.Status;
import io.github.untaken.kind.RegisteredKind;
import io.github.untaken.log.CatalogLease;
import io.github.untaken.memory.Clocks;
import io.github.untaken.spi.RegisteredIdentifierStore;
import io.github.untaken.spi.StoreException;
import io.github.untaken.spi.TableCatalog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Memory is believed as long as the tables that it was filled from are known to be what they were. */
class CatalogLeaseTest {
    private static final IdentifierKind KIND = CheckerFixture.KIND;

    /** One table, whose definition has a number. */
    private static final class DefinedStore extends RowsStore
            implements RegisteredIdentifierStore.Catalogued, TableCatalog {
        private final AtomicLong looks = new AtomicLong();
        private final AtomicInteger definition = new AtomicInteger();
        private final AtomicInteger scans = new AtomicInteger();
        private volatile boolean failing;
        private volatile Runnable duringScan = () -> {};
        private volatile Runnable wanted = () -> {};
        /** What a look has to pass before it is sent. */
        private volatile Runnable onItsWay = () -> {};

        @Override
        public TableCatalog catalog() {
            return this;
        }

        @Override
        public String catalogued() {
            return "account";
        }

        @Override
        public Look look() {
            onItsWay.run();
            if (failing) {
                throw new StoreException("told to fail");
            }
            return new Look(looks.incrementAndGet(), Map.of("account", definition.toString()));
        }

        @Override
        public void onDefinition(Runnable soon) {
            wanted = soon;
        }

        @Override
        public void release() {}

        @Override
        public void scan(Consumer<String> values) {
            super.scan(values);
            scans.incrementAndGet();
            duringScan.run();
        }

        private void awaitLooks(int count) {
            long until = looks.get() + count;
            eventually(() -> looks.get() >= until);
        }
    }

    private final DefinedStore store = new DefinedStore();
    /** What a paused process has not seen go by. */
    private final AtomicLong paused = new AtomicLong();

    /** When the clock was stopped; null while it goes. */
    private volatile Long stopped;

    private AvailabilityChecker checker(Consumer<AvailabilityCheckerBuilder> settings) {
        AvailabilityCheckerBuilder builder = AvailabilityChecker.builder()
                .singleWriter(false)
                .store(KIND, store)
                .normalizer(KIND, LOWER_CASE)
                .recheckTimeout(Duration.ofSeconds(20))
                .rescanInterval(Duration.ofDays(300))
                .ticker(this::nanos)
                .tick(Duration.ofMillis(2));
        settings.accept(builder);
        AvailabilityChecker checker = builder.build();
        eventually(() -> checker.state(KIND) == KindState.READY);
        return checker;
    }

    private long nanos() {
        Long then = stopped;
        return (then == null ? System.nanoTime() : then) + paused.get();
    }

    private AvailabilityChecker checker() {
        return checker(builder -> builder.catalogInterval(Duration.ofMillis(100)));
    }

    private static DecidedBy decidedBy(AvailabilityChecker checker) {
        Verdict verdict = checker.check(KIND, "nobody");
        assertThat(verdict.status()).isEqualTo(Status.AVAILABLE);
        return verdict.decidedBy();
    }

    private static boolean isMemory(AvailabilityChecker checker) {
        return decidedBy(checker) == DecidedBy.FILTER;
    }

    @Test
    void looksThatShowTheSameRenewTheLeaseWithoutAScan() {
        try (AvailabilityChecker checker = checker()) {
            store.awaitLooks(5);
            eventually(() -> isMemory(checker));
            assertThat(store.scans).hasValue(1);
        }
    }

    @Test
    void aPauseEndsTheLeaseAndTheNextLookHealsItWithoutAScan() {
        try (AvailabilityChecker checker = checker(builder -> builder.catalogInterval(Duration.ofHours(1)))) {
            assertThat(isMemory(checker)).isTrue();
            store.failing = true; // a look is due as soon as the pause ends, and would heal at once
            paused.set(Duration.ofHours(3).toNanos());
            assertThat(checker.checkInMemory(KIND, "nobody").status()).isEqualTo(Status.UNKNOWN);
            assertThat(decidedBy(checker)).isEqualTo(DecidedBy.STORE);
            assertThat(checker.stats(KIND).sinceLastLook().orElseThrow()).isGreaterThan(Duration.ofHours(3));
            store.failing = false;
            store.wanted.run();
            eventually(() -> checker.checkInMemory(KIND, "somebody").available());
            assertThat(checker.stats(KIND).sinceLastLook().orElseThrow()).isLessThan(Duration.ofHours(3));
            assertThat(store.scans).hasValue(1);
        }
    }

    @Test
    void theDatabaseAnswersWhileTheCatalogCannotBeLookedAt() {
        try (AvailabilityChecker checker = checker()) {
            store.failing = true;
            eventually(() -> checker.stats(KIND).reason().equals(RegisteredKind.NOT_LOOKED_AT));
            assertThat(checker.checkInMemory(KIND, "a-stranger").available()).isFalse();
            assertThat(checker.check(KIND, "another-stranger").decidedBy()).isEqualTo(DecidedBy.STORE);
            store.failing = false;
            eventually(() -> checker.checkInMemory(KIND, "a-stranger").available());
            assertThat(store.scans).hasValue(1);
        }
    }

    @Test
    void whoWantsMemoryWhileTheDatabaseIsAwayHasIt() {
        try (AvailabilityChecker checker = checker(builder -> builder.catalogInterval(Duration.ofMillis(100))
                .whenUnreachable(WhenUnreachable.MEMORY)
                .unreachableFor(Duration.ofMinutes(10)))) {
            store.failing = true;
            store.wanted.run();
            paused.set(Duration.ofMinutes(5).toNanos());
            assertThat(checker.checkInMemory(KIND, "a-stranger").available()).isTrue();
            paused.set(Duration.ofMinutes(11).toNanos());
            assertThat(checker.checkInMemory(KIND, "a-stranger").available()).isFalse();
        }
    }

    @Test
    void aChangedTableIsAnsweredByTheDatabaseUntilOneScan() {
        try (AvailabilityChecker checker = checker()) {
            store.rows.add("alice"); // by a program that nobody hears, with the table that it puts there
            store.definition.incrementAndGet();
            eventually(() -> checker.check(KIND, "alice").status() == Status.TAKEN);
            eventually(() -> store.scans.get() == 2 && checker.state(KIND) == KindState.READY);
            assertThat(checker.check(KIND, "alice").status()).isEqualTo(Status.TAKEN);
        }
    }

    @Tag("ci")
    @Test
    void fiftyMigrationsCostOneScan() {
        try (AvailabilityChecker checker = checker(builder -> builder.catalogInterval(Duration.ofHours(1)))) {
            stopped = System.nanoTime(); // or a machine that stands still would make a pause between two of them
            for (int i = 0; i < 50; i++) {
                store.definition.incrementAndGet();
                long before = store.looks.get();
                store.wanted.run();
                eventually(() -> store.looks.get() > before);
            }
            eventually(() -> checker.state(KIND) == KindState.DEGRADED);
            stopped = null;
            eventually(() -> {
                store.wanted.run();
                return checker.state(KIND) == KindState.READY;
            });
            assertThat(store.scans).hasValue(2);
        }
    }

    /** Only the scan's own looks can show it: the clock's come once an hour, after the first. */
    @Test
    void aScanDuringWhichTheTableChangesIsNotBelieved() {
        try (AvailabilityChecker checker = checker(builder -> builder.catalogInterval(Duration.ofHours(1)))) {
            eventually(() -> store.looks.get() >= 2); // the clock has had its first
            store.duringScan = () -> {
                store.duringScan = () -> {};
                store.rows.add("alice"); // by a program that nobody hears
                store.definition.incrementAndGet();
            };
            Duration since = Duration.ofMinutes(10);
            paused.set(since.toNanos()); // the age of what serves then tells the next scan from the first
            checker.rescan(KIND);
            eventually(
                    () -> checker.stats(KIND).scans().sinceLast().orElseThrow().compareTo(since) < 0);
            assertThat(store.scans).hasValueGreaterThanOrEqualTo(3);
            assertThat(checker.check(KIND, "alice").status()).isEqualTo(Status.TAKEN);
        }
    }

    @Test
    void aStateThatSaysReadyNamesTheLookThatIsMissing() {
        try (AvailabilityChecker checker = checker()) {
            eventually(() -> checker.stats(KIND).reason().isEmpty());
            store.failing = true;
            eventually(() -> !checker.stats(KIND).reason().isEmpty());
            assertThat(checker.state(KIND)).isEqualTo(KindState.READY);
            assertThat(checker.stats(KIND).reason()).isEqualTo(RegisteredKind.NOT_LOOKED_AT);
            assertThat(checker.stats(KIND).sinceLastLook()).isPresent(); // the one before
            store.failing = false;
            eventually(() -> checker.stats(KIND).reason().isEmpty());
        }
    }

    /** As long as the flow of its connection is forgotten; others are made meanwhile. */
    @Tag("ci")
    @Test
    void aLookThatHangsEndsTheLeaseAndAnotherHealsItWithoutAScan() throws InterruptedException {
        CountDownLatch hanging = new CountDownLatch(1);
        CountDownLatch flow = new CountDownLatch(1);
        try (AvailabilityChecker checker = checker()) {
            store.onItsWay = () -> {
                store.onItsWay = () -> {};
                hanging.countDown();
                await(flow);
            };
            hanging.await();
            eventually(() -> decidedBy(checker) == DecidedBy.STORE);
            eventually(() -> checker.checkInMemory(KIND, "a-stranger").available());
            assertThat(flow.getCount()).isOne();
            assertThat(store.scans).hasValue(1);
        } finally {
            flow.countDown();
        }
    }

    /** It has shown what was there before. */
    @Test
    void whatIsDefinedDuringALookIsLookedAtSoon() throws InterruptedException {
        CountDownLatch hanging = new CountDownLatch(1);
        CountDownLatch flow = new CountDownLatch(1);
        try (AvailabilityChecker checker = checker(builder -> builder.catalogInterval(Duration.ofHours(1)))) {
            long before = store.looks.get();
            store.onItsWay = () -> {
                store.onItsWay = () -> {};
                hanging.countDown();
                await(flow);
            };
            store.wanted.run();
            hanging.await();
            store.wanted.run();
            flow.countDown();
            eventually(() -> store.looks.get() >= before + 2);
            assertThat(checker.state(KIND)).isEqualTo(KindState.READY);
        } finally {
            flow.countDown();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aLookThatShowsAnotherDefinitionNamesTheTable() {
        List<Set<String>> changed = new ArrayList<>();
        CatalogLease lease = new CatalogLease.Terms(
                        Duration.ofSeconds(5), Duration.ZERO, new Clocks(() -> 1, () -> 1), Set.of())
                .lease(Map.of(store, Set.of("account")), changed::add);
        lease.heed(store, lease.now(), store.look());
        lease.heed(store, lease.now(), store.look());
        assertThat(changed).isEmpty();
        store.definition.incrementAndGet();
        lease.heed(store, lease.now(), store.look());
        assertThat(changed).containsExactly(Set.of("account"));
        assertThat(lease.isSettling()).isTrue();
    }

    /** A look at another database says nothing of the one that does not answer. */
    @Test
    void oneGoodLookDoesNotUndoThatAnotherHasFailed() {
        DefinedStore other = new DefinedStore();
        CatalogLease lease = new CatalogLease.Terms(
                        Duration.ofSeconds(5), Duration.ZERO, new Clocks(() -> 1, () -> 1), Set.of())
                .lease(Map.of(store, Set.of("account"), other, Set.of("account")), changed -> {});
        lease.heed(store, lease.now(), store.look());
        lease.heed(other, lease.now(), other.look());
        assertThat(lease.isOut()).isFalse();
        lease.failed(store);
        assertThat(lease.isOut()).isTrue();
        lease.heed(other, lease.now(), other.look());
        assertThat(lease.isOut()).isTrue();
        lease.heed(store, lease.now(), store.look());
        assertThat(lease.isOut()).isFalse();
    }
}
