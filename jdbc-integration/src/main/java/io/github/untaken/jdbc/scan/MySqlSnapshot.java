package io.github.untaken.jdbc.scan;

import io.github.untaken.jdbc.column.CatalogName;
import io.github.untaken.jdbc.column.IdentifierColumn;
import io.github.untaken.jdbc.connection.Database;
import io.github.untaken.jdbc.connection.FreshReads;
import io.github.untaken.jdbc.connection.Lookup;
import io.github.untaken.jdbc.writer.MySqlProcess;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One state of some tables of MariaDB or MySQL. A read that finds nothing locks each of them against redefinition; the first real read
 * takes the snapshot. In the reverse order, that of {@code with consistent snapshot}, a table that has since taken the name would be read,
 * and would look empty without an error.
 *
 * <p>The process list shows who waits for that lock. Reading it takes the right PROCESS and a second connection, since this one is busy.
 * That one is kept until the end: the pool may be empty by the time somebody waits. Without either, a definition of data waits until the
 * scan is over, and all who use the table wait behind it.
 */
public final class MySqlSnapshot extends StreamedSnapshot {
    /** An hour: how long the server waits for a client that is slow to take the next rows. */
    private static final String PATIENCE = "3600";

    /** Each server knows some of these. A table's lock is waited for no longer than a second, and statistics must not be stale. */
    private static final Map<String, String> WANTED = Map.of(
            "max_statement_time", "0",
            "sql_select_limit", "18446744073709551615",
            "max_execution_time", "0",
            "net_write_timeout", PATIENCE,
            "lock_wait_timeout", "1",
            "information_schema_stats_expiry", "0");

    private static final String SETTINGS =
            "show session variables where variable_name in ('" + String.join("', '", WANTED.keySet()) + "')";

    private static final int LOCK_WAIT_TIMEOUT = 1205;

    private final GivingWay givingWay;
    private final Map<String, String> settings = new LinkedHashMap<>();
    private @Nullable ScanConnection other;

    private MySqlSnapshot(List<IdentifierColumn> tables, FreshReads reads, ScanConnection scan) throws SQLException {
        super(tables, reads, scan);
        this.givingWay = new GivingWay(tables.toString());
    }

    public static StreamedSnapshot of(List<IdentifierColumn> tables, FreshReads reads) {
        return open(
                tables,
                reads,
                Connection.TRANSACTION_REPEATABLE_READ,
                connection -> new MySqlSnapshot(tables, reads, connection));
    }

    @Override
    void begin(Connection connection) throws SQLException {
        if (Database.MYSQL.isReplica(connection)) {
            throw Lookup.notThePrimary();
        }
        other = ScanConnection.another(reads, Connection.TRANSACTION_NONE);
        try (Statement statement = connection.createStatement()) {
            try (ResultSet rows = statement.executeQuery(SETTINGS)) {
                while (rows.next()) {
                    settings.put(rows.getString(1), rows.getString(2));
                }
            }
            for (String name : settings.keySet()) {
                statement.execute("set session " + name + " = " + WANTED.get(name));
            }
            statement.execute("start transaction");
            for (IdentifierColumn table : tables) {
                statement
                        .executeQuery("select 1 from " + table.table() + " where 1 = 0")
                        .close();
            }
        } catch (SQLException e) {
            if (e.getErrorCode() == LOCK_WAIT_TIMEOUT) {
                throw GivingWay.toDefinition(tables.toString(), e);
            }
            throw e;
        }
    }

    @Override
    int fetched() throws SQLException {
        return reads.database().streams(scan.connection()) ? ColumnRows.FETCHED : Integer.MIN_VALUE;
    }

    @Override
    ColumnRows.Care care() {
        return new ColumnRows.Care() {
            @Override
            public void look() throws SQLException {
                ScanConnection beside = other;
                if (beside != null) {
                    givingWay.look(() -> somebodyWaits(beside.connection()));
                }
            }

            /** Closing the rows would read the rest, and hold the lock until then. */
            @Override
            public void failed() {
                scan.abort();
            }
        };
    }

    /** The scan does not hold up the definition of another table. A definition of a whole schema names no table. */
    private boolean somebodyWaits(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            return MySqlProcess.all(statement).stream()
                    .filter(MySqlProcess::waitsForDefinition)
                    .anyMatch(each -> concerns(each.text().toLowerCase(Locale.ROOT)));
        }
    }

    private boolean concerns(String text) {
        return text.contains("database")
                || text.contains("schema")
                || tables.stream()
                        .map(table -> CatalogName.parts(table.table()))
                        .map(parts -> CatalogName.withoutQuotes(parts.get(parts.size() - 1)))
                        .anyMatch(name -> text.contains(name.toLowerCase(Locale.ROOT)));
    }

    @Override
    void end(Connection connection) throws SQLException {
        ScanConnection beside = other;
        if (beside != null) {
            other = null;
            beside.giveBack();
        }
        if (connection.isClosed()) {
            return;
        }
        try (Statement statement = connection.createStatement()) {
            for (Map.Entry<String, String> setting : settings.entrySet()) {
                statement.execute("set session " + setting.getKey() + " = " + setting.getValue());
            }
        }
    }
}
