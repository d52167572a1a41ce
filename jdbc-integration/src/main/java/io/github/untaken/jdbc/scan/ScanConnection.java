package io.github.untaken.jdbc.scan;

import io.github.untaken.jdbc.connection.FreshReads;
import io.github.untaken.jdbc.connection.Lent;
import io.github.untaken.jdbc.connection.NetworkTimeout;
import io.github.untaken.jdbc.connection.SpareConnections;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** A connection that a scan has to itself, in a transaction of its own. It goes back in the state it came in. */
final class ScanConnection {
    private final FreshReads pool;
    private final Connection connection;
    private final Lent lent;
    private final NetworkTimeout timeout;

    private ScanConnection(FreshReads pool, Connection connection, Lent lent, NetworkTimeout timeout) {
        this.pool = pool;
        this.connection = connection;
        this.lent = lent;
        this.timeout = timeout;
    }

    /** @param isolation TRANSACTION_NONE to leave it */
    static ScanConnection open(FreshReads pool, int isolation) throws SQLException {
        return of(pool.open(), pool, isolation);
    }

    /** One more beside others. Null if the pool has none to spare for as long as a scan takes, since it would be the last. */
    static @Nullable ScanConnection another(FreshReads pool, int isolation) throws SQLException {
        Connection connection = SpareConnections.another(pool::open, pool::giveBack);
        if (connection == null) {
            return null;
        }
        Connection left = SpareConnections.another(pool::open, pool::giveBack);
        if (left == null) {
            pool.giveBack(connection);
            return null;
        }
        pool.giveBack(left);
        return of(connection, pool, isolation);
    }

    private static ScanConnection of(Connection connection, FreshReads pool, int isolation) throws SQLException {
        NetworkTimeout timeout = null;
        Lent lent = null;
        try {
            timeout = NetworkTimeout.on(connection, FreshReads.MOST_SILENCE);
            lent = Lent.of(connection, true, isolation);
            lent.begin(connection, isolation, pool.database());
            return new ScanConnection(pool, connection, lent, timeout);
        } catch (Throwable e) {
            if (lent != null) {
                lent.giveUp(connection, e);
            }
            if (timeout != null) {
                timeout.putBack();
            }
            pool.giveBack(connection);
            throw e;
        }
    }

    Connection connection() {
        return connection;
    }

    /** For rows that would otherwise be read to the end before they can be closed. */
    void abort() {
        try {
            connection.abort(Runnable::run);
        } catch (SQLException | RuntimeException e) {
            // Then they are read to the end.
        }
    }

    /** Ends the transaction. Never throws: a broken connection goes back broken, and the pool finds out. */
    void giveBack() {
        lent.giveUp(connection, new SQLException("a scan has ended"));
        timeout.putBack();
        try {
            pool.giveBack(connection);
        } catch (SQLException | RuntimeException e) {
            // as above
        }
    }
}
