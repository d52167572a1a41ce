package io.github.untaken.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reads a column in pages along the primary key, which never changes, each page in a transaction of its own. */
final class PagedScan {
    /** Half a megabyte or so. H2 would write the rows of a much larger one to its disk. */
    static final int PAGE = 10_000;

    /** On MariaDB and MySQL it takes seven to ten round trips to put a connection into the right state and back. */
    private static final int PAGE_OF_MYSQL = 50_000;

    private final IdentifierColumn column;
    private final IdentifierColumn.Key key;
    private final FreshReads reads;
    private final int most;

    PagedScan(IdentifierColumn column, IdentifierColumn.Key key, FreshReads reads) {
        this.column = column;
        this.key = key;
        this.reads = reads;
        this.most = reads.database() == Database.MYSQL ? PAGE_OF_MYSQL : PAGE;
    }

    private record Page(
            List<String> values, int rows, @Nullable Object last) {}

    void scan(KeyRange range, Consumer<String> values) {
        Page page = new Page(List.of(), most, null);
        while (page.rows() == most) {
            Object after = page.last();
            page = reads.fromPrimary(column.toString(), connection -> page(connection, range, after));
            page.values().forEach(values);
        }
    }

    private Page page(Connection connection, KeyRange range, @Nullable Object after) throws SQLException {
        List<Object> bounds = new ArrayList<>();
        String sql = "select " + column.column() + ", " + key.column() + " from " + column.table()
                + where(range, after, bounds) + " order by " + key.column();
        try (PreparedStatement statement =
                connection.prepareStatement(reads.database().limited(sql, 0, most))) {
            statement.setFetchSize(most);
            int index = 1;
            for (Object bound : bounds) {
                key.bind(statement, index++, bound);
            }
            List<String> values = new ArrayList<>(most);
            int rows = 0;
            Object last = after;
            try (ResultSet result = statement.executeQuery()) {
                while (result.next()) {
                    rows++;
                    String value = StoredText.of(result);
                    if (value != null) {
                        values.add(value);
                    }
                    if (rows == most) { // nobody asks what came last on a page that is not full
                        last = key.read(result, 2);
                    }
                }
            }
            return new Page(values, rows, last);
        }
    }

    private String where(KeyRange range, @Nullable Object after, List<Object> bounds) {
        List<String> conditions = new ArrayList<>();
        if (after != null) {
            conditions.add(key.column() + " > ?");
            bounds.add(after);
        } else if (range.from() != null) {
            conditions.add(key.column() + " >= ?");
            bounds.add(range.from());
        }
        if (range.to() != null) {
            conditions.add(key.column() + " < ?");
            bounds.add(range.to());
        }
        return conditions.isEmpty() ? "" : " where " + String.join(" and ", conditions);
    }
}
