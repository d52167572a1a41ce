package io.github.untaken.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.untaken.spi.RegisteredIdentifierStore;
import io.github.untaken.spi.StoreException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A read brings its own transaction, whatever state its connection comes in. */
class FreshReadsTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    @Test
    void aFailureKeepsItsCauseAndState() {
        try (TestTable table = TestTable.on(Engine.H2, "varchar(20)")) {
            assertThatThrownBy(() -> table.reads().run("Account.username", "alice", connection -> {
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
                assertThatThrownBy(() -> table.reads().run("Account.username", "alice", connection -> {
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
            assertThat(store.exists("alice", TIMEOUT)).isTrue();
            assertThat(table.connections().made()).as("the very connection").isEqualTo(1);
            table.delete(writer, "alice");
            assertThat(store.exists("alice", TIMEOUT)).isFalse();

            Connection returned = table.connections().open();
            assertThat(returned).isSameAs(left);
            assertThat(returned.getAutoCommit()).isFalse();
            assertThat(returned.getTransactionIsolation()).isEqualTo(Connection.TRANSACTION_REPEATABLE_READ);
            returned.rollback();
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
            assertThat(table.store().exists("alice", TIMEOUT)).isTrue();
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
            RegisteredIdentifierStore store = table.store(new Connections() {
                @Override
                public Connection open() {
                    return routed;
                }

                @Override
                public void close(Connection connection) {}
            });
            assertThat(routed.createStatement()
                            .executeQuery("select * from " + table.name())
                            .next())
                    .as("the replica has not heard")
                    .isFalse();
            assertThat(store.exists("alice", TIMEOUT)).isTrue();
            assertThat(readOnly[0]).as("as it was lent").isTrue();
            assertThat(primary.getAutoCommit()).isEqualTo(autoCommit);
            primary.close();
        }
    }

    /** Sends everything to the replica while it is read-only, as routing data sources do. */
    private static Connection routed(Connection primary, Connection replica, boolean[] readOnly) {
        return (Connection) Proxy.newProxyInstance(
                FreshReadsTest.class.getClassLoader(), new Class<?>[] {Connection.class}, (self, method, arguments) -> {
                    if (method.getName().equals("setReadOnly")) {
                        readOnly[0] = (boolean) arguments[0];
                        return null;
                    }
                    if (method.getName().equals("isReadOnly")) {
                        return readOnly[0];
                    }
                    boolean statement = method.getName().contains("Statement");
                    try {
                        return method.invoke(statement && readOnly[0] ? replica : primary, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    /** What a standby of PostgreSQL answers, from a server that is none: the test's server has no standby. */
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
                        .hasRootCauseMessage("a replica answered, which may not know yet what was just committed");
                assertThatThrownBy(() -> ((RegisteredIdentifierStore.Barrier) store).awaitOpenTransactions(TIMEOUT))
                        .isInstanceOf(StoreException.class)
                        .hasRootCauseMessage("a replica answered, which may not know yet what was just committed");
                RegisteredIdentifierStore.Exclusive marks = (RegisteredIdentifierStore.Exclusive) store;
                marks.mark();
                assertThat(marks.standsAlone()).isFalse();
                marks.release();
            } finally {
                table.sql("drop schema standby cascade");
            }
        }
    }
}
