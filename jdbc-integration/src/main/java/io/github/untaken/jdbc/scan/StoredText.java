package io.github.untaken.jdbc.scan;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import org.jspecify.annotations.Nullable;

/**
 * A value that a row holds. The trailing blanks of a {@code CHAR} are padding: people ask for the name without them, maybe in another case,
 * and then no database finds it by its key.
 */
final class StoredText {
    private StoredText() {}

    /** The value in the first column of the current row. */
    static @Nullable String of(ResultSet row) throws SQLException {
        String value = row.getString(1);
        return value != null && value.endsWith(" ") && isFilledUp(row) ? withoutBlanks(value) : value;
    }

    private static boolean isFilledUp(ResultSet row) throws SQLException {
        int type = row.getMetaData().getColumnType(1);
        return type == Types.CHAR || type == Types.NCHAR;
    }

    private static String withoutBlanks(String value) {
        int end = value.length();
        while (end > 0 && value.charAt(end - 1) == ' ') {
            end--;
        }
        return value.substring(0, end);
    }
}
