package io.github.untaken.jdbc;

import io.github.untaken.spi.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Runs one read in a transaction of its own, which has read nothing before and so sees whatever is committed when its first
 * statement starts, and nothing that is not.
 *
 * <p>What the connection was lent with does not count. A transaction that somebody left open, and its snapshot, is rolled back;
 * an isolation other than READ COMMITTED shows what was, or what may never be; a read-only connection may lead to a replica,
 * which may not know yet what was just committed. Each is put back as it was.
 */
final class FreshReads {

    /** A read; what it throws is wrapped, except what is no failure of the database. */
    interface Read<T extends @Nullable Object> {
        T from(Connection connection) throws SQLException;
    }

    private final Connections connections;
    private final Database database;

    FreshReads(Connections connections, Database database) {
        this.connections = connections;
        this.database = database;
    }

    Database database() {
        return database;
    }

    /**
     * Reads what is no value of the application's.
     *
     * @param what what is read, for the message
     * @throws StoreException if the database or the pool failed
     */
    <T extends @Nullable Object> T run(String what, Read<T> read) {
        return run(what, null, read);
    }

    /** @param secret a value that no message may contain; an exception that quotes it is reported without its text */
    <T extends @Nullable Object> T run(String what, @Nullable String secret, Read<T> read) {
        try {
            Connection connection = open();
            try {
                return alone(connection, read);
            } finally {
                connections.close(connection);
            }
        } catch (SQLException e) {
            throw failure(what, secret, e);
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

    private static <T extends @Nullable Object> T alone(Connection connection, Read<T> read) throws SQLException {
        boolean autoCommit = connection.getAutoCommit();
        if (!autoCommit) {
            connection.rollback();
        }
        // Before anything is asked: that might choose the replica.
        boolean readOnly = connection.isReadOnly();
        if (readOnly) {
            connection.setReadOnly(false);
        }
        int isolation = connection.getTransactionIsolation();
        boolean otherIsolation = isolation != Connection.TRANSACTION_READ_COMMITTED
                && connection.getMetaData().supportsTransactionIsolationLevel(Connection.TRANSACTION_READ_COMMITTED);
        Lent lent = new Lent(autoCommit, readOnly, otherIsolation ? isolation : Connection.TRANSACTION_NONE);
        T result;
        try {
            if (otherIsolation) {
                connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
            }
            if (autoCommit) {
                connection.setAutoCommit(false);
            }
            result = read.from(connection);
            connection.commit();
        } catch (Throwable e) {
            lent.giveUp(connection, e);
            throw e;
        }
        lent.restore(connection);
        return result;
    }

    /**
     * How a connection came.
     *
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

    private static StoreException failure(String what, @Nullable String secret, SQLException e) {
        String message = what + " could not be read (SQLSTATE " + e.getSQLState() + ')';
        return quotes(e, secret)
                ? new StoreException(message + "; the cause quotes a value and is left out")
                : new StoreException(message, e);
    }

    private static boolean quotes(Throwable e, @Nullable String secret) {
        for (Throwable cause = e; secret != null && cause != null; cause = cause.getCause()) {
            if (cause.getMessage() != null && cause.getMessage().contains(secret)) {
                return true;
            }
        }
        return false;
    }
}
