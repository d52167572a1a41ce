package io.github.untaken.jdbc;

import io.github.untaken.spi.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Runs one read in a transaction of its own. It sees everything that is committed when its first statement starts, and
 * nothing else.
 *
 * <p>The state of the connection does not matter. A transaction that somebody left open is rolled back, and its
 * snapshot goes with it. An isolation other than READ COMMITTED would show what was, or what may never be; a read-only
 * connection may lead to a replica, which may not know yet what was just committed. Both are changed for the read and
 * put back after it.
 */
final class FreshReads {

    /** A read. A failure of the database is wrapped, anything else is passed on. */
    interface Read<T extends @Nullable Object> {
        T from(Connection connection) throws SQLException;
    }

    /** Thrown by a read whose answer says that it was not made under READ COMMITTED. */
    static final class OtherIsolation extends SQLException {
        private static final long serialVersionUID = 1L;

        OtherIsolation() {
            super("this was not read under READ COMMITTED", "25001");
        }
    }

    private final Connections connections;
    private final Database database;
    private volatile boolean answersTellIsolation;

    FreshReads(Connections connections, Database database) {
        this.connections = connections;
        this.database = database;
        this.answersTellIsolation = database == Database.POSTGRESQL || database == Database.MYSQL;
    }

    Database database() {
        return database;
    }

    /**
     * Reads something that is no value of the application's.
     *
     * @param what what is read, for the message
     * @throws StoreException if the database or the pool failed
     */
    <T extends @Nullable Object> T run(String what, Read<T> read) {
        return run(what, List.of(), false, read);
    }

    /**
     * As {@link #run}, and fails if it was not the primary that has shown this: it is asked afterwards, for one that writes still was one
     * before.
     */
    <T extends @Nullable Object> T fromPrimary(String what, Read<T> read) {
        return run(what, connection -> {
            T result = read.from(connection);
            if (database.isReplica(connection)) {
                throw Lookup.notThePrimary();
            }
            return result;
        });
    }

    /**
     * Asks for values. The statements of such a read need not see one state of the database, so under autocommit each
     * may be a transaction of its own on H2, PostgreSQL and MariaDB. That saves the round trip which ends a transaction,
     * and on the latter two the one that asks for the isolation, since their answers tell that themselves ({@link
     * OtherIsolation}). Such a read may be made twice.
     *
     * <p>On other databases nobody has tried what a transaction begun by a text of SQL does to this; MySQL cannot tell of
     * one, and says so in its first answer. Where autocommit is off, reads of both may lock rows under SERIALIZABLE, so there
     * the isolation is asked first.
     *
     * @param values what is asked for; no message quotes one, see {@link ReadFailure}
     */
    <T> T ask(String what, List<String> values, Read<T> read) {
        boolean byItself = database == Database.H2 || database == Database.POSTGRESQL || database == Database.MYSQL;
        return run(what, values, byItself, read);
    }

    private <T extends @Nullable Object> T run(String what, List<String> values, boolean byItself, Read<T> read) {
        try {
            Connection connection = open();
            try {
                if (byItself && answersTellIsolation && (database != Database.MYSQL || connection.getAutoCommit())) {
                    try {
                        return alone(connection, true, true, read);
                    } catch (OtherIsolation e) {
                        answersTellIsolation = false; // from now on it is worth asking each connection
                    }
                }
                // What a text of SQL has begun goes on under autocommit.
                return alone(connection, byItself && database != Database.MYSQL, false, read);
            } finally {
                connections.close(connection);
            }
        } catch (SQLException e) {
            throw ReadFailure.of(what + " could not be read (SQLSTATE " + e.getSQLState() + ')', values, e);
        }
    }

    private Connection open() throws SQLException {
        try {
            return connections.open();
        } catch (StoreException e) {
            throw e;
        } catch (RuntimeException e) { // a pool's own
            throw new SQLException("no connection", "08001", e);
        }
    }

    /**
     * In a transaction of its own.
     *
     * @param byItself whether autocommit may stay on
     * @param tellsIsolation whether the read fails if it was not READ COMMITTED
     */
    private <T extends @Nullable Object> T alone(
            Connection connection, boolean byItself, boolean tellsIsolation, Read<T> read) throws SQLException {
        boolean autoCommit = connection.getAutoCommit();
        if (!autoCommit) {
            connection.rollback();
        }
        // First of all: a question might already choose the replica.
        boolean readOnly = connection.isReadOnly();
        if (readOnly) {
            connection.setReadOnly(false);
        }
        boolean begins = autoCommit && !byItself;
        int isolation = tellsIsolation ? Connection.TRANSACTION_READ_COMMITTED : connection.getTransactionIsolation();
        boolean otherIsolation = isolation != Connection.TRANSACTION_READ_COMMITTED
                && connection.getMetaData().supportsTransactionIsolationLevel(Connection.TRANSACTION_READ_COMMITTED);
        Lent lent = new Lent(begins, readOnly, otherIsolation ? isolation : Connection.TRANSACTION_NONE);
        T result;
        try {
            if (otherIsolation) {
                connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
            }
            if (begins) {
                connection.setAutoCommit(false);
                if (database == Database.MYSQL) {
                    connection.rollback(); // unlike others, it keeps a transaction begun by a text of SQL
                }
            }
            result = read.from(connection);
            if (begins || !autoCommit) {
                connection.commit();
            }
        } catch (Throwable e) {
            lent.giveUp(connection, e);
            throw e;
        }
        lent.restore(connection);
        return result;
    }

    /**
     * In what state a connection came.
     *
     * @param autoCommit whether autocommit was on and was turned off
     * @param isolation TRANSACTION_NONE if it was not changed
     */
    private record Lent(boolean autoCommit, boolean readOnly, int isolation) {

        void restore(Connection connection) throws SQLException {
            if (autoCommit) {
                connection.setAutoCommit(true);
            }
            if (isolation != Connection.TRANSACTION_NONE) {
                connection.setTransactionIsolation(isolation);
            }
            if (readOnly) {
                connection.setReadOnly(true);
            }
        }

        void giveUp(Connection connection, Throwable why) {
            try {
                if (!connection.getAutoCommit()) {
                    connection.rollback();
                }
                restore(connection);
            } catch (SQLException e) {
                why.addSuppressed(e);
            }
        }
    }
}
