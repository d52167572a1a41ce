package io.github.untaken.jdbc;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * The question whether a row holds a value. No row answers "no", and a row {@link #FOUND} "yes"; any other row says that it was
 * not the primary that answered.
 *
 * @param value bound to each parameter
 */
record Lookup(String sql, String value, int parameters) {
    static final int FOUND = 1;

    void bind(PreparedStatement statement) throws SQLException {
        statement.setMaxRows(1);
        for (int i = 1; i <= parameters; i++) {
            statement.setString(i, value);
        }
    }

    boolean answer(PreparedStatement statement) throws SQLException {
        try (ResultSet rows = statement.executeQuery()) {
            if (!rows.next()) {
                return false;
            }
            if (rows.getInt(1) != FOUND) {
                throw notThePrimary();
            }
            return true;
        }
    }

    static SQLException notThePrimary() {
        return new SQLException("a replica answered, which may not know yet what was just committed", "25006");
    }
}
