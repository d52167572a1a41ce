package io.github.untaken.jdbc.store;

import io.github.untaken.jdbc.column.IdentifierColumn;
import io.github.untaken.jdbc.comparison.PostgreSqlComparison;
import io.github.untaken.jdbc.connection.FreshReads;
import io.github.untaken.jdbc.connection.Lookup;
import io.github.untaken.jdbc.writer.DatabaseBarrier;
import io.github.untaken.jdbc.writer.WriterMarks;
import io.github.untaken.spi.StoreException;
import io.github.untaken.spi.TableCatalog;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;
import java.util.function.Consumer;

/** A table of PostgreSQL. */
final class PostgreSqlStore extends SharedTableStore {

    /**
     * The server, its timeline, the database and the table, and a position in the log. The control file only knows the timeline of the last
     * checkpoint, which may come minutes after a failover; so the timeline is taken from the name of the current log file.
     */
    private static final String MARK = "select concat_ws('/', s.system_identifier,"
            + " left(pg_walfile_name(pg_current_wal_lsn()), 8), d.oid, ?::regclass::oid),"
            + " (pg_current_wal_lsn() - '0/0'::pg_lsn)::bigint"
            + " from pg_control_system() s, pg_catalog.pg_database d where d.datname = current_database()";

    /** For a user who may not ask that: the number of the next transaction stands for the position in the log. */
    private static final String MARK_FOR_ANYBODY = "select concat_ws('/', d.oid, d.datname, ?::regclass::oid),"
            + " pg_snapshot_xmax(pg_current_snapshot())::text::bigint"
            + " from pg_catalog.pg_database d where d.datname = current_database() and not pg_is_in_recovery()";

    /** PostgreSQL's answer if the user may not ask, or the server does not know, as with some services. */
    private static final Set<String> NOT_TOLD = Set.of("42501", "42883", "0A000");

    PostgreSqlStore(
            IdentifierColumn column,
            FreshReads reads,
            TableCatalog catalog,
            Consumer<Duration> ownTransactions,
            DatabaseBarrier barrier,
            WriterMarks marks) {
        super(column, reads, catalog, ownTransactions, barrier, marks, new PostgreSqlComparison(column));
    }

    @Override
    public DatabaseMark present() {
        try {
            return reads.run("the identity of the database", connection -> present(MARK, connection));
        } catch (StoreException e) {
            if (e.getCause() instanceof SQLException cause
                    && NOT_TOLD.contains(String.valueOf(cause.getSQLState()))) { // a pool's timeout has none
                return reads.run("the identity of the database", connection -> present(MARK_FOR_ANYBODY, connection));
            }
            throw e;
        }
    }

    private DatabaseMark present(String sql, Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, column.table());
            try (ResultSet row = statement.executeQuery()) {
                if (!row.next()) {
                    throw Lookup.notThePrimary();
                }
                return new DatabaseMark(row.getString(1), row.getLong(2));
            }
        }
    }
}
