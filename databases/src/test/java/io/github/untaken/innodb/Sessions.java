package io.github.untaken.innodb;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** The connections that the server has with the user of all tests. */
final class Sessions {
    private static final int GONE_ALREADY = 1094;

    private Sessions() {}

    /** The ids of all but those that ask for such a list. */
    static List<String> others(Statement asking) throws SQLException {
        List<String> others = new ArrayList<>();
        try (ResultSet rows = asking.executeQuery("show processlist")) { // the other list breaks on rare characters
            while (rows.next()) {
                if ("untaken".equals(rows.getString("User")) && !"show processlist".equals(rows.getString("Info"))) {
                    others.add(rows.getString("Id"));
                }
            }
        }
        return others;
    }

    static void end(Statement asking, String id) throws SQLException {
        try {
            asking.execute("kill " + id);
        } catch (SQLException e) {
            if (e.getErrorCode() != GONE_ALREADY) {
                throw e;
            }
        }
    }
}
