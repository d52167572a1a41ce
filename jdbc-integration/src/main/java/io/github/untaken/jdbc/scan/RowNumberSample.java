package io.github.untaken.jdbc.scan;

import io.github.untaken.jdbc.column.IdentifierColumn;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.random.RandomGenerator;

/**
 * H2's rows by their row numbers, which may be those of a primary key. Jumps go range by range, so that a dense range far from the rest
 * gets its share: each time the widest is halved, and the ends are moved to stored numbers. A view has no such numbers.
 */
final class RowNumberSample implements ColumnSample {
    private static final int SPANS = 8;
    private static final String NO_SUCH_COLUMN = "42S22";

    private final IdentifierColumn column;

    RowNumberSample(IdentifierColumn column) {
        this.column = column;
    }

    @Override
    public List<String> take(int count, RandomGenerator random, Connection connection) throws SQLException {
        List<String> values = new ArrayList<>();
        try {
            List<Span> spans = spans(connection);
            int jumps = Math.min(count, MOST_JUMPS);
            for (int i = 0; i < jumps; i++) {
                int missing = count - values.size();
                Span span = spans.get(random.nextInt(spans.size()));
                addFrom(span.place(random), (missing + jumps - i - 1) / (jumps - i), values, connection);
            }
        } catch (SQLException e) {
            if (!NO_SUCH_COLUMN.equals(e.getSQLState())) {
                throw e;
            }
        }
        return values.stream().distinct().toList();
    }

    /** Two stored numbers and all between them, which may be more than a signed number can tell. */
    private record Span(long first, long last) {
        long width() {
            return last - first;
        }

        long place(RandomGenerator random) {
            long values = width() + 1;
            return values == 0 ? random.nextLong() : first + Long.remainderUnsigned(random.nextLong(), values);
        }
    }

    private List<Span> spans(Connection connection) throws SQLException {
        PriorityQueue<Span> widestFirst =
                new PriorityQueue<>((one, other) -> Long.compareUnsigned(other.width(), one.width()));
        long first = number(">=", Long.MIN_VALUE, "", connection);
        widestFirst.add(new Span(first, Math.max(first, number("<=", Long.MAX_VALUE, " desc", connection))));
        while (widestFirst.size() < SPANS && widestFirst.element().width() != 0) {
            Span widest = widestFirst.remove();
            long middle = widest.first() + (widest.width() >>> 1) + 1;
            long below = number("<", middle, " desc", connection);
            long above = number(">=", middle, "", connection);
            widestFirst.add(new Span(widest.first(), Math.max(widest.first(), below))); // rows come and go meanwhile
            widestFirst.add(new Span(Math.min(above, widest.last()), widest.last()));
        }
        return List.copyOf(widestFirst);
    }

    /** By the order of the numbers: for {@code min} and {@code max} with a condition, H2 would read all matching rows. */
    private long number(String comparison, long bound, String direction, Connection connection) throws SQLException {
        String sql = "select _rowid_ from " + column.table() + " where _rowid_ " + comparison + " ? order by _rowid_"
                + direction + " fetch next 1 rows only";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setLong(1, bound);
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? row.getLong(1) : bound;
            }
        }
    }

    private void addFrom(long place, int rows, List<String> values, Connection connection) throws SQLException {
        String sql = "select " + column.column() + " from " + column.table()
                + " where _rowid_ >= ? order by _rowid_ fetch next ? rows only";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setLong(1, place);
            statement.setInt(2, rows);
            ColumnSample.add(statement, values);
        }
    }
}
