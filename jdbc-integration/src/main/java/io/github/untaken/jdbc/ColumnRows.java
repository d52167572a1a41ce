package io.github.untaken.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.function.Consumer;

/** Hands on the values of one select as they come. */
final class ColumnRows {
    /** Half a megabyte or so. */
    static final int FETCHED = 10_000;

    /** The clock is not read for each row. */
    private static final int BETWEEN_LOOKS = 1_000;

    private ColumnRows() {}

    /** What whoever reads has to see to. */
    interface Care {
        /** There were some more rows. */
        void look() throws SQLException;

        /** Before the rows are closed that are not all read. */
        default void failed() {}
    }

    static void read(String sql, int fetched, Connection connection, Care care, Consumer<String> values)
            throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.setFetchSize(fetched);
            try (ResultSet rows = statement.executeQuery(sql)) {
                read(rows, care, values);
            }
        }
    }

    private static void read(ResultSet rows, Care care, Consumer<String> values) throws SQLException {
        try {
            for (int seen = 1; rows.next(); seen++) {
                String value = StoredText.of(rows);
                if (value != null) {
                    values.accept(value);
                }
                if (seen == BETWEEN_LOOKS) {
                    care.look();
                    seen = 0;
                }
            }
        } catch (Throwable e) {
            care.failed();
            throw e;
        }
    }
}
