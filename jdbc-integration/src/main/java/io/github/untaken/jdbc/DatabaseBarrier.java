package io.github.untaken.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;

/**
 * Waits until every transaction that had written a table when the wait began has ended, other programs' included.
 *
 * <p>On H2 each session that had uncommitted changes then, in any table, must have been seen without, or be gone. On
 * PostgreSQL each transaction that had written anything, and held a lock for writing the table, must be gone; on MariaDB
 * and MySQL each that had written any table of InnoDB. On other databases nothing is waited for, and the log says so; what this application writes is still known from its own
 * events.
 */
interface DatabaseBarrier {
    System.Logger LOG = System.getLogger("io.github.untaken.jdbc");

    void await(IdentifierColumn column, FreshReads reads, Duration timeout);

    static DatabaseBarrier of(Database database) {
        if (database == Database.H2) {
            return new H2();
        }
        if (database == Database.MYSQL) {
            return new InnoDbBarrier();
        }
        return database == Database.POSTGRESQL ? new PostgreSql() : new Unsupported();
    }

    /** Sessions are told apart by number and start, since numbers are used again. */
    final class H2 implements DatabaseBarrier {
        private static final String WHAT = "the sessions of the database";
        private final AtomicBoolean told = new AtomicBoolean();

        @Override
        public void await(IdentifierColumn column, FreshReads reads, Duration timeout) {
            Set<String> writing = reads.run(WHAT, this::writing);
            Polling.await("transactions that had written before the scan", timeout, () -> {
                if (!writing.isEmpty()) {
                    writing.retainAll(reads.run(WHAT, this::writing));
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
                            "select 1 from INFORMATION_SCHEMA.USERS where USER_NAME = CURRENT_USER and IS_ADMIN");
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
     * A transaction that has written holds the lock of its own id until its end is visible, and a lock on each table it
     * wrote. The bounds of a snapshot would not do: they begin above the newest transaction that has <em>ended</em>, so
     * that newer ones, still open, look as if they were yet to come. A lock without such an id belongs to a reader, or
     * to somebody who has written nothing yet. The table's partitions and children count. Which tables stand behind a
     * view is not known, so there everybody is waited for. A transaction that is prepared meanwhile keeps its id.
     */
    final class PostgreSql implements DatabaseBarrier {
        private static final String WHAT = "the transactions of the database";

        /** How many of them a message names. */
        private static final int MOST = 5;

        /**
         * Every user may read these views. Where everybody is waited for, that includes a transaction of which no
         * database is known. The locks are read once: a second look may find a transaction prepared that the first saw
         * open. A row without an id says that a replica answered.
         */
        private static final String WRITING = "with recursive watched as (select ?::regclass::oid as id"
                + " union select i.inhrelid from pg_catalog.pg_inherits i join watched w on i.inhparent = w.id),"
                + " locks as materialized (select * from pg_catalog.pg_locks where granted),"
                + " writing as (select r.virtualtransaction from locks r where r.locktype = 'relation'"
                + " and r.database = (select d.oid from pg_catalog.pg_database d where d.datname = current_database())"
                + " and r.mode in ('RowExclusiveLock', 'ShareUpdateExclusiveLock', 'ShareLock',"
                + " 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')"
                + " and r.relation in (select w.id from watched w))"
                + " select l.transactionid::text, coalesce('pid ' || l.pid || ' (' || a.application_name || ')',"
                + " 'the prepared transaction ' || quote_literal(p.gid), 'pid ' || l.pid) from locks l"
                + " left join pg_catalog.pg_stat_activity a on a.pid = l.pid"
                + " left join pg_catalog.pg_prepared_xacts p on p.transaction = l.transactionid"
                + " where l.locktype = 'transactionid' and l.mode = 'ExclusiveLock'"
                + " and (l.virtualtransaction in (select w.virtualtransaction from writing w)"
                + " or coalesce(a.datname, p.database, current_database()) = current_database()"
                + " and (select c.relkind not in ('r', 'p') from pg_catalog.pg_class c where c.oid = ?::regclass))"
                + " union all select null, null where pg_is_in_recovery()";

        @Override
        public void await(IdentifierColumn column, FreshReads reads, Duration timeout) {
            Map<String, String> open = reads.run(WHAT, connection -> writing(column, connection));
            Polling.awaitEverLessOften(() -> message(column, open), timeout, () -> {
                if (!open.isEmpty()) {
                    open.keySet()
                            .retainAll(reads.run(WHAT, connection -> writing(column, connection))
                                    .keySet());
                }
                return open.isEmpty();
            });
        }

        /** Who has written, by the id of the transaction. */
        private static Map<String, String> writing(IdentifierColumn column, Connection connection) throws SQLException {
            Map<String, String> writing = new HashMap<>();
            try (PreparedStatement statement = connection.prepareStatement(WRITING)) {
                statement.setString(1, column.table());
                statement.setString(2, column.table());
                try (ResultSet rows = statement.executeQuery()) {
                    while (rows.next()) {
                        String id = rows.getString(1);
                        if (id == null) {
                            throw Lookup.notThePrimary();
                        }
                        writing.put(id, rows.getString(2));
                    }
                }
            }
            return writing;
        }

        private static String message(IdentifierColumn column, Map<String, String> open) {
            Set<String> culprits = new TreeSet<>(open.values());
            return "transactions that had written " + column.table() + " before the scan, of "
                    + culprits.stream().limit(MOST).collect(Collectors.joining(", "))
                    + (culprits.size() > MOST ? " and others," : ",");
        }
    }

    /** Waits for nobody, and says so once. */
    final class Unsupported implements DatabaseBarrier {
        private final AtomicBoolean told = new AtomicBoolean();

        @Override
        public void await(IdentifierColumn column, FreshReads reads, Duration timeout) {
            if (told.compareAndSet(false, true)) {
                LOG.log(
                        System.Logger.Level.WARNING,
                        "There is no way to wait for the open transactions of this database: what another program has"
                                + " written but not committed when a scan starts can stay unknown until the next scan.");
            }
        }
    }
}
