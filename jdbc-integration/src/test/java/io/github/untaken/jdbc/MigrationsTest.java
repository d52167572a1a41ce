package io.github.untaken.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.CheckListener;
import io.github.untaken.IdentifierKind;
import io.github.untaken.KindState;
import io.github.untaken.Verdict.Status;
import io.github.untaken.normalize.UsernameNormalizer;
import io.github.untaken.test.database.Engine;
import io.github.untaken.testkit.Eventually;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Fifty definitions of data, one after another as a migration sends them, cost one scan. */
@ParameterizedClass
@EnumSource
class MigrationsTest {
    private static final IdentifierKind USERNAME = IdentifierKind.USERNAME;

    /** After this long a scan may take them for over. */
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(900);

    private final TestTable table;
    private final JdbcIdentifiers identifiers;
    private final DataSource application;
    private final AtomicInteger scans = new AtomicInteger();
    private int pauses;

    MigrationsTest(Engine engine) {
        this.table = TestTable.on(engine, "varchar(40)");
        table.sql("insert into TABLE (username) values ('alice')");
        this.identifiers = JdbcIdentifiers.table(table.dataSource(), table.name(), "username");
        this.application = WatchedDataSource.of(table.dataSource(), identifiers);
    }

    @AfterEach
    void close() {
        table.close();
    }

    private AvailabilityChecker checker() {
        return AvailabilityChecker.builder()
                .source(identifiers)
                .normalizer(USERNAME, UsernameNormalizer.builder().build())
                .recheckTimeout(Duration.ofMinutes(1))
                .catalogInterval(Duration.ofMillis(100))
                .singleWriter(false)
                .listener(new CheckListener() {
                    @Override
                    public void rebuilt(IdentifierKind kind, long rows, long nanos) {
                        scans.incrementAndGet();
                    }
                })
                .build();
    }

    /** A scan is told of shortly after it has made the kind ready. */
    private void awaitScan(AvailabilityChecker checker, int least) {
        Eventually.holds("scanned", () -> scans.get() >= least && checker.state(USERNAME) == KindState.READY);
    }

    private void awaitFromMemory(AvailabilityChecker checker) {
        Eventually.holds(
                "a look after the last",
                () -> checker.checkInMemory(USERNAME, "unclaimed").status() == Status.AVAILABLE);
    }

    /** Counts how often the machine stood still meanwhile. */
    private void migrate(DataSource through) throws SQLException {
        try (Connection connection = through.getConnection();
                Statement statement = connection.createStatement()) {
            long last = System.nanoTime();
            for (int i = 1; i <= 50; i++) {
                statement.execute("alter table " + table.name() + " add column c" + i + " varchar(9)");
                long now = System.nanoTime();
                if (now - last > PAUSE_NANOS) {
                    pauses++;
                }
                last = now;
            }
        }
    }

    private void costsOneScan(AvailabilityChecker checker, DataSource through) throws SQLException {
        awaitScan(checker, 1);
        assertThat(scans).hasValue(1);
        migrate(through);
        awaitScan(checker, 2);
        awaitFromMemory(checker);
        assertThat(scans.get()).isBetween(2, 2 + pauses);
        assertThat(checker.check(USERNAME, "alice").status()).isEqualTo(Status.TAKEN);
    }

    @Test
    void beforeTheCheckerIsBuiltTheyCostNone() throws SQLException {
        migrate(application);
        try (AvailabilityChecker checker = checker()) {
            awaitScan(checker, 1);
            awaitFromMemory(checker);
            assertThat(scans).hasValue(1);
        }
    }

    @Test
    void whileItStartsTheyCostOneMore() throws SQLException {
        try (AvailabilityChecker checker = checker()) {
            migrate(application);
            awaitScan(checker, 1);
            awaitFromMemory(checker);
            assertThat(scans.get()).isBetween(1, 2 + pauses);
            assertThat(checker.check(USERNAME, "alice").status()).isEqualTo(Status.TAKEN);
        }
    }

    @Test
    void ofTheApplicationItselfBesideAServingCheckerTheyCostOne() throws SQLException {
        try (AvailabilityChecker checker = checker()) {
            costsOneScan(checker, application);
        }
    }

    @Test
    void ofAnotherProgramBesideAServingCheckerTheyCostOne() throws SQLException {
        try (AvailabilityChecker checker = checker()) {
            costsOneScan(checker, table.dataSource());
        }
    }
}
