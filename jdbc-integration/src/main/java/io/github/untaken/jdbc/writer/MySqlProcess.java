package io.github.untaken.jdbc.writer;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * What a connection to MariaDB or MySQL is doing. Not from {@code information_schema.processlist}: on MySQL its texts have at most three
 * bytes a character, and it cannot be read at all while anybody's statement has a character of four.
 *
 * @param state empty if it does nothing
 * @param text its statement; empty if it has none, or this user may not see it
 */
public record MySqlProcess(long id, String command, String state, String text) {

    public static List<MySqlProcess> all(Statement statement) throws SQLException {
        List<MySqlProcess> all = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery("show full processlist")) {
            while (rows.next()) {
                all.add(new MySqlProcess(
                        rows.getLong("Id"), text(rows, "Command"), text(rows, "State"), text(rows, "Info")));
            }
        }
        return all;
    }

    private static String text(ResultSet rows, String column) throws SQLException {
        String text = rows.getString(column);
        return text == null ? "" : text;
    }

    /** Whether one of its statements waits for a lock that is not InnoDB's. */
    boolean waits() {
        return (command.equals("Query") || command.equals("Execute")) && state.startsWith("Waiting for");
    }

    /** Whether it waits to define a table, or for somebody who does. */
    public boolean waitsForDefinition() {
        return state.equals("Waiting for table metadata lock");
    }
}
