package io.github.untaken.jdbc.store;

import io.github.untaken.jdbc.column.CatalogName;
import io.github.untaken.jdbc.column.IdentifierColumn;
import io.github.untaken.jdbc.comparison.MySqlComparison;
import io.github.untaken.jdbc.connection.FreshReads;
import io.github.untaken.jdbc.connection.Lookup;
import io.github.untaken.jdbc.writer.DatabaseBarrier;
import io.github.untaken.jdbc.writer.WriterMarks;
import io.github.untaken.spi.TableCatalog;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A table of MariaDB or MySQL. */
final class MySqlStore extends SharedTableStore {

    /** What tells servers apart; each server knows some of these. */
    private static final String SERVER = "show global variables where variable_name in"
            + " ('server_uuid', 'server_uid', 'server_id', 'hostname', 'port', 'read_only', 'innodb_read_only')";

    /** The position in InnoDB's log, which moves on across a restart, and back with a restored backup. */
    private static final String POSITION =
            "show global status where variable_name in ('Innodb_lsn_current', 'Innodb_redo_log_current_lsn')";

    MySqlStore(
            IdentifierColumn column,
            FreshReads reads,
            TableCatalog catalog,
            Consumer<Duration> ownTransactions,
            DatabaseBarrier barrier,
            WriterMarks marks) {
        super(column, reads, catalog, ownTransactions, barrier, marks, new MySqlComparison(column));
    }

    @Override
    public DatabaseMark present() {
        return reads.run("the identity of the database", connection -> {
            Map<String, String> server = settings(SERVER, connection);
            if (isOn(server.remove("read_only")) || isOn(server.remove("innodb_read_only"))) {
                throw Lookup.notThePrimary();
            }
            long position = settings(POSITION, connection).values().stream()
                    .mapToLong(Long::parseLong)
                    .max()
                    .orElse(0);
            return new DatabaseMark(String.join("/", server.values()) + '/' + database(connection), position);
        });
    }

    /** Several databases of a server may each have such a table. Empty if the table's name says which one. */
    private String database(Connection connection) throws SQLException {
        if (CatalogName.parts(column.table()).size() > 1) {
            return "";
        }
        try (PreparedStatement statement = connection.prepareStatement("select database()");
                ResultSet row = statement.executeQuery()) {
            return row.next() && row.getString(1) != null ? row.getString(1) : "";
        }
    }

    private static boolean isOn(@Nullable String setting) {
        return setting != null && !setting.equals("OFF") && !setting.equals("0");
    }

    private static Map<String, String> settings(String sql, Connection connection) throws SQLException {
        Map<String, String> settings = new TreeMap<>();
        try (PreparedStatement statement = connection.prepareStatement(sql);
                ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                settings.put(rows.getString(1), rows.getString(2));
            }
        }
        return settings;
    }
}
