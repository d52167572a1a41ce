package io.github.untaken.jdbc.writer;

import io.github.untaken.jdbc.column.IdentifierColumn;
import io.github.untaken.jdbc.connection.Polling;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * PostgreSQL shows everybody's locks to everybody. A transaction that writes rows of a table holds or awaits a lock on it until its end,
 * whether it has a number yet or not; a definition that may add rows holds a stronger one. The table's partitions and children count. The
 * tables behind a view are not known, so for a view all writers of any table are waited for. The bounds of a snapshot would not do: they
 * begin above the newest transaction that has <em>ended</em>.
 *
 * <p>Other products have such a list, but it is empty, late, or of one node. So the product is asked, and each look takes a lock itself,
 * which the same list must show.
 */
final class PostgreSqlWriters implements Writers {
    /** Excludes others whose version begins like PostgreSQL's. */
    private static final Pattern KNOWN =
            Pattern.compile("PostgreSQL [1-9]\\d(\\.\\d+|(beta|rc)\\d+|devel)(?! \\(Greenplum)( \\(.*\\))? on .*");

    /** With one of these, others write what this server shows, or this one writes what others show. */
    private static final String PRODUCT =
            "select version(), (select string_agg(extname, ', ') from pg_catalog.pg_extension"
                    + " where extname in ('citus', 'bdr', 'spock', 'pgactive'))";

    private static final String NOT_AVAILABLE = "55P03";
    private static final String NO_RIGHT = "42501";
    private static final String NO_TABLE = "42809";

    /**
     * The locks are read once: a second reading may find a transaction prepared that the first saw open. Each is named by its virtual
     * number and, once it has one, by its own: a prepared one loses the former in a crash. A lock for redefinition counts if something was
     * written; otherwise it is a vacuum's.
     */
    private static final String OPEN = "with recursive watched as (select ?::regclass::oid as id"
            + " union select i.inhrelid from pg_catalog.pg_inherits i join watched w on i.inhparent = w.id),"
            + " kinds as (select c.relkind from watched w join pg_catalog.pg_class c on c.oid = w.id),"
            + " held as materialized (select * from pg_catalog.pg_locks),"
            + " named as (select h.virtualtransaction, h.pid, h.transactionid from held h"
            + " where h.locktype in ('virtualxid', 'transactionid') and h.mode = 'ExclusiveLock' and h.granted),"
            + " here as (select h.* from held h where h.locktype = 'relation'"
            + " and h.database = (select d.oid from pg_catalog.pg_database d where d.datname = current_database())),"
            + " writing as (select h.virtualtransaction from here h"
            + " where (h.relation in (select id from watched)"
            + " or h.relation >= 16384 and exists (select from kinds where relkind = 'v'))"
            + " and (h.mode in ('RowExclusiveLock', 'AccessExclusiveLock')"
            + " or h.granted and h.mode in ('ShareUpdateExclusiveLock', 'ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock')"
            + " and h.virtualtransaction in (select n.virtualtransaction from named n where n.transactionid is not null)))"
            + " select 'open', coalesce(n.transactionid::text, n.virtualtransaction),"
            + " coalesce('pid ' || n.pid || ' (' || a.application_name || ')',"
            + " 'the prepared transaction ' || quote_literal(p.gid), 'pid ' || n.pid, 'a prepared transaction')"
            + " from named n left join pg_catalog.pg_stat_activity a on a.pid = n.pid"
            + " left join pg_catalog.pg_prepared_xacts p on p.transaction = n.transactionid"
            + " where n.virtualtransaction in (select w.virtualtransaction from writing w)"
            + " union all select 'own', '', '' where exists (select from here h where h.relation = ?::regclass"
            + " and h.pid = pg_backend_pid() and h.mode = 'AccessShareLock' and h.granted)"
            + " union all select 'elsewhere', '', '' where exists (select from kinds where relkind not in ('r', 'p', 'v'))";

    @Override
    public Look look(IdentifierColumn column, Connection connection) throws SQLException {
        String other = otherProduct(connection);
        if (other != null) {
            return Look.missing(other + " does not show on one server who has written: use plain PostgreSQL");
        }
        try (Statement statement = connection.createStatement()) {
            // Waiting behind a waiting definition would hold up all the application's readers.
            statement.execute("lock table only " + column.table() + " in access share mode nowait");
        } catch (SQLException e) {
            connection.rollback();
            if (NOT_AVAILABLE.equals(e.getSQLState())) {
                return Look.STALE;
            }
            if (NO_RIGHT.equals(e.getSQLState())) {
                return Look.missing("The database user may not read all of " + column.table() + ", so it cannot lock it"
                        + " against redefinition: GRANT SELECT on the whole table or view");
            }
            if (NO_TABLE.equals(e.getSQLState())) {
                return Look.missing(elsewhere(column));
            }
            throw e;
        }
        return open(column, connection);
    }

    private static @Nullable String otherProduct(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(PRODUCT);
                ResultSet row = statement.executeQuery()) {
            row.next();
            return isKnown(row.getString(1)) ? row.getString(2) : row.getString(1);
        }
    }

    static boolean isKnown(String version) {
        return KNOWN.matcher(version).matches();
    }

    private static Look open(IdentifierColumn column, Connection connection) throws SQLException {
        Map<String, String> open = new HashMap<>();
        boolean sawOwn = false;
        try (PreparedStatement statement = connection.prepareStatement(OPEN)) {
            statement.setString(1, column.table());
            statement.setString(2, column.table());
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    switch (rows.getString(1)) {
                        case "own" -> sawOwn = true;
                        case "elsewhere" -> {
                            return Look.missing(elsewhere(column));
                        }
                        default -> open.put(rows.getString(2), rows.getString(3));
                    }
                }
            }
        }
        return sawOwn ? Look.of(open) : Look.missing("pg_locks does not show the lock of the very session that asks");
    }

    private static String elsewhere(IdentifierColumn column) {
        return column.table()
                + ", or a part of it, is not an ordinary PostgreSQL table or view, so nothing shows who writes it";
    }

    /** No ended transaction is taken for a later one. */
    @Override
    public LongSupplier intervals() {
        return Polling.everLessOften();
    }

    @Override
    public String whyNotFresh() {
        return "a statement that redefines the table locks out readers, or waits to: end what it waits for"
                + " (select * from pg_locks where not granted)";
    }
}
