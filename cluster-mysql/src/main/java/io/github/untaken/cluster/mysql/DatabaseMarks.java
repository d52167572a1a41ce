package io.github.untaken.cluster.mysql;

import io.github.untaken.feed.SameDatabase;
import io.github.untaken.spi.RegisteredIdentifierStore.DatabaseMark;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** How moments are marked, as {@code untaken-jdbc} does for a table of MariaDB or MySQL. */
final class DatabaseMarks {
    private static final String SERVER = "show global variables where variable_name in"
            + " ('server_uuid', 'server_uid', 'server_id', 'hostname', 'port')";

    private static final String POSITION =
            "show global status where variable_name in ('Innodb_lsn_current', 'Innodb_redo_log_current_lsn')";

    private static final Pattern QUOTED = Pattern.compile("`[^`]*`|\"[^\"]*\"");

    private DatabaseMarks() {}

    static SameDatabase.Marks at(Connection connection) {
        return place -> {
            String server = String.join("/", read(SERVER, connection).values());
            long position = read(POSITION, connection).values().stream()
                    .mapToLong(Long::parseLong)
                    .max()
                    .orElse(0);
            return List.of(
                    new DatabaseMark(server + '/' + database(place.column().table(), connection), position));
        };
    }

    private static String database(String table, Connection connection) throws SQLException {
        if (QUOTED.matcher(table).replaceAll("").contains(".")) {
            return "";
        }
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select database()")) {
            return row.next() && row.getString(1) != null ? row.getString(1) : "";
        }
    }

    private static Map<String, String> read(String sql, Connection connection) throws SQLException {
        Map<String, String> said = new TreeMap<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                said.put(rows.getString(1), rows.getString(2));
            }
        }
        return said;
    }
}
