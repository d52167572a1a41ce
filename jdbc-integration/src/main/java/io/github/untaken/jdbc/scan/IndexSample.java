package io.github.untaken.jdbc.scan;

import io.github.untaken.jdbc.column.CatalogName;
import io.github.untaken.jdbc.column.IdentifierColumn;
import io.github.untaken.jdbc.column.TextType;
import io.github.untaken.jdbc.connection.Database;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Rows along a unique index, starting at random texts between the first and the last. The index begins with the column itself, or else is
 * on another text column alone, such as one computed from it. None without such an index.
 */
final class IndexSample implements ColumnSample {
    private static final String LETTERS = "0123456789abcdefghijklmnopqrstuvwxyz";
    private static final int LENGTH = 6;

    private final IdentifierColumn column;
    private final Database database;

    IndexSample(IdentifierColumn column, Database database) {
        this.column = column;
        this.database = database;
    }

    @Override
    public List<String> take(int count, RandomGenerator random, Connection connection) throws SQLException {
        List<String> values = new ArrayList<>();
        IdentifierColumn path = path(connection);
        String first = path == null ? null : end(path, "", connection);
        String last = path == null ? null : end(path, " desc", connection);
        if (path != null && first != null && last != null) {
            int jumps = Math.min(count, MOST_JUMPS);
            for (int i = 0; i < jumps; i++) {
                int missing = count - values.size();
                int rows = (missing + jumps - i - 1) / (jumps - i);
                addFrom(path, between(first, last, random), rows, values, connection);
            }
        }
        return values.stream().distinct().toList();
    }

    /** The column, if a unique index sorts by it first, or another that has one alone. Without an index each jump would sort the table. */
    private @Nullable IdentifierColumn path(Connection connection) throws SQLException {
        CatalogName name = CatalogName.of(column, connection);
        DatabaseMetaData metaData = connection.getMetaData();
        Map<String, List<String>> indexes = new HashMap<>();
        try (ResultSet rows = metaData.getIndexInfo(name.catalog(), name.schema(), name.table(), true, true)) {
            while (rows.next()) {
                indexes.computeIfAbsent(String.valueOf(rows.getString("INDEX_NAME")), index -> new ArrayList<>())
                        .add(String.valueOf(rows.getString("COLUMN_NAME"))); // in index order
            }
        }
        List<String> alone = indexes.values().stream()
                .filter(columns -> columns.size() == 1 && !columns.contains("null")) // a statistic, or an expression
                .map(columns -> columns.get(0))
                .toList();
        if (indexes.values().stream().anyMatch(columns -> name.column().equalsIgnoreCase(columns.get(0)))) {
            return column;
        }
        String quote = metaData.getIdentifierQuoteString().strip();
        for (String other : alone) {
            IdentifierColumn path = new IdentifierColumn(column.table(), quote + other + quote);
            if (TextType.otherThanText(path, connection) == null) {
                return path;
            }
        }
        return null;
    }

    private @Nullable String end(IdentifierColumn path, String direction, Connection connection) throws SQLException {
        String sql = "select " + path.column() + " from " + path.table() + " where " + path.column()
                + " is not null order by " + path.column() + direction;
        try (PreparedStatement statement = connection.prepareStatement(database.limited(sql, 0, 1));
                ResultSet row = statement.executeQuery()) {
            return row.next() ? row.getString(1) : null;
        }
    }

    private void addFrom(IdentifierColumn path, String place, int rows, List<String> values, Connection connection)
            throws SQLException {
        String sql = "select " + column.column() + " from " + column.table() + " where " + path.column()
                + " >= ? order by " + path.column();
        try (PreparedStatement statement = connection.prepareStatement(database.limited(sql, 0, rows))) {
            statement.setString(1, place);
            ColumnSample.add(statement, values);
        }
    }

    private static String between(String first, String last, RandomGenerator random) {
        int same = 0;
        int shorter = Math.min(first.length(), last.length());
        while (same < shorter && first.charAt(same) == last.charAt(same)) {
            same++;
        }
        StringBuilder place = new StringBuilder(first.substring(0, same));
        if (same < shorter) {
            // Nothing follows a place beyond the last.
            int low = Math.min(first.charAt(same), last.charAt(same));
            int high = Math.max(first.charAt(same), last.charAt(same));
            place.append((char) random.nextInt(low, high + 1));
        }
        for (int i = 0; i < LENGTH; i++) {
            place.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
        }
        return place.toString();
    }
}
