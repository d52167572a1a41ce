package io.github.untaken.jdbc.comparison;

import io.github.untaken.jdbc.column.CatalogName;
import io.github.untaken.jdbc.comparison.MySqlColumn.Text;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Any column of a table as the catalog of MariaDB or MySQL lists it.
 *
 * @param text null if it holds no texts
 * @param length in characters, or in bytes if it holds no texts; 0 if it has none
 * @param formula empty if it is not generated
 */
record MySqlListedColumn(
        CatalogName name, String type, @Nullable Text text, long length, String formula) {
    private static final String COLUMNS = "select table_schema, table_name, column_name, data_type, character_set_name,"
            + " collation_name, coalesce(character_maximum_length, 0), coalesce(generation_expression, '')"
            + " from information_schema.columns where table_schema = ? and table_name = ?";

    /** All columns of a table. */
    static List<MySqlListedColumn> of(@Nullable String database, String table, boolean mariaDb, Connection connection)
            throws SQLException {
        List<MySqlListedColumn> listed = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(COLUMNS)) {
            statement.setString(1, database);
            statement.setString(2, table);
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    String charset = row.getString(5);
                    listed.add(new MySqlListedColumn(
                            new CatalogName(row.getString(1), null, row.getString(2), row.getString(3)),
                            row.getString(4).toLowerCase(Locale.ROOT),
                            charset == null ? null : new Text(charset, row.getString(6), row.getLong(7)),
                            row.getLong(7),
                            inBackticks(mariaDb ? row.getString(8) : unescaped(row.getString(8)))));
                }
            }
        }
        return listed;
    }

    /** MySQL's catalog puts a backslash, which is no part of the expression, before each of its quotes and backslashes. */
    private static String unescaped(String formula) {
        return formula.replaceAll("\\\\(.)", "$1");
    }

    /**
     * With names in backticks, which every session understands. To a session in ANSI_QUOTES mode the catalog shows them in double quotes,
     * which another reads as a text.
     */
    private static String inBackticks(String formula) {
        StringBuilder sql = new StringBuilder(formula);
        boolean inText = false;
        for (int i = 0; i < sql.length(); i++) {
            char c = sql.charAt(i);
            if (c == '\'') {
                inText = !inText;
            } else if (c == '\\') {
                i++;
            } else if (c == '"' && !inText) {
                sql.setCharAt(i, '`');
            }
        }
        return sql.toString();
    }

    boolean isCalled(String other) {
        return name.column().equalsIgnoreCase(other);
    }

    /**
     * What this column stores of its formula. Where the server is not strict, or told to ignore errors, it truncates what is too long, and
     * then refuses a second value that leaves the same.
     */
    String stored() {
        String cut = "left(" + formula + ", " + length + ")";
        if (text != null) {
            return text.of(type.equals("char") ? "trim(trailing ' ' from " + cut + ")" : cut);
        }
        return switch (type) {
            case "binary" -> "cast(" + formula + " as binary(" + length + "))";
            case "varbinary", "tinyblob", "blob", "mediumblob", "longblob" ->
                "left(cast(" + formula + " as binary), " + length + ")";
            case "tinyint", "smallint", "mediumint", "int", "bigint", "decimal", "float", "double" ->
                "(" + formula + ") + 0";
            default -> "(" + formula + ")";
        };
    }

    /** Numbers are rounded, dates corrected, and words missing from a list dropped. */
    boolean isExact() {
        return List.of("char", "varchar", "binary", "varbinary").contains(type);
    }
}
