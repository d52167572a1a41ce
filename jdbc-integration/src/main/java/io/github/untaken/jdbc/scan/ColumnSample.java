package io.github.untaken.jdbc.scan;

import io.github.untaken.jdbc.column.IdentifierColumn;
import io.github.untaken.jdbc.connection.Database;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** Takes a few rows out of a table without reading all of it. */
public interface ColumnSample {
    /** Each is a read of its own. */
    int MOST_JUMPS = 16;

    /** Values of at most {@code count} rows; nulls are left out. */
    List<String> take(int count, RandomGenerator random, Connection connection) throws SQLException;

    static ColumnSample of(IdentifierColumn column, Database database) {
        return switch (database) {
            case POSTGRESQL -> new BlockSample(column);
            case H2 -> new RowNumberSample(column);
            default -> new IndexSample(column, database);
        };
    }

    /** Adds the values in the first column of what a question finds. */
    static void add(PreparedStatement question, List<String> values) throws SQLException {
        try (ResultSet rows = question.executeQuery()) {
            while (rows.next()) {
                String value = StoredText.of(rows);
                if (value != null) {
                    values.add(value);
                }
            }
        }
    }

    /** So many of them at random, or all if there are fewer. */
    static List<String> some(List<String> values, int count, RandomGenerator random) {
        List<String> left = new ArrayList<>(values);
        List<String> some = new ArrayList<>();
        while (some.size() < count && !left.isEmpty()) {
            int place = random.nextInt(left.size());
            some.add(left.get(place));
            left.set(place, left.get(left.size() - 1));
            left.remove(left.size() - 1);
        }
        return some;
    }
}
