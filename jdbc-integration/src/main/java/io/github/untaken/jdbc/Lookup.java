package io.github.untaken.jdbc;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * The question whether a row holds a value. No row answers "no", and a row {@link #FOUND} "yes"; any other row says that whoever
 * answered cannot know: a replica, or somebody from whom rows are hidden.
 *
 * @param value bound to each parameter
 */
record Lookup(String sql, String value, int parameters) {
    static final int FOUND = 1;
    static final int REPLICA = 0;
    static final int HIDDEN = 2;

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
            return switch (rows.getInt(1)) {
                case FOUND -> true;
                case HIDDEN -> throw rowsAreHidden();
                default -> throw notThePrimary();
            };
        }
    }

    static SQLException rowsAreHidden() {
        return new SQLException(
                "row-level security hides rows from this user, whose names are taken all the same: let a user read who bypasses it",
                "42501");
    }

    static SQLException notThePrimary() {
        return new SQLException("a replica answered, which may not know yet what was just committed", "25006");
    }
}
