package io.github.untaken.cluster.mysql;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What a server says of itself: its settings and a few counters, by their names in small letters. */
record Facts(Map<String, String> said) {
    private static final String SETTINGS = "show global variables where variable_name in ('version', 'server_uuid',"
            + " 'server_uid', 'server_id', 'hostname', 'port', 'read_only', 'super_read_only', 'innodb_read_only',"
            + " 'log_bin', 'log_bin_basename', 'binlog_format', 'binlog_row_image', 'binlog_row_value_options',"
            + " 'log_slave_updates', 'log_replica_updates', 'wsrep_on', 'lower_case_table_names',"
            + " 'group_replication_group_name', 'group_replication_single_primary_mode',"
            + " 'innodb_native_foreign_keys')";

    private static final String COUNTERS =
            "show global status where variable_name in ('Uptime', 'Slave_running', 'Slaves_running')";

    static Facts of(Connection connection) throws SQLException {
        Map<String, String> said = new TreeMap<>();
        try (Statement statement = connection.createStatement()) {
            for (String sql : new String[] {SETTINGS, COUNTERS}) {
                try (ResultSet rows = statement.executeQuery(sql)) {
                    while (rows.next()) {
                        said.put(rows.getString(1).toLowerCase(Locale.ROOT), rows.getString(2));
                    }
                }
            }
            try (ResultSet row = statement.executeQuery("select unix_timestamp()")) {
                row.next();
                said.put("now", row.getString(1));
            }
        }
        return new Facts(said);
    }

    /** Empty if it knows none of that name. */
    String get(String name) {
        @Nullable String value = said.get(name);
        return value == null ? "" : value;
    }

    boolean isOn(String name) {
        String value = get(name);
        return value.equalsIgnoreCase("ON") || value.equals("1");
    }

    boolean isMariaDb() {
        return get("version").toLowerCase(Locale.ROOT).contains("mariadb");
    }

    /** The major and minor version as one number: 804 for 8.4.3. */
    int version() {
        String[] parts = get("version").split("[^0-9]+", 3);
        return Integer.parseInt(parts[0]) * 100 + Integer.parseInt(parts[1]);
    }

    /** When it was started, by its own clock, in seconds; two looks may differ by one. */
    long started() {
        return Long.parseLong(get("now")) - Long.parseLong(get("uptime"));
    }

    /** Unlike that of any other server. */
    String identity() {
        return String.join(
                        "/",
                        get("server_uuid"),
                        get("server_uid"),
                        get("server_id"),
                        get("hostname"),
                        get("port"),
                        get("log_bin_basename"))
                .replaceAll("\\s", "_");
    }

    /** Whether the log holds what a foreign key writes into the rows that refer to a changed one. */
    boolean logsCascades() {
        return !isMariaDb() && version() >= 906 && !isOn("innodb_native_foreign_keys");
    }
}
