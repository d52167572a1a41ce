package io.github.untaken.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.untaken.jdbc.catalog.KeptConnection;
import io.github.untaken.jdbc.connection.Connections;
import io.github.untaken.jdbc.connection.Database;
import io.github.untaken.jdbc.connection.FreshReads;
import io.github.untaken.spi.RegisteredIdentifierStore;
import io.github.untaken.spi.RegisteredIdentifierStore.Batched;
import io.github.untaken.spi.StoreException;
import io.github.untaken.test.calls.StandIn;
import io.github.untaken.test.database.Engine;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A read brings its own transaction, in any state that its connection comes in. */
class FreshReadsTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    @Test
    void aFailureKeepsItsCauseAndState() {
        try (TestTable table = TestTable.on(Engine.H2, "varchar(20)")) {
            assertThatThrownBy(() -> table.reads()
                            .ask("Account.username", List.of("bob", "alice"), TIMEOUT, connection -> {
                                throw new SQLException("connection lost", "08006");
                            }))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("Account.username")
                    .hasMessageContaining("08006")
                    .hasRootCauseMessage("connection lost");
        }
    }

    @Test
    void aCauseThatQuotesTheIdentifierIsLeftOut() {
        try (TestTable table = TestTable.on(Engine.H2, "varchar(20)")) {
            for (SQLException quoting : new SQLException[] {
                new SQLException("cannot convert 'alice'", "22018"),
                new SQLException("refused", "22018", new IllegalStateException("cannot convert 'alice'"))
            }) {
                assertThatThrownBy(() -> table.reads()
                                .ask("Account.username", List.of("bob", "alice"), TIMEOUT, connection -> {
                                    throw quoting;
                                }))
                        .isInstanceOf(StoreException.class)
                        .hasMessageContaining("22018")
                        .hasMessageNotContaining("alice")
                        .hasNoCause();
            }
        }
    }

    @Test
    void whatAPoolThrowsIsNoAbsence() {
        FreshReads reads = new FreshReads(
                new Connections() {
                    @Override
                    public Connection open() {
                        throw new IllegalStateException("the pool is closed");
                    }

                    @Override
                    public void close(Connection connection) {
                        throw new AssertionError("there was none");
                    }
                },
                Database.H2);
        assertThatThrownBy(() -> reads.run("Account.username", connection -> true))
                .isInstanceOf(StoreException.class)
                .hasRootCauseMessage("the pool is closed");
    }

    /** Whether alice is there, asked alone and among others. */
    private static List<Boolean> found(RegisteredIdentifierStore store) {
        return List.of(
                store.exists("alice", TIMEOUT).held(),
                ((Batched) store)
                        .existEach(List.of("bob", "alice"), TIMEOUT)
                        .get(1)
                        .held());
    }

    /** The driver thinks that autocommit is on, and does not know of the transaction. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aSnapshotThatATextOfSqlLeftOpenIsNotBelieved(boolean many) throws SQLException {
        try (TestTable table = TestTable.on(Engine.POSTGRESQL, "varchar(20)");
                Connection writer = table.connection()) {
            RegisteredIdentifierStore store = table.store();
            Connection left = table.connections().open();
            left.createStatement().execute("begin isolation level repeatable read");
            left.createStatement().executeQuery("select * from " + table.name());
            table.connections().close(left);

            table.insert(writer, "alice");
            assertThatThrownBy(() -> {
                        if (many) {
                            ((Batched) store).existEach(List.of("bob", "alice"), TIMEOUT);
                        } else {
                            store.exists("alice", TIMEOUT);
                        }
                    })
                    .isInstanceOf(StoreException.class);
        }
    }

    /** H2 takes it for the end of autocommit, so that it is rolled back. */
    @Test
    void onH2ASnapshotThatATextOfSqlLeftOpenIsNotRead() throws SQLException {
        try (TestTable table = TestTable.on(Engine.H2, "varchar(20)");
                Connection writer = table.connection()) {
            Connection left = table.connections().open();
            left.createStatement()
                    .execute("set session characteristics as transaction isolation level repeatable read");
            left.createStatement().execute("begin");
            left.createStatement().executeQuery("select * from " + table.name());
            table.connections().close(left);

            table.insert(writer, "alice");
            assertThat(found(table.store())).containsExactly(true, true);
            table.delete(writer, "alice");
            assertThat(found(table.store())).containsExactly(false, false);
        }
    }

    /** One round trip: nothing is asked or ended besides the question. */
    @Test
    void underAutocommitAQuestionToPostgresIsOneStatement() throws SQLException {
        try (TestTable table = TestTable.on(Engine.POSTGRESQL, "varchar(20)");
                Connection connection = table.connection()) {
            List<String> called = new ArrayList<>();
            RegisteredIdentifierStore store = table.store(lending(told(connection, called)));
            assertThat(found(store)).containsExactly(false, false);
            called.clear();
            assertThat(found(store)).containsExactly(false, false);
            assertThat(called)
                    .containsExactly(
                            "getNetworkTimeout",
                            "setNetworkTimeout",
                            "getAutoCommit",
                            "isReadOnly",
                            "prepareStatement",
                            "setNetworkTimeout",
                            "getNetworkTimeout",
                            "setNetworkTimeout",
                            "getAutoCommit",
                            "isReadOnly",
                            "prepareStatement",
                            "createArrayOf",
                            "setNetworkTimeout");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {Connection.TRANSACTION_REPEATABLE_READ, Connection.TRANSACTION_SERIALIZABLE})
    void onPostgresAnotherIsolationIsToldByTheAnswerAndThenAskedFor(int isolation) throws SQLException {
        try (TestTable table = TestTable.on(
                        Engine.POSTGRESQL, "varchar(20)", connection -> connection.setTransactionIsolation(isolation));
                Connection writer = table.connection()) {
            table.insert(writer, "alice");
            RegisteredIdentifierStore store = table.store();
            assertThat(found(store)).containsExactly(true, true);
            assertThat(found(table.store())).as("the other order").containsExactly(true, true);
            Connection returned = table.connections().open();
            assertThat(returned.getTransactionIsolation()).isEqualTo(isolation);
            List<String> called = new ArrayList<>();
            RegisteredIdentifierStore another = table.store(lending(told(returned, called)));
            assertThat(found(another)).containsExactly(true, true);
            called.clear();
            assertThat(found(another)).containsExactly(true, true);
            assertThat(called).as("known by now").containsOnlyOnce("createArrayOf");
            assertThat(called.stream().filter("getTransactionIsolation"::equals))
                    .hasSize(2);
        }
    }

    private static Connections lending(Connection one) {
        return new Connections() {
            @Override
            public Connection open() {
                return one;
            }

            @Override
            public void close(Connection connection) {}
        };
    }

    private static Connection told(Connection of, List<String> called) {
        return StandIn.of(Connection.class, (method, arguments) -> {
            called.add(method.getName());
            return method.invoke(of, arguments);
        });
    }

    @ParameterizedTest
    @EnumSource
    void aSnapshotThatSomebodyLeftOpenIsNotRead(Engine engine) throws SQLException {
        try (TestTable table = TestTable.on(engine, "varchar(20)", connection -> {
                    connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
                    connection.setAutoCommit(false);
                });
                Connection writer = table.connection()) {
            RegisteredIdentifierStore store = table.store();
            Connection left = table.connections().open();
            left.createStatement().executeQuery("select * from " + table.name());
            table.connections().close(left);

            table.insert(writer, "alice");
            assertThat(found(store)).containsExactly(true, true);
            assertThat(table.connections().made()).as("the very connection").isEqualTo(1);
            table.delete(writer, "alice");
            assertThat(found(store)).containsExactly(false, false);

            Connection returned = table.connections().open();
            assertThat(returned).isSameAs(left);
            assertThat(returned.getAutoCommit()).isFalse();
            assertThat(returned.getTransactionIsolation()).isEqualTo(Connection.TRANSACTION_REPEATABLE_READ);
            returned.rollback();
        }
    }

    /** Nor is it committed by the read. */
    @ParameterizedTest
    @EnumSource
    void whatSomebodyLeftUncommittedIsNotRead(Engine engine) throws SQLException {
        try (TestTable table = TestTable.on(engine, "varchar(20)", connection -> connection.setAutoCommit(false))) {
            Connection left = table.connections().open();
            table.insert(left, "alice");
            table.connections().close(left);
            assertThat(found(table.store())).containsExactly(false, false);
            assertThat(table.connections().made()).as("the very connection").isEqualTo(1);
            assertThat(table.query("select count(*) from TABLE")).isEqualTo("0");
        }
    }

    /** To turn autocommit on commits whatever is open. */
    @ParameterizedTest
    @EnumSource
    void whatSomebodyLeftUncommittedIsNotCommittedByALookAtTheCatalog(Engine engine) throws SQLException {
        try (TestTable table = TestTable.on(engine, "varchar(20)", connection -> connection.setAutoCommit(false))) {
            Connection left = table.connections().open();
            table.insert(left, "alice");
            table.connections().close(left);
            Connection looked = new KeptConnection(table.connections()).with(connection -> connection);
            assertThat(looked).isSameAs(left);
            assertThat(table.query("select count(*) from TABLE")).isEqualTo("0");
        }
    }

    @ParameterizedTest
    @EnumSource
    void anUncommittedDeleteIsNoAbsence(Engine engine) throws SQLException {
        try (TestTable table = TestTable.on(
                        engine,
                        "varchar(20)",
                        connection -> connection.setTransactionIsolation(Connection.TRANSACTION_READ_UNCOMMITTED));
                Connection writer = table.connection()) {
            table.insert(writer, "alice");
            writer.setAutoCommit(false);
            table.delete(writer, "alice");
            assertThat(found(table.store())).containsExactly(true, true);
            writer.rollback();

            Connection returned = table.connections().open();
            assertThat(returned.getAutoCommit()).isTrue();
            assertThat(returned.getTransactionIsolation()).isEqualTo(Connection.TRANSACTION_READ_UNCOMMITTED);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aReadOnlyPoolIsNotReadFromItsReplica(boolean autoCommit) throws SQLException {
        try (TestTable table = TestTable.on(Engine.H2, "varchar(20)");
                Connection writer = table.connection();
                Connection stale = DriverManager.getConnection("jdbc:h2:mem:")) {
            stale.createStatement()
                    .execute("create table " + table.name() + " (id bigint primary key, username varchar(20) unique)");
            table.insert(writer, "alice");
            Connection primary = table.connection();
            primary.setAutoCommit(autoCommit);
            boolean[] readOnly = {true};
            Connection routed = routed(primary, stale, readOnly);
            RegisteredIdentifierStore store = table.store(lending(routed));
            assertThat(routed.createStatement()
                            .executeQuery("select * from " + table.name())
                            .next())
                    .as("the replica has not heard")
                    .isFalse();
            assertThat(found(store)).containsExactly(true, true);
            assertThat(readOnly[0]).as("as it was lent").isTrue();
            assertThat(primary.getAutoCommit()).isEqualTo(autoCommit);
            primary.close();
        }
    }

    /** Sends everything to the replica while it is read-only, as routing data sources do. */
    private static Connection routed(Connection primary, Connection replica, boolean[] readOnly) {
        return StandIn.of(Connection.class, (method, arguments) -> {
            if (method.getName().equals("setReadOnly")) {
                readOnly[0] = (boolean) arguments[0];
                return null;
            }
            if (method.getName().equals("isReadOnly")) {
                return readOnly[0];
            }
            boolean statement = method.getName().contains("Statement");
            return method.invoke(statement && readOnly[0] ? replica : primary, arguments);
        });
    }

    /**
     * What a standby of PostgreSQL answers. The test's server has none: a function of that name says that it is one.
     */
    @Test
    void aRowFromAReplicaIsNoAnswer() throws SQLException {
        try (TestTable table = TestTable.on(Engine.POSTGRESQL, "varchar(20)")) {
            table.sql(
                    "create schema standby",
                    "create function standby.pg_is_in_recovery() returns boolean language sql as 'select true'");
            try (IdleConnections standby =
                    new IdleConnections(table.url() + "&currentSchema=standby,pg_catalog,public")) {
                RegisteredIdentifierStore store = table.store(standby);
                assertThatThrownBy(() -> store.exists("alice", TIMEOUT))
                        .isInstanceOf(StoreException.class)
                        .rootCause()
                        .hasMessageContaining("a replica answered");
                assertThatThrownBy(() -> ((Batched) store).existEach(List.of("alice", "bob"), TIMEOUT))
                        .isInstanceOf(StoreException.class)
                        .rootCause()
                        .hasMessageContaining("a replica answered");
                assertThatThrownBy(() -> store.scan(value -> {}))
                        .isInstanceOf(StoreException.class)
                        .rootCause()
                        .hasMessageContaining("a replica answered");
                assertThatThrownBy(() -> ((RegisteredIdentifierStore.Barrier) store).awaitOpenTransactions(TIMEOUT))
                        .isInstanceOf(StoreException.class)
                        .rootCause()
                        .hasMessageContaining("a replica answered");
                RegisteredIdentifierStore.Exclusive marks = (RegisteredIdentifierStore.Exclusive) store;
                marks.mark();
                assertThat(marks.standing()).isEqualTo(RegisteredIdentifierStore.Exclusive.Standing.BESIDE_OTHERS);
                marks.release();
            } finally {
                table.sql("drop schema standby cascade");
            }
        }
    }
}
