package io.github.untaken.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.github.untaken.AvailabilityChecker;
import io.github.untaken.CheckListener;
import io.github.untaken.IdentifierKind;
import io.github.untaken.KindState;
import io.github.untaken.Verdict.Status;
import io.github.untaken.jdbc.FaultyLooks.Fault;
import io.github.untaken.normalize.UsernameNormalizer;
import io.github.untaken.test.database.Engine;
import io.github.untaken.testkit.Eventually;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What the application's statements cost while looks at the catalog fail, beside the same in turns with looks that do not, and how soon memory
 * answers again. Prints figures; the bounds are far from them.
 */
@Tag("nightly")
class CatalogFiguresTest {
    private static final IdentifierKind USERNAME = IdentifierKind.USERNAME;
    private static final int ROUNDS = 15;
    private static final int TRANSACTIONS = 60;

    private final FaultyLooks looks = new FaultyLooks();
    private final AtomicInteger scans = new AtomicInteger();
    private final AtomicLong scanNanos = new AtomicLong();
    private TestTable table;
    private HikariDataSource pool;
    private DataSource application;
    private AvailabilityChecker checker;
    private int number;

    private void start(Engine engine, int rows, Duration interval) {
        table = TestTable.on(engine, "varchar(40)");
        table.sql(
                "alter table TABLE add city varchar(40)",
                "insert into TABLE (username) select 'user' || x from " + engine.numbers(rows));
        HikariConfig config = new HikariConfig();
        config.setDataSource(looks.over(table.dataSource()));
        config.setMaximumPoolSize(8);
        pool = new HikariDataSource(config);
        JdbcIdentifiers identifiers = JdbcIdentifiers.table(pool, table.name(), "username");
        application = WatchedDataSource.of(pool, identifiers);
        checker = AvailabilityChecker.builder()
                .source(identifiers)
                .normalizer(USERNAME, UsernameNormalizer.builder().build())
                .recheckTimeout(Duration.ofMinutes(1))
                .catalogInterval(interval)
                .singleWriter(false)
                .listener(new CheckListener() {
                    @Override
                    public void rebuilt(IdentifierKind kind, long read, long nanos) {
                        scanNanos.set(nanos);
                        scans.incrementAndGet();
                    }
                })
                .build();
        Eventually.holds("ready", () -> checker.state(USERNAME) == KindState.READY && scans.get() == 1);
    }

    @AfterEach
    void close() {
        looks.heal();
        checker.close();
        pool.close();
        table.close();
    }

    private boolean isFromMemory() {
        return checker.checkInMemory(USERNAME, "unclaimed").status() == Status.AVAILABLE;
    }

    /** Nanoseconds of each statement of some transactions. */
    private long[] work() throws SQLException {
        long[] nanos = new long[3 * TRANSACTIONS];
        int at = 0;
        try (Connection connection = application.getConnection();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            for (int i = 0; i < TRANSACTIONS; i++) {
                String name = "member" + ++number;
                for (String sql : new String[] {
                    "update TABLE set city = 'Rome' where username = 'user1'",
                    "insert into TABLE (username) values ('" + name + "')",
                    "update TABLE set username = '" + name + "x' where username = '" + name + "'"
                }) {
                    String text = sql.replace("TABLE", table.name());
                    long began = System.nanoTime();
                    statement.execute(text);
                    nanos[at++] = System.nanoTime() - began;
                }
                connection.commit();
            }
        }
        Arrays.sort(nanos);
        return nanos;
    }

    private static String spread(double[] ratios) {
        Arrays.sort(ratios);
        int last = ratios.length - 1;
        return String.format("%.2f (%.2f to %.2f)", ratios[last / 2], ratios[last / 4], ratios[last * 3 / 4]);
    }

    private void compare(Engine engine, Fault fault) throws SQLException {
        double[] medians = new double[ROUNDS];
        double[] slowest = new double[ROUNDS];
        for (int round = -2; round < ROUNDS; round++) {
            looks.heal();
            Eventually.holds("from memory", this::isFromMemory);
            long[] well = work();
            looks.befall(fault);
            Eventually.holds("the lease is out", () -> !isFromMemory());
            long[] ill = work();
            if (round >= 0) {
                medians[round] = (double) ill[ill.length / 2] / well[well.length / 2];
                slowest[round] = (double) ill[ill.length * 95 / 100] / well[well.length * 95 / 100];
            }
        }
        looks.heal();
        System.out.printf(
                "%s, %s: a statement takes %s times as long, in the slowest twentieth %s%n",
                engine, fault, spread(medians), spread(slowest));
        assertThat(medians[ROUNDS / 2]).isLessThan(3);
    }

    @ParameterizedTest
    @EnumSource
    void theApplicationsStatementsBesideLooksThatFail(Engine engine) throws SQLException {
        start(engine, 1000, Duration.ofMillis(100));
        for (Fault fault : Fault.values()) {
            if (fault != Fault.NONE) {
                compare(engine, fault);
            }
        }
        assertThat(scans).hasValue(1);
    }

    /** With the interval that is the default. */
    @ParameterizedTest
    @EnumSource(names = "POSTGRESQL")
    void howSoonALookHealsAMillionNames(Engine engine) {
        start(engine, 1_000_000, Duration.ofSeconds(2));
        for (Fault fault : new Fault[] {Fault.LOST, Fault.HANGS, Fault.REFUSED}) {
            for (int i = 0; i < 5; i++) {
                Eventually.holds("from memory", this::isFromMemory);
                looks.befall(fault);
                Eventually.holds("the lease is out", () -> !isFromMemory());
                long healed = System.nanoTime();
                looks.heal();
                Eventually.holds("from memory again", this::isFromMemory);
                System.out.printf(
                        "%s: from memory again after %d ms%n",
                        fault, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - healed));
            }
        }
        System.out.printf("the one scan took %d ms%n", TimeUnit.NANOSECONDS.toMillis(scanNanos.get()));
        assertThat(scans).hasValue(1);
    }
}
