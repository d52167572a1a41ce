package io.github.untaken;

import static io.github.untaken.CheckerFixture.KIND;
import static io.github.untaken.CheckerFixture.LOWER_CASE;
import static io.github.untaken.CheckerFixture.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.Verdict.DecidedBy;
import io.github.untaken.Verdict.Status;
import io.github.untaken.normalize.UsernameNormalizer;
import io.github.untaken.spi.IdentifierNormalizer;
import io.github.untaken.spi.RegisteredIdentifierStore.Counted;
import io.github.untaken.spi.RegisteredIdentifierStore.Sampled;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Rows that hold a name and do not count, as deleted ones that stay in the table. Of their changes nobody is told. */
class UncountedRowsTest {

    private static final class MarkedRows extends RowsStore implements Sampled, Counted {
        private final Set<String> deleted = new ConcurrentSkipListSet<>();
        private final AtomicInteger scans = new AtomicInteger();

        @Override
        public Presence exists(String text, Duration timeout) {
            return !rows.contains(text)
                    ? Presence.ABSENT
                    : deleted.contains(text) ? Presence.UNCOUNTED : Presence.COUNTED;
        }

        @Override
        public void scan(Consumer<String> values) {
            scans.incrementAndGet();
            super.scan(values);
        }

        @Override
        public long count() {
            return rows.size();
        }

        @Override
        public List<String> sample(int count) {
            return rows.stream().limit(count).toList();
        }
    }

    private final MarkedRows store = new MarkedRows();
    private final AtomicLong nanos = new AtomicLong();

    private AvailabilityChecker ready(IdentifierKind kind, IdentifierNormalizer normalizer) {
        AvailabilityChecker checker = AvailabilityChecker.builder()
                .singleWriter(false)
                .store(kind, store)
                .normalizer(kind, normalizer)
                .recheckTimeout(Duration.ofSeconds(20))
                .rescanInterval(Duration.ofDays(300))
                .ticker(nanos::get)
                .tick(CheckerFixture.TICK)
                .build();
        eventually(() -> checker.state(kind) == KindState.READY);
        return checker;
    }

    private static Verdict assertStatus(AvailabilityChecker checker, String name, Status status) {
        Verdict verdict = checker.check(KIND, name);
        assertThat(verdict.status()).as(name).isEqualTo(status);
        assertThat(checker.state(KIND)).isEqualTo(KindState.READY);
        return verdict;
    }

    @Test
    void aNameThatOnlyADeletedRowHoldsIsFreeUntilSomebodyRevivesIt() {
        store.rows.addAll(List.of("alice", "bob", "carol"));
        store.deleted.add("bob");
        try (AvailabilityChecker checker = ready(KIND, LOWER_CASE)) {
            for (int i = 0; i < 3; i++) {
                Verdict free = assertStatus(checker, "bob", Status.AVAILABLE);
                assertThat(free.decidedBy()).as("never remembered").isEqualTo(DecidedBy.STORE);
            }
            assertStatus(checker, "alice", Status.TAKEN);
            store.deleted.remove("bob");
            assertStatus(checker, "bob", Status.TAKEN);
            store.deleted.add("alice");
            assertStatus(checker, "alice", Status.AVAILABLE);
            store.rows.remove("carol");
            assertThat(assertStatus(checker, "carol", Status.AVAILABLE).decidedBy())
                    .isEqualTo(DecidedBy.STORE);
            assertThat(assertStatus(checker, "carol", Status.AVAILABLE).decidedBy())
                    .as("absence is")
                    .isEqualTo(DecidedBy.WHITELIST);
        }
    }

    @Test
    void manyAtOnceAreAnsweredAsEachAlone() {
        store.rows.addAll(List.of("alice", "bob"));
        store.deleted.add("bob");
        try (AvailabilityChecker checker = ready(KIND, LOWER_CASE)) {
            for (int i = 0; i < 2; i++) {
                assertThat(checker.checkAll(KIND, List.of("bob", "alice", "nobody", "Bob", "Alice")).stream()
                                .map(Verdict::status))
                        .containsExactly(
                                Status.AVAILABLE, Status.TAKEN, Status.AVAILABLE, Status.AVAILABLE, Status.TAKEN);
            }
            store.deleted.clear();
            assertThat(checker.checkAll(KIND, List.of("bob", "Bob")).stream().map(Verdict::status))
                    .containsOnly(Status.TAKEN);
        }
    }

    @Test
    void aDeletedNameIsNoVariantOfItself() {
        IdentifierKind username = IdentifierKind.USERNAME;
        store.rows.addAll(List.of("Alice77", "Bobby77"));
        store.deleted.add("Alice77");
        try (AvailabilityChecker checker =
                ready(username, UsernameNormalizer.builder().build())) {
            assertThat(checker.check(username, "Alice77").status()).isEqualTo(Status.AVAILABLE);
            assertThat(checker.checkAll(username, List.of("Alice77"))).allMatch(Verdict::available);
            assertThat(checker.check(username, "bobby77").reason()).contains("variant");
            store.deleted.clear();
            assertThat(checker.check(username, "Alice77").status()).isEqualTo(Status.TAKEN);
        }
    }

    @Test
    void deletedRowsAreNoFalseAlarmsAndNoMisses() {
        for (int i = 0; i < 1_500; i++) {
            store.rows.add("name" + i);
        }
        store.deleted.addAll(store.rows);
        try (AvailabilityChecker checker = ready(KIND, LOWER_CASE)) {
            checkAll(checker);
            nanos.addAndGet(Duration.ofMinutes(30).toNanos());
            eventually(() -> checker.stats(KIND).audit().rows() > 0);
            KindStats.Audit audit = checker.stats(KIND).audit();
            assertThat(audit.missing()).isZero();
            assertThat(store.scans).as("another scan would find them again").hasValue(1);

            store.rows.clear();
            checkAll(checker);
            nanos.addAndGet(Duration.ofMinutes(30).toNanos());
            eventually(() -> store.scans.get() == 2);
        }
    }

    private void checkAll(AvailabilityChecker checker) {
        for (int i = 0; i < 1_500; i++) {
            assertThat(checker.check(KIND, "name" + i).status()).isEqualTo(Status.AVAILABLE);
        }
    }

    @Test
    void aRowThatAWatchedRequestHasInsertedIsKnownThoughItDoesNotCountYet() {
        try (AvailabilityChecker checker = ready(KIND, LOWER_CASE)) {
            Announcement request = checker.registrations().watch(KIND, "alice");
            store.deleted.add("alice"); // such as a name that is not confirmed yet
            store.rows.add("alice");
            request.close();
            eventually(() -> checker.checkInMemory(KIND, "alice").status() == Status.UNKNOWN);
            assertStatus(checker, "alice", Status.AVAILABLE);
            store.deleted.clear();
            assertStatus(checker, "alice", Status.TAKEN);
        }
    }
}
