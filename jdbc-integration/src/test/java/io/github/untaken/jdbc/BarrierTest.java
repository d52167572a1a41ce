package io.github.untaken.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.untaken.jdbc.connection.Connections;
import io.github.untaken.spi.RegisteredIdentifierStore.Barrier;
import io.github.untaken.spi.StoreException;
import io.github.untaken.test.database.Engine;
import io.github.untaken.test.log.LoggedLines;
import io.github.untaken.testkit.Eventually;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

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
        assertThat(barrier().awaitOpenTransactions(TIMEOUT)).as("proved").isTrue();
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
        try (Connection before = begin(INSERT_ALICE);
                Connection later = begin()) {
            CompletableFuture<Boolean> barrier = lookedTwice();
            later.createStatement().execute(INSERT_BOB.replace("TABLE", table.name()));
            assertThat(barrier).isNotDone();
            before.commit();
            assertThat(barrier.get(20, TimeUnit.SECONDS)).isTrue();
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

    /** Nothing of the one who waits is in the table yet, and it may be there before anybody has looked again. */
    @Test
    void waitsForWhoAwaitsARow() throws Exception {
        table.sql(INSERT_BOB);
        try (Connection waiting = begin();
                Connection owner = begin("select username from TABLE for update")) {
            CompletableFuture<Void> update = run(waiting, "update TABLE set username = 'alice' where username = 'bob'");
            awaitAWaiter();
            CompletableFuture<Boolean> barrier = lookedTwice();
            owner.rollback();
            update.get(20, TimeUnit.SECONDS);
            staysClosed();
            assertThat(barrier).isNotDone();
            waiting.commit();
            assertThat(barrier.get(20, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void waitsForWhoAwaitsAKey() throws Exception {
        try (Connection waiting = begin();
                Connection owner = begin(INSERT_ALICE)) {
            CompletableFuture<Void> insert = run(waiting, INSERT_ALICE);
            awaitAWaiter();
            CompletableFuture<Boolean> barrier = lookedTwice();
            owner.rollback();
            insert.get(20, TimeUnit.SECONDS);
            staysClosed();
            assertThat(barrier).isNotDone();
            waiting.commit();
            assertThat(barrier.get(20, TimeUnit.SECONDS)).isTrue();
        }
    }

    /** It has no number yet and no lock, as a statement has whose client is gone. */
    @Test
    void onPostgresWhoAwaitsTheTableIsWaitedForAndNamed() throws Exception {
        assumePostgres();
        try (Connection waiting = beginAt(table.url() + "&ApplicationName=sign-up");
                Connection owner = begin("lock table TABLE in share mode")) {
            CompletableFuture<Void> insert = run(waiting, INSERT_ALICE);
            awaitAWaiter();
            staysClosed().hasMessageContaining("(sign-up)");
            CompletableFuture<Boolean> barrier = lookedTwice();
            owner.rollback();
            insert.get(20, TimeUnit.SECONDS);
            staysClosed();
            assertThat(barrier).isNotDone();
            waiting.commit();
            assertThat(barrier.get(20, TimeUnit.SECONDS)).isTrue();
        }
    }

    private CompletableFuture<Void> run(Connection connection, String sql) {
        return CompletableFuture.runAsync(() -> {
            try {
                connection.createStatement().execute(sql.replace("TABLE", table.name()));
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    private void awaitAWaiter() {
        String waiters = engine == Engine.H2
                ? "select count(*) from information_schema.sessions where executing_statement is not null and session_id <> session_id()"
                : "select count(*) from pg_locks where not granted";
        Eventually.holds("somebody waits", () -> !table.query(waiters).equals("0"));
    }

    /** A barrier that has seen who is to be waited for. */
    private CompletableFuture<Boolean> lookedTwice() {
        AtomicInteger looks = new AtomicInteger();
        Barrier store = (Barrier) table.store(counting(looks));
        CompletableFuture<Boolean> barrier =
                CompletableFuture.supplyAsync(() -> store.awaitOpenTransactions(Duration.ofSeconds(30)));
        Eventually.holds("a second look", () -> looks.get() >= 2 || barrier.isDone());
        return barrier;
    }

    private Connections counting(AtomicInteger looks) {
        IdleConnections pool = table.connections();
        return new Connections() {
            @Override
            public Connection open() throws SQLException {
                looks.incrementAndGet();
                return pool.open();
            }

            @Override
            public void close(Connection connection) {
                pool.close(connection);
            }
        };
    }

    @Test
    void onPostgresADefinitionUnderWayIsWaitedFor() throws Exception {
        assumePostgres();
        try (Connection owner = begin("alter table TABLE add column nick text")) {
            staysClosed().hasMessageContaining("a statement that redefines the table locks out readers");
            CompletableFuture<Boolean> barrier = lookedTwice();
            owner.commit();
            assertThat(barrier.get(20, TimeUnit.SECONDS)).isTrue();
        }
    }

    /** It looks like PostgreSQL, and its list of locks is empty, or of one node. */
    @Test
    void onPostgresAnotherProductOrAListWithoutTheOwnLockProvesNothing() throws SQLException {
        assumePostgres();
        for (String lie : List.of(
                "function version() returns text language sql as $$ select 'PostgreSQL 11.2-YB-2.1 on x86_64' $$",
                "function pg_backend_pid() returns int language sql as $$ select 0 $$")) {
            table.sql("create schema looks_like", "create " + lie.replace("function ", "function looks_like."));
            String url = table.url() + "&options=-c%20search_path=looks_like,pg_catalog,public";
            try (LoggedLines log = new LoggedLines();
                    IdleConnections there = new IdleConnections(url);
                    Connection writer = begin(INSERT_ALICE)) {
                Barrier barrier = (Barrier) table.store(there);
                assertThat(barrier.awaitOpenTransactions(AT_ONCE)).as(lie).isFalse();
                assertThat(barrier.awaitOpenTransactions(AT_ONCE)).as(lie).isFalse();
                assertThat(log.warnings()).singleElement().asString().contains("stay unknown until the next one");
                writer.rollback();
            } finally {
                table.sql("drop schema looks_like cascade");
            }
        }
    }

    @Test
    void onPostgresAUserWhoReadsOneColumnOnlyHasNoBarrier() throws SQLException {
        assumePostgres();
        table.sql("create role limited login", "grant select (username) on TABLE to limited");
        try (LoggedLines log = new LoggedLines();
                IdleConnections limited = new IdleConnections(table.url().replace("user=postgres", "user=limited"))) {
            assertThat(((Barrier) table.store(limited)).awaitOpenTransactions(AT_ONCE))
                    .isFalse();
            assertThat(log.warnings()).singleElement().asString().contains("GRANT SELECT on the whole table");
        } finally {
            table.sql("drop owned by limited", "drop role limited");
        }
    }

    private void assumeH2() {
        assumeTrue(engine == Engine.H2, "PostgreSQL tells everybody");
    }

    /** Called by H2 for each row. */
    public static final class Gate {
        private static CountDownLatch began = new CountDownLatch(1);
        private static CountDownLatch open = new CountDownLatch(1);

        private static void close(TestTable table) {
            began = new CountDownLatch(1);
            open = new CountDownLatch(1);
            table.sql(INSERT_BOB, "create alias hold for '" + Gate.class.getName() + ".hold'");
        }

        public static boolean hold(String value) throws InterruptedException {
            began.countDown();
            return open.await(20, TimeUnit.SECONDS);
        }

        private Gate() {}
    }

    /** It is in no list but that of the sessions, and nobody blocks it. */
    @ParameterizedTest
    @ValueSource(strings = {INSERT_ALICE, "select username from final table (" + INSERT_ALICE + ")"})
    void onH2WhoAwaitsTheEndOfADefinitionIsWaitedFor(String sql) throws Exception {
        assumeH2();
        Gate.close(table);
        try (Connection owner = begin();
                Connection waiting = begin()) {
            CompletableFuture<Void> definition =
                    run(owner, "alter table TABLE add constraint held check (hold(username))");
            assertThat(Gate.began.await(20, TimeUnit.SECONDS)).isTrue();
            CompletableFuture<Void> insert = run(waiting, sql);
            Eventually.holds(
                    "the insert waits",
                    () -> !table.query(
                                    "select 1 from information_schema.sessions where executing_statement like '%insert into "
                                            + table.name() + "%' and session_id <> session_id()")
                            .isEmpty());
            CompletableFuture<Boolean> barrier = lookedTwice();
            Gate.open.countDown();
            definition.get(20, TimeUnit.SECONDS);
            insert.get(20, TimeUnit.SECONDS);
            staysClosed();
            assertThat(barrier).isNotDone();
            waiting.commit();
            assertThat(barrier.get(20, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void onH2WhoOnlyReadsForLongIsNotWaitedFor() throws Exception {
        assumeH2();
        Gate.close(table);
        try (Connection reading = begin()) {
            CompletableFuture<Void> read = run(reading, "select hold(username) from TABLE");
            assertThat(Gate.began.await(20, TimeUnit.SECONDS)).isTrue();
            assertThat(barrier().awaitOpenTransactions(Duration.ofSeconds(2))).isTrue();
            Gate.open.countDown();
            read.get(20, TimeUnit.SECONDS);
        }
    }

    @Test
    void onH2ATransactionInDoubtAfterACrashIsWaitedFor(@TempDir Path folder) throws SQLException {
        assumeH2();
        String url = "jdbc:h2:" + folder.resolve("db") + ";USER=sa;PASSWORD=";
        try (Connection writer = DriverManager.getConnection(url);
                Statement statement = writer.createStatement()) {
            statement.execute("create table " + table.name() + " (id bigint auto_increment, username varchar(20))");
            writer.setAutoCommit(false);
            statement.execute(INSERT_ALICE.replace("TABLE", table.name()));
            statement.execute("prepare commit one");
            statement.execute("shutdown immediately");
        } catch (SQLException e) {
            assertThat(e.getErrorCode()).as("closed by the crash").isEqualTo(90121);
        }
        try (IdleConnections restarted = new IdleConnections(url);
                Connection operator = DriverManager.getConnection(url)) {
            Barrier barrier = (Barrier) table.store(restarted);
            assertThatThrownBy(() -> barrier.awaitOpenTransactions(AT_ONCE))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("in doubt ONE");
            operator.createStatement().execute("commit transaction one");
            assertThat(barrier.awaitOpenTransactions(TIMEOUT)).isTrue();
        }
    }

    @Test
    void onH2AUserWhoSeesNoOtherSessionsHasNoBarrier() throws SQLException {
        assumeH2();
        table.sql("create user limited password 'x'", "grant select, insert on TABLE to limited");
        String url = table.url()
                .replace("USER=sa;PASSWORD=", "USER=limited;PASSWORD=x")
                .replace(";DB_CLOSE_DELAY=-1", "");
        try (IdleConnections limited = new IdleConnections(url);
                Connection writer = begin(INSERT_ALICE)) {
            assertThat(((Barrier) table.store(limited)).awaitOpenTransactions(AT_ONCE))
                    .isFalse();
            writer.rollback();
        }
    }
}
