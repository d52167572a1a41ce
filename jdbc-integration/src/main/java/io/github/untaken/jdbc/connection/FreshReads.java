package io.github.untaken.jdbc.connection;

import io.github.untaken.spi.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Runs one read in a transaction of its own. It sees everything committed before its first statement starts, and nothing else.
 *
 * <p>The state of the connection does not matter. A transaction left open is rolled back, and its snapshot goes with it. An isolation other
 * than READ COMMITTED would show what was, or what may never be; a read-only connection may lead to a replica that lags behind the last
 * commit. Both are changed for the read and put back after it. So is the network timeout: a read that hears nothing ends with its
 * connection.
 */
public final class FreshReads {

    /** A read. A database failure is wrapped, anything else is passed on. */
    public interface Read<T extends @Nullable Object> {
        T from(Connection connection) throws SQLException;
    }

    /** Thrown by a read whose answer says that it did not run under READ COMMITTED. */
    static final class OtherIsolation extends SQLException {
        private static final long serialVersionUID = 1L;

        OtherIsolation() {
            super("the read did not run under READ COMMITTED", "25001");
        }
    }

    /** How long a scan may have to wait for its next row, or for a count of all. */
    public static final Duration MOST_SILENCE = Duration.ofMinutes(5);

    /** The server's own timeout, where there is one, comes first. */
    private static final Duration MARGIN = Duration.ofSeconds(1);

    private final Connections connections;
    private final Database database;
    private volatile boolean answersTellIsolation;

    public FreshReads(Connections connections, Database database) {
        this.connections = connections;
        this.database = database;
        this.answersTellIsolation = database == Database.POSTGRESQL || database == Database.MYSQL;
    }

    public Database database() {
        return database;
    }

    /**
     * Reads something that is not a value of the application's.
     *
     * @param what what is read, for the message
     * @throws StoreException if the database or the pool failed
     */
    public <T extends @Nullable Object> T run(String what, Read<T> read) {
        return run(what, List.of(), false, MOST_SILENCE, read);
    }

    /** Like {@link #run}, but fails if a replica answered. The server is asked after the read: if it accepts writes then, it did before. */
    public <T extends @Nullable Object> T fromPrimary(String what, Read<T> read) {
        return run(what, connection -> {
            T result = read.from(connection);
            if (database.isReplica(connection)) {
                throw Lookup.notThePrimary();
            }
            return result;
        });
    }

    /**
     * Asks for values. The statements of such a read need not see one state of the database, so on H2, PostgreSQL, MariaDB and MySQL each
     * may be a transaction of its own under autocommit. That saves the round trip that ends a transaction. On all but H2 it also saves the
     * one that asks for the isolation, since the answers tell it ({@link OtherIsolation}). Such a read may run twice.
     *
     * <p>On other databases nobody has tried how a transaction begun by SQL text affects this. With autocommit off, reads may lock rows
     * under SERIALIZABLE on all but H2, so the isolation is asked first.
     *
     * @param values what is asked for; no message quotes one, see {@link ReadFailure}
     * @param timeout how long it may take
     */
    public <T> T ask(String what, List<String> values, Duration timeout, Read<T> read) {
        boolean byItself = database == Database.H2 || database == Database.POSTGRESQL || database == Database.MYSQL;
        return run(what, values, byItself, timeout.plus(MARGIN), read);
    }

    private <T extends @Nullable Object> T run(
            String what, List<String> values, boolean byItself, Duration silence, Read<T> read) {
        try {
            Connection connection = open();
            NetworkTimeout timeout = null;
            try {
                timeout = NetworkTimeout.on(connection, silence);
                if (byItself && answersTellIsolation && (database != Database.MYSQL || connection.getAutoCommit())) {
                    try {
                        return alone(connection, true, true, read);
                    } catch (OtherIsolation e) {
                        answersTellIsolation = false; // from now on, asking each connection pays
                    }
                }
                // A transaction begun by SQL text goes on under autocommit.
                return alone(connection, byItself && database != Database.MYSQL, false, read);
            } finally {
                if (timeout != null) {
                    timeout.putBack();
                }
                connections.close(connection);
            }
        } catch (SQLException e) {
            throw ReadFailure.of(what + " could not be read (SQLSTATE " + e.getSQLState() + ')', values, e);
        }
    }

    /** Return it with {@link #giveBack}, in the state it came in. */
    public Connection open() throws SQLException {
        try {
            return connections.open();
        } catch (StoreException e) {
            throw e;
        } catch (RuntimeException e) { // the pool's own
            throw new SQLException("no connection", "08001", e);
        }
    }

    public void giveBack(Connection connection) throws SQLException {
        connections.close(connection);
    }

    /**
     * In a transaction of its own.
     *
     * @param byItself whether autocommit may stay on
     * @param tellsIsolation whether the read fails if it was not READ COMMITTED
     */
    private <T extends @Nullable Object> T alone(
            Connection connection, boolean byItself, boolean tellsIsolation, Read<T> read) throws SQLException {
        int wanted = tellsIsolation ? Connection.TRANSACTION_NONE : Connection.TRANSACTION_READ_COMMITTED;
        Lent lent = Lent.of(connection, !byItself, wanted);
        T result;
        try {
            lent.begin(connection, wanted, database);
            result = read.from(connection);
            if (lent.isTransaction()) {
                connection.commit();
            }
        } catch (Throwable e) {
            lent.giveUp(connection, e);
            throw e;
        }
        lent.restore(connection);
        return result;
    }
}
