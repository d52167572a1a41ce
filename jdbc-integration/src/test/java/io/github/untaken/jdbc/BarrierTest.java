package io.github.untaken.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.untaken.spi.RegisteredIdentifierStore.Barrier;
import io.github.untaken.spi.StoreException;
import io.github.untaken.testkit.Eventually;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Which transactions a scan waits for before it begins. */
@ParameterizedClass
@EnumSource
class BarrierTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final Duration AT_ONCE = Duration.ofMillis(20);
    private static final String INSERT_ALICE = "insert into TABLE (username) values ('alice')";
    private static final String INSERT_BOB = "insert into TABLE (username) values ('bob')";

    private final Engine engine;
    private final TestTable table;

    BarrierTest(Engine engine) {
        this.engine = engine;
        this.table = TestTable.on(engine, "varchar(20)");
    }

    @AfterEach
    void close() {
        table.close();
    }

    private Barrier barrier() {
        return (Barrier) table.store();
    }

    private void passesAtOnce() {
        barrier().awaitOpenTransactions(TIMEOUT);
    }

    private AbstractThrowableAssert<?, ?> staysClosed() {
        return assertThatThrownBy(() -> barrier().awaitOpenTransactions(AT_ONCE))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("still open");
    }

    private Connection begin(String... statements) throws SQLException {
        return beginAt(table.url(), statements);
    }

    private Connection beginAt(String url, String... statements) throws SQLException {
        Connection connection = DriverManager.getConnection(url);
        connection.setAutoCommit(false);
        for (String sql : statements) {
            connection.createStatement().execute(sql.replace("TABLE", table.name()));
        }
        return connection;
    }

    @Test
    void waitsForWhatWasWrittenBefore() throws SQLException {
        passesAtOnce();
        try (Connection writer = begin(INSERT_ALICE)) {
            staysClosed();
            writer.commit();
            passesAtOnce();
        }
    }

    @Test
    void waitsForEachOfSeveralInWhateverOrderTheyEnd() throws SQLException {
        try (Connection first = begin(INSERT_ALICE);
                Connection second = begin(INSERT_BOB)) {
            second.commit();
            staysClosed();
            first.rollback();
            passesAtOnce();
        }
        table.sql("delete from TABLE");
        try (Connection first = begin(INSERT_ALICE);
                Connection second = begin(INSERT_BOB)) {
            first.commit();
            staysClosed();
            second.rollback();
            passesAtOnce();
        }
    }

    @Test
    void waitsForWhatWasWrittenInsideASavepoint() throws SQLException {
        try (Connection writer = begin()) {
            writer.setSavepoint("here");
            writer.createStatement().execute(INSERT_ALICE.replace("TABLE", table.name()));
            staysClosed();
            writer.commit();
            passesAtOnce();
        }
    }

    @Test
    void waitsForNobodyWhoOnlyReads() throws SQLException {
        table.sql(INSERT_ALICE);
        try (Connection reader = begin()) {
            reader.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            reader.createStatement().execute("select username from " + table.name());
            passesAtOnce();
            reader.rollback();
        }
    }

    @Test
    void doesNotWaitForWhatIsWrittenLater() throws Exception {
        AtomicInteger looks = new AtomicInteger();
        IdleConnections pool = table.connections();
        Barrier store = (Barrier) table.store(new Connections() {
            @Override
            public Connection open() throws SQLException {
                looks.incrementAndGet();
                return pool.open();
            }

            @Override
            public void close(Connection connection) {
                pool.close(connection);
            }
        });
        try (Connection before = begin(INSERT_ALICE);
                Connection later = begin()) {
            CompletableFuture<Void> barrier =
                    CompletableFuture.runAsync(() -> store.awaitOpenTransactions(Duration.ofSeconds(30)));
            Eventually.holds("a second look", () -> looks.get() >= 2);
            later.createStatement().execute(INSERT_BOB.replace("TABLE", table.name()));
            assertThat(barrier).isNotDone();
            before.commit();
            barrier.get(20, TimeUnit.SECONDS);
            later.rollback();
        }
    }

    @Test
    void aBusyWriterThatKeepsCommittingLetsItPass() throws Exception {
        try (Connection writer = begin()) {
            CompletableFuture<Void> barrier = null;
            long deadline = System.nanoTime() + TIMEOUT.toNanos();
            for (int i = 0; barrier == null || !barrier.isDone(); i++) {
                assertThat(System.nanoTime()).isLessThan(deadline);
                table.insert(writer, "u" + i);
                if (barrier == null) {
                    Barrier store = barrier();
                    barrier = CompletableFuture.runAsync(() -> store.awaitOpenTransactions(TIMEOUT));
                }
                writer.commit();
            }
            barrier.get(20, TimeUnit.SECONDS);
        }
    }

    private void assumePostgres() {
        assumeTrue(engine == Engine.POSTGRESQL, "H2 does not tell what a session has written");
    }

    @Test
    void onPostgresSomebodysTransactionOnAnotherTableHoldsUpNothing() throws SQLException {
        assumePostgres();
        try (TestTable other = TestTable.on(engine, "varchar(20)");
                Connection writer = begin("insert into " + other.name() + " (username) values ('carol')");
                Connection reader =
                        begin("select * from TABLE", "insert into " + other.name() + " values (7, 'dave')")) {
            passesAtOnce();
            writer.rollback();
            reader.rollback();
        }
    }

    @Test
    void onPostgresADumpHoldsUpNothing() throws SQLException {
        assumePostgres();
        try (Connection dump = begin("lock table TABLE in access share mode", "select txid_current()")) {
            passesAtOnce();
            dump.rollback();
        }
    }

    @Test
    void onPostgresAnIdleWriterOfTheTableIsNamed() throws SQLException {
        assumePostgres();
        try (Connection writer = beginAt(table.url() + "&ApplicationName=nightly-import", INSERT_ALICE)) {
            int pid = writer.unwrap(org.postgresql.PGConnection.class).getBackendPID();
            staysClosed()
                    .hasMessageContaining("pid " + pid + " (nightly-import)")
                    .hasMessageContaining(table.name())
                    .hasMessageNotContaining("alice")
                    .hasMessageNotContaining("insert");
            writer.rollback();
        }
    }

    @Test
    void onPostgresAWriterOfAPartitionOrAChildIsWaitedFor() throws SQLException {
        assumePostgres();
        table.sql(
                "drop table TABLE",
                "create table TABLE (id bigint, username text) partition by range (id)",
                "create table TABLE_low partition of TABLE for values from (minvalue) to (100) partition by range (id)",
                "create table TABLE_lowest partition of TABLE_low for values from (minvalue) to (10)");
        try (Connection writer = begin("insert into TABLE_lowest values (1, 'alice')")) {
            staysClosed();
            writer.rollback();
            passesAtOnce();
        }
        table.sql(
                "drop table TABLE",
                "create table TABLE (id bigint, username text)",
                "create table TABLE_child () inherits (TABLE)");
        try (Connection writer = begin("insert into TABLE_child values (1, 'alice')")) {
            staysClosed();
            writer.rollback();
            passesAtOnce();
        }
    }

    @Test
    void onPostgresEverybodyWhoWritesIsWaitedForWhereTheTableIsAView() throws SQLException {
        assumePostgres();
        table.sql("alter table TABLE rename to people", "create view TABLE as select * from people");
        try (Connection writer = begin("insert into people (username) values ('alice')")) {
            staysClosed();
            writer.rollback();
            passesAtOnce();
        } finally {
            table.sql("drop view TABLE", "drop table people");
        }
    }

    @Test
    void onPostgresWaitsForAPreparedTransactionThoughItsConnectionIsGone() throws SQLException {
        assumePostgres();
        try (Connection writer = begin(INSERT_ALICE, "prepare transaction 'sign-up'")) {
            writer.commit();
        }
        try {
            staysClosed().hasMessageContaining("the prepared transaction 'sign-up'");
        } finally {
            table.sql("commit prepared 'sign-up'");
        }
        passesAtOnce();
    }

    @Test
    void onPostgresATransactionThatIsPreparedMeanwhileIsStillWaitedFor() throws Exception {
        assumePostgres();
        try (Connection writer = begin(INSERT_ALICE)) {
            Barrier store = barrier();
            CompletableFuture<Void> barrier = CompletableFuture.runAsync(() -> store.awaitOpenTransactions(AT_ONCE));
            writer.createStatement().execute("prepare transaction 'meanwhile'");
            writer.commit();
            assertThatThrownBy(() -> barrier.get(20, TimeUnit.SECONDS)).hasCauseInstanceOf(StoreException.class);
        } finally {
            table.sql("rollback prepared 'meanwhile'");
        }
    }

    @Test
    void onPostgresNoPrivilegeIsNeededToBeWaitedFor() throws SQLException {
        assumePostgres();
        table.sql("drop role if exists limited", "create role limited login", "grant select on TABLE to limited");
        try (IdleConnections limited = new IdleConnections(table.url().replace("user=postgres", "user=limited"));
                Connection writer = begin(INSERT_ALICE)) {
            Barrier barrier = (Barrier) table.store(limited);
            assertThatThrownBy(() -> barrier.awaitOpenTransactions(AT_ONCE))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("still open");
            writer.commit();
            barrier.awaitOpenTransactions(TIMEOUT);
        } finally {
            table.sql("drop owned by limited", "drop role limited");
        }
    }

    @Test
    void onPostgresDoesNotWaitForAnotherDatabaseOfTheServer() throws SQLException {
        assumePostgres();
        table.sql("create database elsewhere");
        String elsewhere = table.url().replace("/postgres?", "/elsewhere?");
        try (Connection writer = beginAt(elsewhere, "create table TABLE (id bigint, username text)")) {
            passesAtOnce();
            writer.rollback();
        } finally {
            table.sql("drop database elsewhere with (force)");
        }
    }

    @Test
    void onH2AUserWhoSeesNoOtherSessionsWaitsForNothing() throws SQLException {
        assumeTrue(engine == Engine.H2, "PostgreSQL tells everybody");
        table.sql("create user limited password 'x'", "grant select, insert on TABLE to limited");
        String url = table.url()
                .replace("USER=sa;PASSWORD=", "USER=limited;PASSWORD=x")
                .replace(";DB_CLOSE_DELAY=-1", "");
        try (IdleConnections limited = new IdleConnections(url);
                Connection writer = begin(INSERT_ALICE)) {
            ((Barrier) table.store(limited)).awaitOpenTransactions(AT_ONCE);
            writer.rollback();
        }
    }
}
