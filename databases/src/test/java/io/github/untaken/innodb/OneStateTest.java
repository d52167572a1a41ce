package io.github.untaken.innodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.untaken.IdentifierKind;
import io.github.untaken.jdbc.BeforeStatement;
import io.github.untaken.jdbc.IdentifierTable;
import io.github.untaken.jdbc.JdbcIdentifiers;
import io.github.untaken.jdbc.connection.Connections;
import io.github.untaken.spi.RegisteredIdentifierStore;
import io.github.untaken.spi.RegisteredIdentifierStore.Snapshot;
import io.github.untaken.spi.RegisteredIdentifierStore.Together;
import io.github.untaken.spi.StoreException;
import io.github.untaken.test.calls.StandIn;
import io.github.untaken.testkit.Eventually;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A scan is one state of its tables, whatever is done to them before its first row or while it reads. */
@ParameterizedClass
@EnumSource
class OneStateTest {
    /** More than the server sends before somebody takes it. */
    private static final int ROWS = 400_000;

    private final Driver driver;
    private final Table table;

    OneStateTest(Driver driver) {
        this.driver = driver;
        this.table = new Table(driver, "varchar(80)");
    }

    @AfterEach
    void close() {
        table.sql(
                "drop table if exists TABLE_more", "drop table if exists TABLE_new", "drop table if exists TABLE_old");
        table.close();
    }

    private void fill() {
        table.sql("insert into TABLE (username) select concat('a name of some length for user', seq) from seq_1_to_"
                + ROWS);
    }

    private static String name(int number) {
        return "a name of some length for user" + number;
    }

    private static Consumer<String> meanwhile(List<String> values, Runnable work) {
        return value -> {
            if (values.isEmpty()) {
                work.run();
            }
            values.add(value);
        };
    }

    private static List<String> scanned(RegisteredIdentifierStore store) {
        List<String> values = new ArrayList<>();
        store.scan(values::add);
        return values;
    }

