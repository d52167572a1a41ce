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
 * One state of some tables of MariaDB or MySQL. A read that finds nothing locks each of them against redefinition, and the first real one
 * takes the snapshot. The other way round, which {@code with consistent snapshot} does, a table that has taken the name meanwhile would be
 * read, and shown as empty without an error.
 *
 * <p>Who waits for that lock stands in the process list, which takes the right PROCESS and a second connection, since this one is busy. It is
 * kept until the end: the pool may be empty by the time that somebody waits. Without either, a definition of data waits until the scan is over, and whoever uses the table waits behind it.
 */
public final class MySqlSnapshot extends StreamedSnapshot {
    /** An hour; it is how long the server waits for somebody who is slow to take the next rows. */
    private static final String PATIENCE = "3600";

    /** Of which each server knows some. The lock of a table is not waited for, and statistics are not to be old ones. */
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

            /** Closing the rows would read all that are left, and hold the lock until then. */
            @Override
            public void failed() {
                scan.abort();
            }
        };
    }

    /** Of another table's definition nobody here is in the way. One of a whole schema names no table. */
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
