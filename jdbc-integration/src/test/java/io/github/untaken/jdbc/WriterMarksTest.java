package io.github.untaken.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.jdbc.connection.Connections;
import io.github.untaken.jdbc.watch.OpenTransactions;
import io.github.untaken.jdbc.writer.WriterMarks;
import io.github.untaken.spi.RegisteredIdentifierStore.Exclusive.Standing;
import io.github.untaken.test.database.Engine;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** What becomes of the connection that holds the marks. */
class WriterMarksTest {
    private final AtomicBoolean refusing = new AtomicBoolean();
    private final Set<Connection> lent = ConcurrentHashMap.newKeySet();

    /** A pool that refuses at once what it has not. */
    private record Few(Connections pool, Semaphore left) implements Connections {
        Few(Connections pool, int connections) {
            this(pool, new Semaphore(connections));
        }

        @Override
        public Connection open() throws SQLException {
            if (!left.tryAcquire()) {
                throw new SQLException("none is left");
            }
            return pool.open();
        }

        @Override
        public void close(Connection connection) throws SQLException {
            left.release();
            pool.close(connection);
        }
    }

    /** Of a pool that lets nobody turn autocommit off while it is refusing. */
    private final class Refusing implements Connections {
        private final Connections pool;

        Refusing(Connections pool) {
            this.pool = pool;
        }

        @Override
        public Connection open() throws SQLException {
            Connection connection = pool.open();
            Connection proxy = (Connection) Proxy.newProxyInstance(
                    Connection.class.getClassLoader(), new Class<?>[] {Connection.class}, (self, method, arguments) -> {
                        if (method.getName().equals("setAutoCommit") && refusing.get()) {
                            throw new SQLException("not now");
                        }
                        try {
                            return method.getName().equals("equals")
                                    ? self == arguments[0]
                                    : method.invoke(connection, arguments);
                        } catch (InvocationTargetException e) {
                            throw e.getCause();
                        }
                    });
            lent.add(proxy);
            return proxy;
        }

        @Override
        public void close(Connection connection) throws SQLException {
            lent.remove(connection);
            connection.close();
        }
    }

    /** The application has all the others, and who writes without a mark is not seen. */
    @Test
    void aMarkThatWasLostTakesTheNextConnectionOfAPoolThatHadOneToSpare() throws SQLException {
        TestTable table = TestTable.on(Engine.POSTGRESQL, "varchar(40)");
        Few pool = new Few(new IdleConnections(table.url(), connection -> {}), 3);
        WriterMarks marks = new WriterMarks(pool, new OpenTransactions(), marked -> new HashSet<>());
        marks.mark(table.column());
        Connection held = pool.open();
        assertThat(marks.standing(table.column())).isEqualTo(Standing.ALONE);
        table.query("select count(pg_terminate_backend(pid, 10000)) from pg_locks where locktype = 'advisory'");
        assertThat(marks.standing(table.column())).isEqualTo(Standing.UNKNOWN);
        Connection alsoHeld = pool.open();

        marks.mark(table.column());

        assertThat(marks.standing(table.column())).isEqualTo(Standing.ALONE);
        marks.leave(table.column());
        pool.close(held);
        pool.close(alsoHeld);
        table.close();
    }

    @Test
    void aConnectionThatCannotBePutBackAsItWasGoesBackAllTheSame() {
        TestTable table = TestTable.on(Engine.POSTGRESQL, "varchar(40)");
        WriterMarks marks = new WriterMarks(
                new Refusing(new IdleConnections(table.url(), connection -> {})),
                new OpenTransactions(),
                marked -> new HashSet<>());
        marks.mark(table.column());
        assertThat(lent).hasSize(1);
        refusing.set(true);
        marks.leave(table.column());
        assertThat(lent).isEmpty();
        table.close();
    }

    /** By a pooler, which gives the connection on as if it were new. */
    @Test
    void aMarkThatIsGoneThoughItsConnectionStandsIsSetAgain() throws SQLException {
        TestTable table = TestTable.on(Engine.POSTGRESQL, "varchar(40)");
        List<Connection> opened = new ArrayList<>();
        WriterMarks marks = new WriterMarks(
                new IdleConnections(table.url(), opened::add), new OpenTransactions(), marked -> new HashSet<>());
        marks.mark(table.column());
        assertThat(marks.standing(table.column())).isEqualTo(Standing.ALONE);
        for (Connection one : opened) {
            one.createStatement().execute("discard all");
        }
        assertThat(marks.standing(table.column())).isEqualTo(Standing.UNKNOWN);

        marks.mark(table.column());

        assertThat(marks.standing(table.column())).isEqualTo(Standing.ALONE);
        marks.leave(table.column());
        table.close();
    }

    /** Who waited for a connection when the pool was closed. */
    @Test
    void noMarkIsSetAfterTheEnd() {
        TestTable table = TestTable.on(Engine.POSTGRESQL, "varchar(40)");
        WriterMarks marks = new WriterMarks(
                new Refusing(new IdleConnections(table.url())), new OpenTransactions(), marked -> new HashSet<>());
        marks.leaveAll();

        marks.mark(table.column());

        assertThat(lent).isEmpty();
        assertThat(marks.standing(table.column())).isEqualTo(Standing.UNKNOWN);
        table.close();
    }

    /** To turn autocommit on commits whatever is open. */
    @Test
    void whatSomebodyLeftUncommittedIsNotCommittedByAMark() throws SQLException {
        TestTable table = TestTable.on(Engine.POSTGRESQL, "varchar(40)");
        IdleConnections pool = new IdleConnections(table.url(), connection -> connection.setAutoCommit(false));
        Connection left = pool.open();
        table.insert(left, "alice");
        pool.close(left);
        WriterMarks marks = new WriterMarks(pool, new OpenTransactions(), marked -> new HashSet<>());

        marks.mark(table.column());

        assertThat(marks.standing(table.column())).isEqualTo(Standing.ALONE);
        assertThat(table.query("select count(*) from TABLE")).isEqualTo("0");
        marks.leave(table.column());
        pool.close();
        table.close();
    }
}
