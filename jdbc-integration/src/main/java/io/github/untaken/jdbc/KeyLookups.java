package io.github.untaken.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Finds single keys in the index of a primary key, always by its order: for {@code min} and {@code max} with a
 * condition, H2 would read all the rows that meet it.
 */
final class KeyLookups {
    private final IdentifierColumn column;
    private final IdentifierColumn.Key key;
    private final Database database;
    private final Connection connection;

    KeyLookups(IdentifierColumn column, IdentifierColumn.Key key, Database database, Connection connection) {
        this.column = column;
        this.key = key;
        this.database = database;
        this.connection = connection;
    }

    @Nullable Object first() throws SQLException {
        return find("", null, "", 0);
    }

    @Nullable Object last() throws SQLException {
        return find("", null, " desc", 0);
    }

    @Nullable Object lastBelow(Object bound) throws SQLException {
        return find("<", bound, " desc", 0);
    }

    @Nullable Object firstFrom(Object bound) throws SQLException {
        return find(">=", bound, "", 0);
    }

    /**
     * The key that has {@code others} before it, counted from the given one on, or from the first; null if there are
     * not that many.
     */
    @Nullable Object firstAfter(@Nullable Object from, int others) throws SQLException {
        return find(">=", from, "", others);
    }

    private @Nullable Object find(String comparison, @Nullable Object bound, String direction, int skipped)
            throws SQLException {
        String sql = "select " + key.column() + " from " + column.table()
                + (bound == null ? "" : " where " + key.column() + " " + comparison + " ?") + " order by "
                + key.column()
                + direction;
        try (PreparedStatement statement = connection.prepareStatement(database.limited(sql, skipped, 1))) {
            if (bound != null) {
                key.bind(statement, 1, bound);
            }
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? key.read(row, 1) : null;
            }
        }
    }

    long count() throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("select count(*) from " + column.table());
                ResultSet row = statement.executeQuery()) {
            row.next();
            return row.getLong(1);
        }
    }
}
