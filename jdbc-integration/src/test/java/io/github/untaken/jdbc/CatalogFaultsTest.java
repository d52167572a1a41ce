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
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whatever befalls the looks at the catalog, the application's own statements are as ever, and a good look heals it without a scan. */
@ParameterizedClass
@EnumSource
class CatalogFaultsTest {
    private static final IdentifierKind USERNAME = IdentifierKind.USERNAME;

    private final Engine engine;
    private final TestTable table;
    private final HikariDataSource pool;
    private final AvailabilityChecker checker;
    private final DataSource application;
    private final AtomicInteger scans = new AtomicInteger();
    private final FaultyLooks looks = new FaultyLooks();

    CatalogFaultsTest(Engine engine) {
        this.engine = engine;
        this.table = TestTable.on(engine, "varchar(40)");
        table.sql("alter table TABLE add city varchar(40)", "insert into TABLE (username) values ('alice')");
        HikariConfig config = new HikariConfig();
        config.setDataSource(looks.over(table.dataSource()));
        config.setConnectionTimeout(10_000);
        config.setMaximumPoolSize(6);
        this.pool = new HikariDataSource(config);
        JdbcIdentifiers identifiers = JdbcIdentifiers.table(pool, table.name(), "username");
        this.application = WatchedDataSource.of(pool, identifiers);
        this.checker = AvailabilityChecker.builder()
                .source(identifiers)
                .normalizer(USERNAME, UsernameNormalizer.builder().build())
                .recheckTimeout(Duration.ofMinutes(1))
                .catalogInterval(Duration.ofMillis(100))
                .singleWriter(false) // a lost mark costs a scan: another may have written meanwhile
                .listener(new CheckListener() {
                    @Override
                    public void rebuilt(IdentifierKind kind, long rows, long nanos) {
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

    /** What an application does, in each of its ways. */
    private void work(int number) throws SQLException {
        try (Connection connection = application.getConnection();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            String set = engine == Engine.H2 ? "set @a = 1" : "set local lock_timeout = 3000";
            for (String sql : List.of(
                    set,
                    "update TABLE set city = 'Rome' where username = 'alice'",
                    "insert into TABLE (username) values ('bob" + number + "')",
                    "update TABLE set username = 'carol" + number + "' where username = 'bob" + number + "'")) {
                statement.execute(sql.replace("TABLE", table.name()));
            }
            connection.commit();
            connection.setAutoCommit(true);
            statement.execute("insert into TABLE (city) values ('Paris')".replace("TABLE", table.name()));
        }
    }

    @Tag("ci")
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void theApplicationsStatementsAreAsEverAndAGoodLookHeals(Fault each) throws SQLException {
        work(0);
        Eventually.holds("from memory", this::isFromMemory);
        looks.befall(each);
        Eventually.holds("the lease is out", () -> !isFromMemory());
        for (int i = 1; i <= 20; i++) {
            work(i);
            assertThat(checker.check(USERNAME, "carol" + i).status()).isEqualTo(Status.TAKEN);
        }
        assertThat(checker.check(USERNAME, "unclaimed").status()).isEqualTo(Status.AVAILABLE);
        assertThat(checker.state(USERNAME)).isEqualTo(KindState.READY);
        looks.befall(Fault.NONE); // what hangs goes on hanging
        Eventually.holds("from memory again", this::isFromMemory);
        assertThat(checker.check(USERNAME, "carol7").status()).isEqualTo(Status.TAKEN);
        assertThat(scans).hasValue(1);
    }

    /** They are given back to the pool that the application has, or ended. */
    @Test
    void looksTakeNoMoreThanTheirConnectionOfThePool() throws SQLException {
        for (Fault each : List.of(Fault.NO_RIGHTS, Fault.LOST, Fault.NONE)) {
            looks.befall(each);
            Eventually.holds("as expected", () -> isFromMemory() == (each == Fault.NONE));
        }
        checker.close();
        Eventually.holds("all are back", () -> pool.getHikariPoolMXBean().getActiveConnections() == 0);
    }

    @Test
    void aDatabaseThatWasAwayIsBelievedAgainWithoutAScan() {
        if (engine == Engine.H2) {
            return; // which is part of this process
        }
        for (int i = 0; i < 3; i++) {
            Eventually.holds("from memory", this::isFromMemory);
            looks.befall(Fault.REFUSED); // or the moment may be too short
            table.sql("select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()"
                    + " and pid <> pg_backend_pid() and backend_type = 'client backend'");
            Eventually.holds("the lease is out", () -> !isFromMemory());
            looks.befall(Fault.NONE);
        }
        Eventually.holds("from memory", this::isFromMemory);
        assertThat(scans).hasValue(1);
    }
}
