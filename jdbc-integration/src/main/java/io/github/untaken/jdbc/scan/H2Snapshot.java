package io.github.untaken.jdbc.scan;

import io.github.untaken.jdbc.column.IdentifierColumn;
import io.github.untaken.jdbc.connection.FreshReads;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/**
 * One state of some tables of H2: its isolation SNAPSHOT keeps all of them as they are when the first is read. Nothing locks them, and a
 * redefined table would be read as redefined; so the definitions are compared before and after.
 *
 * <p>H2 first sets aside the whole result of a statement, on disk if it is large, unless execution is lazy. A session can set that, but not
 * query it; afterwards it is off, as by default. A lazy {@code union all} under READ COMMITTED is not one state: H2 begins with the second
 * table when the first is read.
 */
public final class H2Snapshot extends StreamedSnapshot {
    /** JDBC has no constant for it. */
    private static final int SNAPSHOT = 6;

    private static final String LAZY = "set lazy_query_execution ";

    private H2Snapshot(List<IdentifierColumn> tables, FreshReads reads, ScanConnection scan) throws SQLException {
        super(tables, reads, scan);
    }

    public static StreamedSnapshot of(List<IdentifierColumn> tables, FreshReads reads) {
        return open(tables, reads, SNAPSHOT, connection -> new H2Snapshot(tables, reads, connection));
    }

    @Override
    void begin(Connection connection) throws SQLException {
        set("1", connection);
        connection.rollback();
        try (Statement statement = connection.createStatement()) {
            for (IdentifierColumn table : tables) {
                statement
                        .executeQuery("select 1 from " + table.table() + " where 1 = 0")
                        .close();
            }
        }
    }

    private static void set(String lazy, Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(LAZY + lazy);
        }
    }

    @Override
    int fetched() {
        return ColumnRows.FETCHED;
    }

    @Override
    ColumnRows.Care care() {
        return () -> {};
    }

    @Override
    void end(Connection connection) throws SQLException {
        set("0", connection);
    }
}