    private void inTransaction(String... statements) {
        try (Connection connection = driver.connection();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            for (String sql : statements) {
                statement.execute(sql.replace("TABLE", table.name()));
            }
            connection.commit();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aRowThatMovesBehindTheScanIsNotOverlooked() {
        fill();
        List<String> values = new ArrayList<>();
        table.store()
                .scan(meanwhile(
                        values,
                        () -> inTransaction(
                                "delete from TABLE where username = '" + name(390_000) + "'",
                                "insert into TABLE (id, username) values (-1, '" + name(390_000) + "')",
                                "update TABLE set id = -2 where username = '" + name(390_001) + "'")));
        assertThat(values).hasSize(ROWS).contains(name(390_000), name(390_001));
    }

    @Test
    void aNameThatGoesFromTheSecondTableToTheFirstIsInOneOfThem() {
        table.sql(
                "insert into TABLE (username) values ('alice')",
                "create table TABLE_more like TABLE",
                "insert into TABLE_more (username) values ('bob')");
        List<Together> stores = JdbcIdentifiers.of(
                        driver.dataSource(),
                        IdentifierTable.of(table.name(), "username"),
                        IdentifierTable.of(table.name() + "_more", "username"))
                .stores()
                .get(IdentifierKind.USERNAME)
                .stream()
                .map(Together.class::cast)
                .toList();
        List<String> values = new ArrayList<>();
        try (Snapshot snapshot = stores.get(0).snapshot(stores, 2)) {
            snapshot.parts()
                    .forEach(part -> part.scan(meanwhile(
                            values,
                            () -> inTransaction(
                                    "delete from TABLE_more where username = 'bob'",
                                    "insert into TABLE (username) values ('bob')"))));
            snapshot.confirm();
        }
        assertThat(values).containsExactlyInAnyOrder("alice", "bob");
    }

    private DataSource before(String pattern, Runnable work) {
        BeforeStatement connections = new BeforeStatement(
                new Connections() {
                    @Override
                    public Connection open() throws SQLException {
                        return driver.connection();
                    }

                    @Override
                    public void close(Connection connection) throws SQLException {
                        connection.close();
                    }
                },
                pattern,
                work);
        return StandIn.of(DataSource.class, (method, arguments) -> connections.open());
    }

    private void swap() {
        table.sql(
                "create table TABLE_new like TABLE",
                "rename table TABLE to TABLE_old, TABLE_new to TABLE",
                "insert into TABLE (username) values ('after')");
    }

    /** A snapshot that was taken before would show the new table as empty. */
    @Test
    void aTableThatTakesTheNameBeforeTheLockIsReadWithAllItsRows() {
        table.sql("insert into TABLE (username) values ('before')");
        RegisteredIdentifierStore store = table.store(before("start transaction", this::swap));
        List<String> values = new ArrayList<>();
        try {
            store.scan(values::add);
            assertThat(values).containsExactly("after");
        } catch (StoreException e) {
            assertThat(e).hasMessageContaining("changed while it was scanned");
        }
        assertThat(scanned(store)).containsExactly("after");
    }

    /** The lock is held by then: the renaming waits, and the scan gives way or is over before. */
    @Test
    void aTableThatWouldTakeTheNameAfterTheLockWaits() {
        table.sql("insert into TABLE (username) values ('before')");
        List<CompletableFuture<Void>> swapping = new ArrayList<>();
        RegisteredIdentifierStore store = table.store(before("^select `username` from \\S+$", () -> {
            swapping.add(CompletableFuture.runAsync(this::swap));
            Eventually.holds("it waits", this::somebodyWaits);
        }));
        List<String> values = new ArrayList<>();
        try {
            store.scan(values::add);
            assertThat(values).containsExactly("before");
        } catch (StoreException e) {
            assertThat(e).hasMessageMatching(".*(gave way|changed while it was scanned).*");
        }
        swapping.get(0).join();
        assertThat(scanned(store)).containsExactly("after");
    }

    private boolean somebodyWaits() {
        return !table.query("select id from information_schema.processlist"
                        + " where state = 'Waiting for table metadata lock' and info like '%TABLE%'")
                .isEmpty();
    }

    @Test
    void aMigrationThatWaitsGetsItsLockSoonAndTheScanFails() {
        for (String definition :
                List.of("truncate table TABLE", "alter table TABLE add city varchar(9), algorithm=copy")) {
            table.sql("truncate table TABLE");
            fill();
            List<CompletableFuture<Long>> migration = new ArrayList<>();
            long[] waitedSince = new long[1];
            assertThatThrownBy(() -> table.store().scan(meanwhile(new ArrayList<>(), () -> {
                        if (migration.isEmpty()) {
                            migration.add(CompletableFuture.supplyAsync(() -> {
                                table.sql(definition);
                                return System.nanoTime();
                            }));
                            Eventually.holds("it waits", this::somebodyWaits);
                            table.query("select sleep(0.1)"); // so that the next look is due
                            waitedSince[0] = System.nanoTime();
                        }
                    })))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("gave way to a statement");
            Duration waited = Duration.ofNanos(migration.get(0).join() - waitedSince[0]);
            System.out.println(
                    driver + ", " + definition + ": over " + waited.toMillis() + " ms after it was seen to wait");
            assertThat(waited).isLessThan(Duration.ofSeconds(10));
        }
    }

    @Test
    void whoMayNotSeeOthersScansAllTheSame() {
        fill();
        RegisteredIdentifierStore poor = table.store(Driver.dataSource(driver.url("poor"), connection -> {}));
        assertThat(scanned(poor)).hasSize(ROWS);
    }

    @Test
    void aDefinitionThatIsUnderWayIsNotWaitedFor() throws SQLException {
        RegisteredIdentifierStore store = table.store();
        try (Connection migrating = driver.connection();
                Statement statement = migrating.createStatement()) {
            statement.execute("lock tables " + table.name() + " write");
            assertThatThrownBy(() -> scanned(store))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("is being redefined");
            statement.execute("unlock tables");
        }
        assertThat(scanned(store)).isEmpty();
    }

    @Test
    void aLimitThatWasLeftInTheSessionEndsNoScan() {
        fill();
        DataSource limited = StandIn.of(DataSource.class, (method, arguments) -> {
            Connection connection = driver.connection();
            connection.createStatement().execute("set sql_select_limit = 1000");
            return connection;
        });
        RegisteredIdentifierStore store = JdbcIdentifiers.table(limited, table.name(), "username")
                .stores()
                .get(IdentifierKind.USERNAME)
                .get(0);
        assertThat(scanned(store)).hasSize(ROWS);
    }

    @Test
    void theTimeOutsOfTheSessionAreLiftedForTheScanAlone() throws SQLException {
        fill();
        String limit =
                Product.UNDER_TEST == Product.MYSQL ? "max_execution_time = 200" : "max_statement_time = 0.200000";
        String settings = "select concat('" + limit.substring(0, limit.indexOf('=') + 2) + "', @@"
                + limit.substring(0, limit.indexOf(' '))
                + "), @@net_write_timeout, @@lock_wait_timeout, @@transaction_isolation, @@autocommit";
        String set = "set session " + limit
                + ", net_write_timeout = 1, lock_wait_timeout = 7, transaction_isolation = 'SERIALIZABLE'";
        List<Connection> lent = new ArrayList<>();
        RegisteredIdentifierStore store = table.store(Driver.dataSource(driver.url("untaken"), connection -> {
            lent.add(connection);
            try (Statement statement = connection.createStatement()) {
                statement.execute(set);
            }
        }));
        List<String> values = new ArrayList<>();
        store.scan(meanwhile(values, () -> table.query("select sleep(1.5)")));
        assertThat(values).hasSize(ROWS);
        for (Connection connection : lent) {
            try (Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery(settings)) {
                row.next();
                assertThat(row.getString(1)).isEqualTo(limit);
                assertThat(row.getInt(2)).isEqualTo(1);
                assertThat(row.getInt(3)).isEqualTo(7);
                assertThat(row.getString(4)).isEqualTo("SERIALIZABLE");
                assertThat(row.getInt(5)).isEqualTo(1);
            }
        }
    }
}
