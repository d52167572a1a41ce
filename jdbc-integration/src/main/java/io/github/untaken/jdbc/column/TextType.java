package io.github.untaken.jdbc.column;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Types;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Whether a column holds the text itself. A number or a UUID does not return what was stored: 007 becomes 7. */
public final class TextType {
    private static final Set<Integer> TEXTS =
            Set.of(Types.CHAR, Types.VARCHAR, Types.LONGVARCHAR, Types.NCHAR, Types.NVARCHAR, Types.LONGNVARCHAR);

    /** MariaDB's driver returns these as text. */
    private static final Set<String> NO_TEXTS = Set.of("uuid", "inet4", "inet6");

    private TextType() {}

    /** The name of its type if that is not text, else null. A domain counts as its base type. Reads no row. */
    public static @Nullable String otherThanText(IdentifierColumn column, Connection connection) throws SQLException {
        String sql = "select " + column.column() + " from " + column.table() + " where 1 = 0";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setMaxRows(1);
            ResultSetMetaData row = statement.executeQuery().getMetaData();
            String type = row.getColumnTypeName(1);
            String name = type.toLowerCase(Locale.ROOT);
            boolean text = TEXTS.contains(row.getColumnType(1)) && !NO_TEXTS.contains(name)
                    || name.equals("citext")
                    || name.endsWith("\"citext\"");
            return text ? null : type;
        }
    }

    /** The end of a sentence that begins with the column. */
    public static String refusal(String type) {
        return " is of type " + type
                + ", which does not hold the text itself: keep the normalised identifier in a column of type varchar";
    }
}
