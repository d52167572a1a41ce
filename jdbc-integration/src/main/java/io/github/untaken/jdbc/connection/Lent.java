package io.github.untaken.jdbc.connection;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * The state a connection came in, so that it goes back in it.
 *
 * @param autoCommit whether autocommit was on
 * @param begins whether it is turned off
 * @param isolation TRANSACTION_NONE if it is not changed
 */
public record Lent(boolean autoCommit, boolean begins, boolean readOnly, int isolation) {

    /**
     * Ends a transaction left open, and with it its snapshot, and makes sure the connection leads to the primary.
     *
     * @param begins whether the wanted transaction has more than one statement
     * @param wanted the isolation that {@link #begin} sets; TRANSACTION_NONE to leave it
     */
    public static Lent of(Connection connection, boolean begins, int wanted) throws SQLException {
        boolean autoCommit = connection.getAutoCommit();
        if (!autoCommit) {
            connection.rollback();
        }
        // Comes first: a question might already choose the replica.
        boolean readOnly = connection.isReadOnly();
        if (readOnly) {
            connection.setReadOnly(false);
        }
        int isolation = wanted == Connection.TRANSACTION_NONE ? wanted : connection.getTransactionIsolation();
        boolean other = isolation != wanted && connection.getMetaData().supportsTransactionIsolationLevel(wanted);
        return new Lent(autoCommit, autoCommit && begins, readOnly, other ? isolation : Connection.TRANSACTION_NONE);
    }

    /** Whether the read runs in a transaction that has to be ended. */
    boolean isTransaction() {
        return begins || !autoCommit;
    }

    public void begin(Connection connection, int wanted, Database database) throws SQLException {
        if (isolation != Connection.TRANSACTION_NONE) {
            connection.setTransactionIsolation(wanted);
        }
        if (begins) {
            connection.setAutoCommit(false);
            if (database == Database.MYSQL) {
                connection.rollback(); // unlike others, MySQL keeps a transaction begun by SQL text
            }
        }
    }

    void restore(Connection connection) throws SQLException {
        if (begins) {
            connection.setAutoCommit(true);
        }
        if (isolation != Connection.TRANSACTION_NONE) {
            connection.setTransactionIsolation(isolation);
        }
        if (readOnly) {
            connection.setReadOnly(true);
        }
    }

    public void giveUp(Connection connection, Throwable why) {
        try {
            if (!connection.getAutoCommit()) {
                connection.rollback();
            }
            restore(connection);
        } catch (SQLException | RuntimeException e) {
            why.addSuppressed(e);
        }
    }
}
