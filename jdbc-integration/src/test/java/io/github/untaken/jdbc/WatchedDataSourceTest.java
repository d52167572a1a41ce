package io.github.untaken.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.untaken.IdentifierKind;
import io.github.untaken.spi.IdentifierWrite;
import io.github.untaken.spi.RegisteredIdentifierStore.Catalogued;
import io.github.untaken.spi.TableCatalog;
import io.github.untaken.test.calls.StandIn;
import io.github.untaken.test.database.Engine;
import io.github.untaken.testkit.Eventually;
import java.io.StringReader;
import java.net.SocketTimeoutException;
import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLTimeoutException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.sql.Types;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a checker is told of statements over plain JDBC, and when: each line a call. */
@ParameterizedClass
@EnumSource
class WatchedDataSourceTest {
    private final Engine engine;
    private final TestTable table;
    private final RecordingSink sink = new RecordingSink();
    private final JdbcIdentifiers identifiers;
    private final DataSource dataSource;
    private final String insert;
    /** What somebody else does while a statement has not returned. */
    private final AtomicReference<@Nullable Step> meanwhile = new AtomicReference<>();

    private final AtomicReference<@Nullable Step> atBinding = new AtomicReference<>();
    private final AtomicReference<@Nullable Step> atCreation = new AtomicReference<>();
    private final AtomicReference<@Nullable Step> atQuestion = new AtomicReference<>();
    private final AtomicReference<@Nullable Step> atAbort = new AtomicReference<>();
    private final AtomicReference<@Nullable Step> atClose = new AtomicReference<>();
    private Consumer<Connection> lent = connection -> {};
    private final AtomicInteger questions = new AtomicInteger();
    private final AtomicBoolean refused = new AtomicBoolean();

    WatchedDataSourceTest(Engine engine) {
        this.engine = engine;
        this.table = TestTable.on(engine, "varchar(40)");
        this.insert = "insert into " + table.name() + " (username) values (?)";
        this.identifiers = identifiers();
        identifiers.connect(sink);
        look(identifiers);
        this.dataSource = WatchedDataSource.of(meddled(table.dataSource()), identifiers);
    }

    private JdbcIdentifiers identifiers() {
        return JdbcIdentifiers.table(table.dataSource(), table.name(), "username");
    }

    private static TableCatalog catalog(JdbcIdentifiers identifiers) {
        return ((Catalogued) identifiers.stores().get(IdentifierKind.USERNAME).get(0)).catalog();
    }

    /** As a checker does every other second. */
    private static void look(JdbcIdentifiers identifiers) {
        catalog(identifiers).look();
    }

    @AfterEach
    void close() {
        catalog(identifiers).release();
        table.close();
    }

    private interface Step {
        void run() throws SQLException;
    }

    private DataSource meddled(DataSource database) {
        return behind(DataSource.class, database);
    }

    /** Hands on each call, to what stands behind the watch. */
    private <T> T behind(Class<T> type, T target) {
        return StandIn.of(type, (method, arguments) -> {
            step(method.getName());
            Object result = method.invoke(target, arguments);
            if (result instanceof Connection connection && target instanceof DataSource) {
                lent.accept(connection);
                return behind(Connection.class, connection);
            }
            if (result instanceof PreparedStatement statement) {
                return behind(PreparedStatement.class, statement);
            }
            return result instanceof Statement statement && target instanceof Connection
                    ? behind(Statement.class, statement)
                    : result;
        });
    }

    private void step(String method) throws SQLException {
        Step step = switch (method) {
            case "execute", "executeUpdate", "executeQuery", "executeBatch" -> meanwhile.getAndSet(null);
            case "setNString" -> atBinding.getAndSet(null);
            case "createStatement" -> atCreation.getAndSet(null);
            case "getAutoCommit" -> atQuestion.getAndSet(null);
            case "abort" -> atAbort.getAndSet(null);
            case "close" -> atClose.getAndSet(null);
            default -> null;
        };
        if (step != null) {
            onAnotherThread(step);
        }
        if (method.equals("getAutoCommit")) {
            questions.incrementAndGet();
        }
        if (method.equals("setNull") && refused.getAndSet(false)) {
            throw new SQLException("made up", "22000");
        }
    }

