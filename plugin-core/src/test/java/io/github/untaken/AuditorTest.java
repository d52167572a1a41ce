package io.github.untaken;

import static io.github.untaken.CheckerFixture.LOWER_CASE;
import static io.github.untaken.CheckerFixture.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.spi.RegisteredIdentifierStore;
import io.github.untaken.spi.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** What memory claims is compared with the store, sample by sample. */
class AuditorTest {
    private static final IdentifierKind KIND = CheckerFixture.KIND;

    /** Hands out what it is told to, else the first rows. */
    private static final class SampledStore extends RowsStore
            implements RegisteredIdentifierStore.Sampled, RegisteredIdentifierStore.Counted {
        private final AtomicInteger reads = new AtomicInteger();
        private volatile Runnable beforeSample = () -> {};
        private volatile List<String> handedOut = List.of();

        @Override
        public List<String> sample(int count) {
            beforeSample.run();
            List<String> sample =
                    handedOut.isEmpty() ? rows.stream().limit(count).toList() : handedOut;
            return sample;
        }

        @Override
        public Presence exists(String key, Duration timeout) {
            reads.incrementAndGet();
            return super.exists(key, timeout);
        }

        @Override
        public long count() {
            return rows.size();
        }
    }

    private final AtomicLong nanos = new AtomicLong();
    private final AtomicInteger misses = new AtomicInteger();
    private final SampledStore store = new SampledStore();

    private AvailabilityChecker ready(Consumer<AvailabilityCheckerBuilder> settings) {
        AvailabilityCheckerBuilder builder = AvailabilityChecker.builder()
                .singleWriter(false)
                .store(KIND, store)
                .normalizer(KIND, LOWER_CASE)
                .recheckTimeout(Duration.ofSeconds(20))
                .rescanInterval(Duration.ofDays(300))
                .ticker(nanos::get)
                .tick(CheckerFixture.TICK)
                .listener(new CheckListener() {
                    @Override
                    public void missProved(IdentifierKind kind) {
                        misses.incrementAndGet();
                    }
                });
        settings.accept(builder);
        AvailabilityChecker checker = builder.build();
        eventually(() -> checker.state(KIND) == KindState.READY);
        return checker;
    }

    private KindStats.Audit auditOf(AvailabilityChecker checker) {
        long before = checker.stats(KIND).audit().freeKeys();
        nanos.addAndGet(Duration.ofMinutes(2).toNanos());
        eventually(() -> checker.stats(KIND).audit().freeKeys() > before);
        return checker.stats(KIND).audit();
    }

    @Test
    void aPictureWithoutFaultHasNoFalseNegativesAndAsManyFalsePositivesAsDeclared() {
        for (int i = 0; i < 9_000; i++) {
            store.rows.add("name" + i);
        }
        try (AvailabilityChecker checker = ready(builder -> builder.auditRows(1_000))) {
            int readsBefore = store.reads.get();

            KindStats.Audit audit = auditOf(checker);

            assertThat(audit.rows()).isEqualTo(1_000);
            assertThat(audit.missing()).isZero();
            assertThat(audit.falseNegativeRate()).isZero();
            assertThat(audit.freeKeys()).isEqualTo(1_000_000);
            // 120 are declared of the million, and some 90 are to be expected; six standard deviations.
            assertThat(audit.falsePositives()).isBetween(30L, 186L);
            assertThat(audit.falsePositiveRate()).isEqualTo(audit.falsePositives() / 1e6);
            assertThat(store.reads.get() - readsBefore).isEqualTo((int) audit.falsePositives());
        }
    }

    @Test
    void aRowThatNoEventToldOfIsFoundAddedCountedAndRescanned() {
        store.rows.add("alice");
        try (AvailabilityChecker checker = ready(builder -> {})) {
            store.rows.add("bob"); // by another program

            KindStats.Audit audit = auditOf(checker);

            assertThat(audit.missing()).isEqualTo(1);
            assertThat(audit.falseNegativeRate()).isEqualTo(0.5);
            assertThat(checker.stats(KIND).missesProved()).isEqualTo(1);
            assertThat(misses).hasValue(1);
            assertThat(checker.checkInMemory(KIND, "bob").status()).isNotEqualTo(Verdict.Status.AVAILABLE);
            eventually(() -> checker.state(KIND) == KindState.READY);
        }
    }

    /** Its key is not in the store: the miss is proved by the very value that was read. */
    @Test
    void aForeignRowThatIsNotItsOwnKeyIsFoundToo() {
        store.rows.add("alice");
        try (AvailabilityChecker checker = ready(builder -> {})) {
            store.rows.add("Zedd"); // by another program

            assertThat(auditOf(checker).missing()).isEqualTo(1);
            assertThat(checker.checkInMemory(KIND, "Zedd").status()).isNotEqualTo(Verdict.Status.AVAILABLE);
            eventually(() -> checker.state(KIND) == KindState.READY);
        }
    }

    /** It knows no more than one, and the rows that came after it were not looked at. */
    @Test
    void anAuditEndsWithTheFirstRowThatIsMissing() {
        store.rows.add("alice");
        store.handedOut = List.of("alice", "bob", "carol", "dave");
        try (AvailabilityChecker checker = ready(builder -> {})) {
            store.rows.addAll(List.of("bob", "carol", "dave"));

            KindStats.Audit audit = auditOf(checker);

            assertThat(audit.rows()).isEqualTo(2);
            assertThat(audit.missing()).isEqualTo(1);
            eventually(() -> checker.state(KIND) == KindState.READY);
            assertThat(checker.checkInMemory(KIND, "dave").status()).isNotEqualTo(Verdict.Status.AVAILABLE);
        }
    }

    @Test
    void aRowDeletedSinceItWasSampledIsNoMiss() {
        store.rows.add("alice");
        store.handedOut = List.of("alice", "gone");
        try (AvailabilityChecker checker = ready(builder -> {})) {
            KindStats.Audit audit = auditOf(checker);

            assertThat(audit.rows()).isEqualTo(2);
            assertThat(audit.missing()).isZero();
            assertThat(checker.stats(KIND).missesProved()).isZero();
        }
    }

    @Test
    void aRowBeingRegisteredWhileItIsSampledIsNoMiss() {
        store.rows.add("alice");
        try (AvailabilityChecker checker = ready(builder -> {})) {
            Announcement[] open = new Announcement[1];
            store.beforeSample = () -> {
                open[0] = checker.registrations().announce(KIND, "bob");
                store.rows.add("bob");
            };

            KindStats.Audit audit = auditOf(checker);

            assertThat(audit.missing()).isZero();
            open[0].close();
            assertThat(checker.check(KIND, "bob").status()).isEqualTo(Verdict.Status.TAKEN);
        }
    }

    @Test
    void aFailingStoreEndsTheAuditAndNothingElse() {
        store.rows.add("alice");
        try (AvailabilityChecker checker = ready(builder -> {})) {
            AtomicInteger failures = new AtomicInteger();
            store.beforeSample = () -> {
                if (failures.getAndIncrement() == 0) {
                    throw new StoreException("told to fail");
                }
            };
            nanos.addAndGet(Duration.ofMinutes(2).toNanos());
            eventually(() -> failures.get() == 1);

            assertThat(auditOf(checker).rows()).isEqualTo(1);
            assertThat(checker.state(KIND)).isEqualTo(KindState.READY);
        }
    }
}
