package io.github.untaken.jdbc.scan;

import io.github.untaken.jdbc.column.IdentifierColumn;
import io.github.untaken.jdbc.connection.ReadFailure;
import io.github.untaken.spi.StoreException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.function.Consumer;

/** Passes on the values of one select as they come. */
public final class ColumnRows {
    /** About half a megabyte. */
    public static final int FETCHED = 10_000;

    /** The clock is not read for each row. */
    private static final int BETWEEN_LOOKS = 1_000;

    private ColumnRows() {}

    /** What the reader has to take care of. */
    public interface Care {
        /** Some more rows have come. */
        void look() throws SQLException;

        /** Called before rows are closed that were not all read. */
        default void failed() {}
    }

    public static String select(IdentifierColumn column) {
        return "select " + column.column() + " from " + column.table();
    }

    static StoreException notRead(List<IdentifierColumn> columns, SQLException e) {
        return ReadFailure.of(columns + " could not be read (SQLSTATE " + e.getSQLState() + ')', List.of(), e);
    }

    public static void read(String sql, int fetched, Connection connection, Care care, Consumer<String> values)
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