    private static void onAnotherThread(Step step) throws SQLException {
        try {
            CompletableFuture.runAsync(
                            () -> {
                                try {
                                    step.run();
                                } catch (SQLException e) {
                                    throw new CompletionException(e);
                                }
                            },
                            task -> new Thread(task).start())
                    .join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof SQLException failure) {
                throw failure;
            }
            throw new AssertionError(e.getCause());
        }
    }

    private interface Work {
        void on(Connection connection) throws SQLException;
    }

    private void inTransaction(Work work) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            work.on(connection);
        }
    }

    private void underAutocommit(Work work) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            work.on(connection);
        }
    }

    private void insert(Connection connection, String name) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(insert)) {
            statement.setString(1, name);
            statement.executeUpdate();
        }
    }

    private void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql.replace("TABLE", table.name()));
        }
    }

    private void assertTold(String... lines) {
        assertThat(sink.take()).containsExactly(lines);
    }

    @Test
    void aStatementIsOverWhenItReturnsAndEndedWithItsTransaction() throws SQLException {
        inTransaction(connection -> {
            insert(connection, "alice");
            assertTold("T1 adding username alice", "T1 over");
            insert(connection, "bob");
            assertTold("T2 adding username bob", "T2 over");
            connection.commit();
            assertTold("T1 ended", "T2 ended");
            insert(connection, "carol");
            connection.rollback();
            assertTold("T3 adding username carol", "T3 over", "T3 ended");
            insert(connection, "dave");
        });
        assertTold("T4 adding username dave", "T4 over", "T4 ended");
    }

    @Test
    void anAbortedConnectionHasEnded() throws SQLException {
        inTransaction(connection -> {
            insert(connection, "alice");
            connection.abort(Runnable::run);
            assertTold("T1 adding username alice", "T1 over", "T1 ended");
        });
        assertTold();
    }

    /** What is torn down is what does not return, maybe while it is asked something. */
    @Test
    void anAbortWaitsForNobody() throws SQLException {
        CountDownLatch reached = new CountDownLatch(1);
        AtomicBoolean inTime = new AtomicBoolean();
        AtomicReference<@Nullable CompletableFuture<Void>> abort = new AtomicReference<>();
        underAutocommit(connection -> {
            atAbort.set(reached::countDown);
            atQuestion.set(() -> {
                abort.set(CompletableFuture.runAsync(
                        () -> {
                            try {
                                connection.abort(Runnable::run);
                            } catch (SQLException e) {
                                throw new CompletionException(e);
                            }
                        },
                        task -> new Thread(task).start()));
                try {
                    inTime.set(reached.await(10, TimeUnit.SECONDS));
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });
            try {
                insert(connection, "alice");
            } catch (SQLException e) {
                assertThat(connection.isClosed()).isTrue();
            }
            Objects.requireNonNull(abort.get()).join();
            assertThat(inTime).isTrue();
            assertTold("T1 adding username alice", "T1 over", "T1 ended");
        });
        assertTold();
    }

    /** A pool may roll back then, and wait for that. */
    @Test
    void aConnectionIsGivenBackWhenItsCloseHasReturned() throws SQLException {
        List<String> meanwhile = new ArrayList<>();
        inTransaction(connection -> {
            insert(connection, "alice");
            atClose.set(() -> meanwhile.addAll(sink.lines()));
        });
        assertThat(meanwhile).containsExactly("T1 adding username alice", "T1 over");
        assertTold("T1 adding username alice", "T1 over", "T1 ended");
    }

    @Test
    void whatIsUnwrappedAndAbortedMayGoOnAndNothingIsAsked() throws SQLException {
        underAutocommit(connection -> {
            Class<?> behind =
                    engine == Engine.H2 ? org.h2.jdbc.JdbcConnection.class : org.postgresql.PGConnection.class;
            connection.unwrap(behind);
            connection.abort(Runnable::run);
            assertThat(questions).hasValue(0);
            assertTold("T1 unseen username", "T1 ended");
        });
    }

    @Test
    void aCommitThatFailsIsAnEndTheSame() throws SQLException {
        table.sql("create table p_TABLE (id bigint primary key)");
        if (engine == Engine.H2) {
            return; // it has no constraint that a COMMIT checks
        }
        table.sql("alter table TABLE add foreign key (id) references p_TABLE deferrable initially deferred");
        inTransaction(connection -> {
            insert(connection, "alice");
            assertThatThrownBy(connection::commit).isInstanceOf(SQLException.class);
        });
        table.sql("drop table p_TABLE cascade");
        assertTold("T1 adding username alice", "T1 over", "T1 ended");
    }

    @Test
    void aRefusedInsertIsOver() throws SQLException {
        table.sql("insert into TABLE (username) values ('alice')");
        inTransaction(connection -> {
            Savepoint before = connection.setSavepoint();
            assertThatThrownBy(() -> insert(connection, "alice")).isInstanceOf(SQLException.class);
            assertTold("T1 adding username alice", "T1 over");
            connection.rollback(before);
            insert(connection, "bob");
            assertTold("T2 adding username bob", "T2 over");
            connection.commit();
        });
        assertTold("T1 ended", "T2 ended");
    }

    @Test
    void underAutocommitEachStatementIsATransaction() throws SQLException {
        underAutocommit(connection -> {
            insert(connection, "alice");
            assertTold("T1 adding username alice", "T1 over", "T1 ended");
            assertThatThrownBy(() -> insert(connection, "alice")).isInstanceOf(SQLException.class);
            assertTold("T2 adding username alice", "T2 over", "T2 ended");
        });
        assertTold();
    }

    /** Or the heap is full before ten million rows are in one transaction. */
    @Test
    void veryManyStatementsOfATransactionShareTheLastRecord() throws SQLException {
        int many = 1_200;
        inTransaction(connection -> {
            try (PreparedStatement statement = connection.prepareStatement(insert)) {
                for (int i = 0; i < many; i++) {
                    statement.setString(1, "user" + i);
                    statement.executeUpdate();
                }
            }
            assertThat(sink.lines()).contains("T999 over", "T1000 adding username user" + (many - 1));
            assertThat(sink.lines()).doesNotContain("T1000 over");
            connection.rollback();
            assertThat(sink.take()).contains("T1 ended", "T1000 over").endsWith("T1000 ended");
            insert(connection, "alice");
            assertTold("T1001 adding username alice", "T1001 over");
        });
    }

    @Test
    void whatTurningAutocommitOnHasCommittedEndsWhenTheConnectionIsGivenBack() throws SQLException {
        inTransaction(connection -> {
            insert(connection, "alice");
            connection.setAutoCommit(true);
            insert(connection, "bob");
            assertTold("T1 adding username alice", "T1 over", "T2 adding username bob", "T2 over", "T2 ended");
        });
        assertTold("T1 ended");
        assertThat(table.query("select count(*) from TABLE")).isEqualTo("2");
    }

    @Test
    void aDefinitionAsksForALookOnceItHasTakenEffect() throws SQLException {
        AtomicInteger wanted = new AtomicInteger();
        catalog(identifiers).onDefinition(wanted::incrementAndGet);
        underAutocommit(connection -> {
            execute(connection, "alter table TABLE alter column username set default 'guest'");
            assertThat(wanted).hasValue(1);
            execute(connection, "delete from TABLE");
        });
        assertThat(wanted).hasValue(1);
        assertTold("T1 unseen username", "T1 over", "T1 ended");
        inTransaction(connection -> {
            execute(connection, "alter table TABLE alter column username set default 'visitor'");
            assertThat(wanted).hasValue(1);
            connection.commit();
        });
        assertThat(wanted).hasValue(2);
        assertTold("T2 unseen username", "T2 over", "T3 unseen username", "T3 over", "T3 ended", "T2 ended");
        look(identifiers);
        underAutocommit(connection -> execute(connection, "insert into TABLE (id) values (77)"));
        assertTold("T4 " + toldOfTheDefault("visitor"), "T4 over", "T4 ended");
    }

    /** PostgreSQL's catalog shows no text of it without a lock. */
    private String toldOfTheDefault(String text) {
        return engine == Engine.H2 ? "adding username " + text : "unseen username";
    }

    @Test
    void asLongAsNobodyHasLookedTheWorstIsAssumed() throws SQLException {
        JdbcIdentifiers unseen = identifiers();
        unseen.connect(sink);
        try (Connection connection =
                WatchedDataSource.of(table.dataSource(), unseen).getConnection()) {
            execute(connection, "insert into TABLE (id) values (77)");
            assertTold("T1 unseen username", "T1 over", "T1 ended");
            execute(connection, "delete from TABLE");
            assertTold();
        }
    }

    private String insertThatReturns() {
        return engine == Engine.H2
                ? "select username from final table (" + insert + ")"
                : insert + " returning username";
    }

    private String told(String name) {
        return engine == Engine.H2 ? "unseen username" : "adding username " + name;
    }

    @Test
    void whatReturnsRowsIsOverWhenItsStatementIsClosedOrExecutedAgain() throws SQLException {
        underAutocommit(connection -> {
            try (PreparedStatement statement = connection.prepareStatement(insertThatReturns())) {
                statement.setString(1, "alice");
                try (ResultSet rows = statement.executeQuery()) {
                    assertThat(rows.next()).isTrue();
                    assertTold("T1 " + told("alice"));
                }
                statement.setString(1, "bob");
                assertThat(statement.execute()).isTrue();
                assertTold("T2 " + told("bob"), "T1 over", "T1 ended");
            }
            assertTold("T2 over", "T2 ended");
        });
        assertTold();
    }

    @Test
    void whoseRowsAreUnreadWhenTheConnectionIsGivenBackLingers() throws SQLException {
        underAutocommit(connection -> {
            PreparedStatement statement = connection.prepareStatement(insertThatReturns());
            statement.setString(1, "alice");
            statement.executeQuery();
        });
        assertTold("T1 " + told("alice"), "T1 ended");
    }

    /** A driver may send no COMMIT before it knows that there is a transaction, and a server may send rows before it has stored them. */
    @Test
    void aCommitEndsNothingWhileRowsAreUnread() throws SQLException {
        inTransaction(connection -> {
            insert(connection, "alice");
            try (PreparedStatement statement = connection.prepareStatement(insertThatReturns())) {
                statement.setString(1, "bob");
                statement.executeQuery();
                sink.take();
                connection.getWarnings();
                statement.getWarnings();
                connection.commit();
                connection.rollback();
                assertTold();
            }
            assertTold("T2 over");
            connection.commit();
            assertTold("T1 ended", "T2 ended");
        });
    }

    // ---------------------------------------------------------------- what is no answer

    /** Fails the next statement of the application before the database hears of it, as if its answer had been lost. */
    private void failing(SQLException failure) {
        meanwhile.set(() -> {
            throw failure;
        });
    }

    private void assertNotOver(SQLException failure) throws SQLException {
        underAutocommit(connection -> {
            failing(failure);
            assertThatThrownBy(() -> insert(connection, "alice")).isSameAs(failure);
            assertTold("T1 adding username alice");
            insert(connection, "bob");
            assertTold("T2 adding username bob", "T2 over", "T2 ended");
        });
        assertTold("T1 ended");
    }

    @Test
    void aConnectionThatIsLostIsNoRefusal() throws SQLException {
        assertNotOver(new SQLException("made up", "08006"));
    }

    @Test
    void anExceptionOfTheConnectionIsNoRefusalWhateverItsState() throws SQLException {
        assertNotOver(new SQLNonTransientConnectionException("made up", "42000"));
    }

    /** H2 says so by numbers of its own: broken, closed, closed at a shutdown. */
    @ParameterizedTest
    @ValueSource(strings = {"90067", "90098", "90121"})
    void aBrokenConnectionOfH2IsNoRefusal(String state) throws SQLException {
        assertNotOver(new SQLException("made up", state));
    }

    @Test
    void aTimeoutIsNoRefusal() throws SQLException {
        assertNotOver(new SQLTimeoutException("made up", "57014"));
    }

    @Test
    void whatSaysNoStateIsNoRefusal() throws SQLException {
        assertNotOver(new SQLException("made up"));
    }

    @Test
    void aRefusalThatWasCausedByALostConnectionIsNone() throws SQLException {
        assertNotOver(new SQLException("made up", "23505", new SocketTimeoutException("made up")));
    }

    @Test
    void aBatchIsRefusedIfEachExceptionOfItIsARefusal() throws SQLException {
        table.sql("insert into TABLE (username) values ('alice')");
        underAutocommit(connection -> {
            try (PreparedStatement statement = connection.prepareStatement(insert)) {
                for (String name : List.of("alice", "bob", "alice")) {
                    statement.setString(1, name);
                    statement.addBatch();
                }
                assertThatThrownBy(statement::executeBatch).isInstanceOf(BatchUpdateException.class);
            }
        });
        assertTold("T1 adding username alice", "T1 adding username bob", "T1 over", "T1 ended");
    }

    @Test
    void aBatchWithOneLostConnectionAmongItsExceptionsIsNotRefused() throws SQLException {
        BatchUpdateException failure =
                new BatchUpdateException("made up", "23505", new int[] {Statement.EXECUTE_FAILED}, null);
        failure.setNextException(new SQLException("made up", "23505"));
        failure.setNextException(new SQLNonTransientConnectionException("made up", "90067"));
        assertNotOver(failure);
    }

    /** The call that has not returned does not age, though its connection is torn down. */
    @Test
    void whatIsUnderWayHasNotEndedBeforeItReturns() throws SQLException {
        underAutocommit(connection -> {
            meanwhile.set(() -> {
                connection.abort(Runnable::run);
                assertTold("T1 adding username alice");
            });
            try {
                insert(connection, "alice");
            } catch (SQLException e) {
                assertThat(connection.isClosed()).isTrue();
            }
        });
        assertThat(sink.take()).endsWith("T1 ended");
    }

    // ---------------------------------------------------------------- two threads on one statement

    /** Which of the two a statement is in the middle of when it returns to one of them, it does not know. */
    @Test
    void aStatementThatReturnsToOneThreadIsNotOverForAnother() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch returned = new CountDownLatch(1);
        underAutocommit(connection -> {
            try (Statement statement = connection.createStatement()) {
                AtomicReference<@Nullable CompletableFuture<Void>> other = new AtomicReference<>();
                meanwhile.set(() -> {
                    meanwhile.set(() -> {
                        begun.countDown();
                        await(returned);
                    });
                    other.set(CompletableFuture.runAsync(
                            () -> update(statement, "bob"), task -> new Thread(task).start()));
                    await(begun);
                });
                update(statement, "alice");
                assertThat(sink.lines()).contains("T1 adding username alice", "T1 over");
                assertThat(sink.lines()).contains("T3 adding username bob").doesNotContain("T3 over", "T3 ended");
                assertThat(sink.lines()).contains("T2 unseen username").doesNotContain("T2 over");
                returned.countDown();
                Objects.requireNonNull(other.get()).join();
            }
        });
        assertThat(sink.lines()).contains("T2 over", "T3 ended").doesNotContain("T3 over");
        assertThat(table.query("select count(*) from TABLE")).isEqualTo("2");
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(1, TimeUnit.MINUTES)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void update(Statement statement, String name) {
        try {
            statement.executeUpdate("insert into " + table.name() + " (username) values ('" + name + "')");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void whatIsBoundWhileAnotherThreadExecutesMayBeSent() throws SQLException {
        underAutocommit(connection -> {
            try (PreparedStatement statement = connection.prepareStatement(insert)) {
                statement.setString(1, "alice");
                meanwhile.set(() -> statement.setString(1, "bob"));
                statement.executeUpdate();
            }
        });
        assertThat(table.query("select username from TABLE")).isEqualTo("bob");
        assertTold("T1 adding username alice", "T2 unseen username", "T1 over", "T1 ended", "T2 over", "T2 ended");
    }

    @Test
    void whatIsExecutedWhileAnotherThreadBindsMaySendWhatWasBoundBefore() throws SQLException {
        underAutocommit(connection -> {
            try (PreparedStatement statement = connection.prepareStatement(insert)) {
                statement.setString(1, "alice");
                atBinding.set(statement::executeUpdate);
                statement.setNString(1, "bob");
            } catch (SQLFeatureNotSupportedException e) {
                assertThat(engine).isEqualTo(Engine.POSTGRESQL);
            }
        });
        assertThat(table.query("select username from TABLE")).isEqualTo("alice");
        assertThat(sink.lines()).startsWith("T1 unseen username").endsWith("T1 over", "T1 ended");
    }

    @Test
    void aStatementIsUsedByOneThreadAfterAnother() throws SQLException {
        underAutocommit(connection -> {
            try (PreparedStatement statement = connection.prepareStatement(insert)) {
                statement.setString(1, "alice");
                onAnotherThread(statement::executeUpdate);
                onAnotherThread(() -> statement.setString(1, "bob"));
                statement.executeUpdate();
            }
        });
        assertTold("T1 adding username alice", "T1 over", "T1 ended", "T2 adding username bob", "T2 over", "T2 ended");
    }

    @Test
    void aStatementThatWritesNothingAsksNothing() throws SQLException {
        underAutocommit(connection -> {
            execute(connection, "select username from TABLE");
            execute(connection, "delete from TABLE");
            assertThat(questions).hasValue(0);
            insert(connection, "alice");
            assertThat(questions).hasValue(1);
        });
    }

    /** Nobody knows what becomes of it: its connection may be in use, or lost. */
    @Test
    void aConnectionThatIsNeverGivenBackKeepsItsNames() throws SQLException {
        JdbcIdentifiers identifiers = identifiers();
        look(identifiers);
        RecordingSink heard = new RecordingSink();
        identifiers.connect(heard);
        AtomicReference<@Nullable Connection> behind = new AtomicReference<>();
        lent = behind::set;
        DataSource leaking = WatchedDataSource.of(meddled(table.dataSource()), identifiers);
        Connection leaked = leaking.getConnection();
        leaked.setAutoCommit(false);
        insert(leaked, "alice");
        Objects.requireNonNull(behind.get()).close(); // as the pool, the driver or the server may do
        assertThat(leaked.isClosed()).isTrue();
        assertThat(heard.take()).containsExactly("T1 adding username alice", "T1 over");
        identifiers.disconnect();
        assertThat(heard.take()).containsExactly("T1 ended");
    }

    @Test
    void whatIsTriedOnAConnectionGivenBackEndsAtOnce() throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            PreparedStatement statement = connection.prepareStatement(insert);
            statement.setString(1, "alice");
            connection.close();
            assertThatThrownBy(statement::executeUpdate).isInstanceOf(SQLException.class);
            assertThat(sink.take()).startsWith("T1 adding username alice").endsWith("T1 ended");
            assertThatThrownBy(() -> connection.unwrap(Integer.class)).isInstanceOf(SQLException.class);
            assertTold("T2 unseen username", "T2 ended");
        }
    }

    @Test
    void aValueThatIsRefusedIsNotTakenForTheOneThatIsBound() throws SQLException {
        inTransaction(connection -> {
            try (PreparedStatement statement = connection.prepareStatement(insert)) {
                statement.setString(1, "alice");
                refused.set(true);
                assertThatThrownBy(() -> statement.setNull(1, Types.VARCHAR)).isInstanceOf(SQLException.class);
                statement.executeUpdate();
            }
            connection.commit();
        });
        assertTold("T1 unseen username", "T1 over", "T1 ended");
        assertThat(table.query("select username from TABLE")).isEqualTo("alice");
    }

    @Test
    void aRowWhosePrimaryKeyChangesTellsNothing() throws SQLException {
        underAutocommit(connection -> execute(connection, "update TABLE set id = id + 1000 where id = 1"));
        assertTold();
    }

    @Test
    void aConnectionIsItself() throws SQLException {
        underAutocommit(connection -> {
            List<Connection> connections = new ArrayList<>(List.of(connection));
            assertThat(connections.remove(connection)).isTrue();
        });
    }

    @Test
    void aPreparedTransactionIsUnseen() throws SQLException {
        if (engine == Engine.H2) {
            return;
        }
        inTransaction(connection -> {
            insert(connection, "alice");
            execute(connection, "prepare transaction 'TABLE'");
            connection.commit();
        });
        underAutocommit(connection -> execute(connection, "rollback prepared 'TABLE'"));
        assertTold(
                "T1 adding username alice",
                "T1 over",
                "T2 unseen username",
                "T2 over",
                "T3 unseen username",
                "T3 over",
                "T3 ended",
                "T1 ended",
                "T2 ended");
    }

    @Test
    void aDefinitionThatIsRolledBackIsUnseenOnlyOnce() throws SQLException {
        inTransaction(connection -> {
            execute(connection, "alter table TABLE alter column username set default 'visitor'");
            connection.rollback();
            execute(connection, "delete from TABLE");
            connection.commit();
        });
        assertTold("T1 unseen username", "T1 over", "T1 ended");
    }

    @Test
    void whatTheDatabaseMayWriteByItselfIsUnseenUnlessItIsKnown() throws SQLException {
        underAutocommit(connection -> execute(connection, "insert into TABLE (username) select 'a' || 'b'"));
        assertTold("T1 unseen username", "T1 over", "T1 ended");
        table.sql("alter table TABLE alter column username set default 'guest'");
        look(identifiers);
        inTransaction(connection -> {
            execute(connection, "insert into TABLE (id) values (77)");
            connection.rollback();
        });
        assertTold("T2 " + toldOfTheDefault("guest"), "T2 over", "T2 ended");
    }

    @Test
    void whatConcernsNobodyIsNotTold() throws SQLException {
        inTransaction(connection -> {
            execute(connection, "select username from TABLE");
            execute(connection, "delete from TABLE");
            execute(connection, "create table o_TABLE (username varchar(9))");
            execute(connection, "insert into o_TABLE values ('x')");
            execute(connection, "drop table o_TABLE");
            connection.commit();
        });
        assertTold();
    }

    @Test
    void parametersAreFoundByTheirNumberInWhateverOrderTheyAreBound() throws SQLException {
        table.sql("alter table TABLE add city bigint");
        inTransaction(connection -> {
            try (PreparedStatement statement = connection.prepareStatement(
                    "update " + table.name() + " set city = ?, username = ? where username = ?")) {
                statement.setString(3, "old");
                statement.setString(2, "new");
                statement.setLong(1, 1);
                statement.executeUpdate();
                statement.setObject(2, "newer");
                statement.execute();
                statement.setObject(2, "newest", Types.VARCHAR);
                statement.executeLargeUpdate();
                statement.setNull(2, Types.VARCHAR);
                statement.executeUpdate();
            }
            connection.commit();
        });
        assertThat(sink.take().stream().filter(line -> !line.endsWith("over") && !line.endsWith("ended")))
                .containsExactly("T1 adding username new", "T2 adding username newer", "T3 adding username newest");
    }

    @Test
    void parametersStayBoundOverABatch() throws SQLException {
        inTransaction(connection -> {
            try (PreparedStatement statement =
                    connection.prepareStatement("update " + table.name() + " set username = ? where id = ?")) {
                statement.setString(1, "alice");
                statement.setLong(2, 1);
                statement.addBatch();
                statement.setLong(2, 2);
                statement.addBatch();
                statement.executeBatch();
                assertTold("T1 adding username alice", "T1 over");
                statement.setLong(2, 3);
                statement.addBatch();
                statement.executeBatch();
                assertTold("T2 adding username alice", "T2 over");
                statement.executeBatch();
                statement.addBatch();
                statement.clearBatch();
                statement.executeBatch();
                assertTold();
            }
            connection.commit();
        });
    }

    @Test
    void whatABatchOfTextsWritesIsTold() throws SQLException {
        inTransaction(connection -> {
            try (Statement statement = connection.createStatement()) {
                statement.addBatch("insert into " + table.name() + " (username) values ('alice')");
                statement.addBatch("insert into " + table.name() + " (username) values (lower('BOB'))");
                assertTold();
                statement.executeBatch();
            }
            connection.commit();
        });
        assertTold("T1 adding username alice", "T1 unseen username", "T1 over", "T1 ended");
    }

    /** The first is prepared, and batched, before the column has a default. */
    @Test
    void aDefaultThatIsAddedWhileABatchWaitsIsNotMissed() throws SQLException {
        table.sql("alter table TABLE add column email varchar(40)");
        underAutocommit(connection -> {
            try (Statement statement = connection.createStatement()) {
                statement.addBatch("insert into " + table.name() + " (email) values ('a')");
                execute(connection, "alter table TABLE alter column username set default 'alice'");
                look(identifiers);
                sink.take();
                statement.executeBatch();
            }
        });
        assertThat(sink.take()).anyMatch(line -> line.endsWith(toldOfTheDefault("alice")));
    }

    @Test
    void aStreamIsNotRead() throws SQLException {
        inTransaction(connection -> {
            try (PreparedStatement statement = connection.prepareStatement(insert)) {
                statement.setCharacterStream(1, new StringReader("alice"));
                statement.executeUpdate();
            }
            connection.commit();
        });
        assertTold("T1 unseen username", "T1 over", "T1 ended");
    }

    /** Whoever casts may cut: to so many characters, or so many bytes. */
    @Test
    void whatACastMayCutIsNotRead() throws SQLException {
        String cast = "insert into " + table.name() + " (username) values (cast(? as varchar(12)))";
        inTransaction(connection -> {
            try (PreparedStatement statement = connection.prepareStatement(cast)) {
                statement.setString(1, "abcd");
                statement.executeUpdate();
                statement.setString(1, "abcde");
                statement.executeUpdate();
            }
            connection.commit();
        });
        assertTold("T1 adding username abcd", "T1 over", "T2 unseen username", "T2 over", "T1 ended", "T2 ended");
    }

    @Test
    void rowsThatCanBeChangedAreUnseenUntilTheConnectionIsGivenBack() throws SQLException {
        table.sql("insert into TABLE (username) values ('alice')");
        underAutocommit(connection -> {
            try (Statement statement =
                            connection.createStatement(ResultSet.TYPE_SCROLL_SENSITIVE, ResultSet.CONCUR_UPDATABLE);
                    ResultSet rows = statement.executeQuery("select id, username from " + table.name())) {
                assertTold("T1 unseen username");
                rows.next();
                rows.updateString("username", "bob");
                rows.updateRow();
            }
            assertTold();
        });
        assertTold("T1 over", "T1 ended");
    }

    @Test
    void whetherRowsCanBeChangedIsKnownThoughAnotherThreadMakesAStatement() throws SQLException {
        underAutocommit(connection -> {
            atCreation.set(() -> connection.createStatement().close());
            try (Statement statement =
                    connection.createStatement(ResultSet.TYPE_SCROLL_SENSITIVE, ResultSet.CONCUR_UPDATABLE)) {
                statement.executeQuery("select id, username from " + table.name());
            }
        });
        assertTold("T1 unseen username", "T1 over", "T1 ended");
    }

    @Test
    void whatIsUnwrappedIsUnseenUntilTheConnectionIsGivenBack() throws SQLException {
        underAutocommit(connection -> {
            Class<?> behind =
                    engine == Engine.H2 ? org.h2.jdbc.JdbcConnection.class : org.postgresql.PGConnection.class;
            assertThat(connection.isWrapperFor(behind)).isTrue();
            assertTold();
            Connection raw = (Connection) connection.unwrap(behind);
            assertTold("T1 unseen username");
            insert(raw, "alice");
        });
        assertTold("T1 over", "T1 ended");
        inTransaction(connection -> {
            try (Statement statement = connection.createStatement()) {
                Class<?> behind =
                        engine == Engine.H2 ? org.h2.jdbc.JdbcStatement.class : org.postgresql.PGStatement.class;
                assertThat(statement.unwrap(behind)).isNotNull();
            }
            connection.commit();
        });
        assertTold("T2 unseen username", "T2 over", "T2 ended");
    }

    private Class<?> behind() {
        return engine == Engine.H2 ? org.h2.jdbc.JdbcConnection.class : org.postgresql.PGConnection.class;
    }

    /** What was sent there may be under way in the server, and nobody is there to hear of it. */
    @Test
    void whatIsUnwrappedAndBrokenMayGoOn() throws SQLException {
        underAutocommit(connection -> {
            if (engine == Engine.H2) {
                ((Connection) connection.unwrap(behind())).close();
            } else {
                int pid = connection.unwrap(org.postgresql.PGConnection.class).getBackendPID();
                table.query("select pg_terminate_backend(" + pid + ")");
            }
            assertTold("T1 unseen username");
        });
        assertTold("T1 ended");
    }

    @Test
    void whatIsUnwrappedMayGoOnWhileRowsAreUnread() throws SQLException {
        underAutocommit(connection -> {
            connection.unwrap(behind());
            PreparedStatement statement = connection.prepareStatement(insertThatReturns());
            statement.setString(1, "alice");
            statement.executeQuery();
            sink.take();
        });
        assertTold("T2 ended", "T1 ended");
    }

    /** The question would begin a transaction, which nobody ends. */
    @Test
    void whatIsUnwrappedInATransactionIsOverIfItsEndWasAnswered() throws SQLException {
        inTransaction(connection -> {
            insert((Connection) connection.unwrap(behind()), "alice");
            assertTold("T1 unseen username");
            connection.commit();
            assertTold();
        });
        assertTold("T1 over", "T1 ended");
        inTransaction(connection -> {
            connection.commit();
            insert((Connection) connection.unwrap(behind()), "bob");
        });
        assertTold("T2 unseen username", "T2 ended");
    }

    /** The driver waits for the end of the copy for ever. */
    @Test
    @Tag("ci")
    void aCopyThatWasLeftHalfDoneKeepsNobodyFromGivingTheConnectionBack() throws Exception {
        if (engine == Engine.H2) {
            return;
        }
        underAutocommit(connection -> connection
                .unwrap(org.postgresql.PGConnection.class)
                .getCopyAPI()
                .copyIn("copy " + table.name() + " (username) from stdin"));
        assertTold("T1 unseen username", "T1 ended");
        Eventually.holds(
                "nobody asks any more",
                () -> Thread.getAllStackTraces().keySet().stream()
                        .noneMatch(thread -> thread.getName().startsWith("untaken-last")));
    }

    private void assertEndsOnceItIsCollected() {
        Eventually.holds("it is collected", () -> {
            System.gc();
            look();
            return !sink.lines().isEmpty();
        });
        assertTold("T1 ended");
    }

    private void look() {
        try {
            dataSource.getConnection().close();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aConnectionThatIsCollectedWithUnreadRowsLingers() throws SQLException {
        leakRows();
        assertTold("T1 " + told("alice"));
        assertEndsOnceItIsCollected();
    }

    private void leakRows() throws SQLException {
        PreparedStatement statement = dataSource.getConnection().prepareStatement(insertThatReturns());
        statement.setString(1, "alice");
        statement.executeQuery();
    }

    /** Whoever has the rows, or the connection behind the watch, may go on with it. */
    @Test
    void aConnectionIsNotLostAsLongAsSomebodyHasWhatIsBehindIt() throws SQLException {
        AtomicReference<@Nullable Object> kept = new AtomicReference<>();
        unwrapInto(kept);
        assertTold("T1 unseen username");
        for (int i = 0; i < 3; i++) {
            System.gc();
            look();
        }
        assertTold();
        assertThat(kept.getAndSet(null)).isNotNull();
        assertEndsOnceItIsCollected();
    }

    private void unwrapInto(AtomicReference<@Nullable Object> kept) throws SQLException {
        kept.set(dataSource.getConnection().unwrap(behind()));
    }

    @Test
    void aCheckerThatReadsNoticesWhatIsLost() throws SQLException {
        JdbcIdentifiers identifiers = identifiers();
        identifiers.connect(sink);
        leakOver(WatchedDataSource.of(table.dataSource(), identifiers));
        assertTold("T1 unseen username");
        Eventually.holds("it is collected", () -> {
            System.gc();
            identifiers
                    .stores()
                    .get(IdentifierKind.USERNAME)
                    .forEach(store -> store.exists("alice", Duration.ofSeconds(20)));
            return !sink.lines().isEmpty();
        });
        assertTold("T1 ended");
    }

    private void leakOver(DataSource watched) throws SQLException {
        assertThat(watched.getConnection().unwrap(behind())).isNotNull();
    }

    @Test
    void noOtherWayLeadsBehindTheWatch() throws SQLException {
        underAutocommit(connection -> {
            assertThat(connection.unwrap(Connection.class)).isSameAs(connection);
            assertThat(connection.getMetaData().getConnection()).isSameAs(connection);
            try (Statement statement = connection.createStatement();
                    PreparedStatement prepared = connection.prepareStatement(insert)) {
                assertThat(statement.getConnection()).isSameAs(connection);
                assertThat(prepared.getConnection()).isSameAs(connection);
            }
            assertTold();
        });
    }

    @Test
    void aCheckerThatComesLaterIsToldOfWhatIsOpen() throws SQLException {
        JdbcIdentifiers identifiers = identifiers();
        look(identifiers);
        RecordingSink late = new RecordingSink();
        try (Connection connection =
                WatchedDataSource.of(table.dataSource(), identifiers).getConnection()) {
            connection.setAutoCommit(false);
            insert(connection, "alice");
            identifiers.connect(late);
            assertThat(late.take()).containsExactly("T1 adding username alice", "T1 over");
            connection.commit();
            assertThat(late.take()).containsExactly("T1 ended");
            insert(connection, "bob");
            identifiers.disconnect();
            assertThat(late.take()).containsExactly("T2 adding username bob", "T2 over", "T2 ended");
            connection.rollback();
        }
    }

    @Test
    void whatTheRegistryThrowsStopsNoStatement() throws SQLException {
        JdbcIdentifiers identifiers = identifiers();
        RecordingSink heard = new RecordingSink();
        identifiers.connect(() -> failing(heard.begin()));
        try (Connection connection =
                WatchedDataSource.of(table.dataSource(), identifiers).getConnection()) {
            insert(connection, "alice");
        }
        assertThat(table.query("select username from TABLE")).isEqualTo("alice");
        assertThat(heard.take()).containsExactly("T1 unseen username", "T1 over", "T1 ended");
    }

    private static IdentifierWrite failing(IdentifierWrite write) {
        return new IdentifierWrite() {
            @Override
            public void adding(IdentifierKind kind, String value) {
                throw new OutOfMemoryError("made up");
            }

            @Override
            public void unseen(IdentifierKind kind) {
                write.unseen(kind);
            }

            @Override
            public void over() {
                write.over();
            }

            @Override
            public void ended() {
                write.ended();
            }
        };
    }
}
