package io.github.untaken.jpa.hibernate.table;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.hibernate.dialect.Dialect;
import org.hibernate.dialect.H2Dialect;
import org.hibernate.dialect.PostgreSQLDialect;

/**
 * Waits until every transaction of the database that had written when the wait began has ended, other programs' included.
 *
 * <p>H2: each session that held uncommitted changes at the start has been seen without, or is gone. PostgreSQL: each
 * transaction that had an id at the start is gone. Other databases: nothing is waited for, which
 * is logged; what this application writes is still known from its own events.
 */
interface DatabaseBarrier {
    System.Logger LOG = System.getLogger("io.github.untaken.jpa");

    void await(FreshReads reads, Duration timeout);

    static DatabaseBarrier of(Dialect dialect) {
        if (dialect instanceof H2Dialect) {
            return new H2();
        }
        if (dialect instanceof PostgreSQLDialect) {
            return new PostgreSql();
        }
        return new Unsupported(dialect.getClass().getSimpleName());
    }

    /** Sessions are told apart by number and start, since numbers are used again. */
    final class H2 implements DatabaseBarrier {
        private static final String WHAT = "the sessions of the database";
        private final AtomicBoolean told = new AtomicBoolean();

        @Override
        public void await(FreshReads reads, Duration timeout) {
            Set<String> writing = reads.run(WHAT, null, (connection, session) -> writing(connection));
            Polling.await("transactions that had written before the scan", timeout, () -> {
                if (!writing.isEmpty()) {
                    writing.retainAll(reads.run(WHAT, null, (connection, session) -> writing(connection)));
                }
                return writing.isEmpty();
            });
        }

        private Set<String> writing(Connection connection) throws SQLException {
            Set<String> writing = new HashSet<>();
            if (!seesAll(connection)) {
                return writing;
            }
            try (PreparedStatement statement = connection.prepareStatement("select SESSION_ID, SESSION_START"
                            + " from INFORMATION_SCHEMA.SESSIONS where CONTAINS_UNCOMMITTED");
                    ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    writing.add(rows.getString(1) + '@' + rows.getString(2));
                }
            }
            return writing;
        }

        private boolean seesAll(Connection connection) throws SQLException {
            try (PreparedStatement statement = connection.prepareStatement(
                            "select 1 from INFORMATION_SCHEMA.USERS" + " where USER_NAME = CURRENT_USER and IS_ADMIN");
                    ResultSet admin = statement.executeQuery()) {
                if (admin.next()) {
                    return true;
                }
            }
            if (told.compareAndSet(false, true)) {
                LOG.log(
                        System.Logger.Level.WARNING,
                        "The database user is no H2 administrator and cannot see the transactions of other sessions:"
                                + " what another program has written but not committed when a scan starts can stay unknown"
                                + " until the next scan.");
            }
            return false;
        }
    }

    /**
     * Each transaction that has written holds the lock of its own id until its end is visible. The bounds of a snapshot
     * would not do: they start above the newest transaction that has <em>ended</em>, so that newer ones, still open, look as
     * if they were to come.
     */
    final class PostgreSql implements DatabaseBarrier {
        private static final String WHAT = "the transactions of the database";

        /** Anybody may read these views. One of which nobody knows the database is waited for. */
        private static final String WRITING = "select l.transactionid::text from pg_catalog.pg_locks l"
                + " left join pg_catalog.pg_stat_activity a on a.pid = l.pid"
                + " left join pg_catalog.pg_prepared_xacts p on p.transaction = l.transactionid"
                + " where l.locktype = 'transactionid' and l.mode = 'ExclusiveLock' and l.granted"
                + " and coalesce(a.datname, p.database, current_database()) = current_database()";

        @Override
        public void await(FreshReads reads, Duration timeout) {
            Set<String> open = reads.run(WHAT, null, (connection, session) -> writing(connection));
            Polling.awaitEverLessOften("transactions that had written before the scan", timeout, () -> {
                if (!open.isEmpty()) {
                    open.retainAll(reads.run(WHAT, null, (connection, session) -> writing(connection)));
                }
                return open.isEmpty();
            });
        }

        private static Set<String> writing(Connection connection) throws SQLException {
            Set<String> writing = new HashSet<>();
            try (PreparedStatement statement = connection.prepareStatement(WRITING);
                    ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    writing.add(rows.getString(1));
                }
            }
            return writing;
        }
    }

    /** Says so once. */
    final class Unsupported implements DatabaseBarrier {
        private final String dialect;
        private final AtomicBoolean told = new AtomicBoolean();

        Unsupported(String dialect) {
            this.dialect = dialect;
        }

        @Override
        public void await(FreshReads reads, Duration timeout) {
            if (told.compareAndSet(false, true)) {
                LOG.log(
                        System.Logger.Level.WARNING,
                        "There is no way to wait for open transactions under " + dialect + ": what another program has"
                                + " written but not committed when a scan starts can stay unknown until the next scan.");
            }
        }
    }
}
