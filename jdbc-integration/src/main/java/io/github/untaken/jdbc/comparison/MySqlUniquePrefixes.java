package io.github.untaken.jdbc.comparison;

import io.github.untaken.jdbc.column.CatalogName;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;

/**
 * The unique indexes of a table of MariaDB or MySQL that are on one column each.
 *
 * @param lengths by that column, as the catalog spells it, how many leading characters are covered; 0 if all
 * @param onExpressions whether one is on an expression, which is not known here
 */
record MySqlUniquePrefixes(Map<String, Integer> lengths, boolean onExpressions) {

    /** For those on an expression alone, MySQL has no column name. */
    private static final String INDEXES = "select max(column_name), coalesce(max(sub_part), 0)"
            + " from information_schema.statistics where table_schema = ? and table_name = ? and non_unique = 0"
            + " group by index_name having count(*) = 1";

    /** Those of the column's table. */
    static MySqlUniquePrefixes of(CatalogName column, Connection connection) throws SQLException {
        Map<String, Integer> lengths = new HashMap<>();
        boolean onExpressions = false;
        try (PreparedStatement statement = connection.prepareStatement(INDEXES)) {
            statement.setString(1, column.catalog());
            statement.setString(2, column.table());
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    String indexed = rows.getString(1);
                    if (indexed == null) {
                        onExpressions = true;
                    } else {
                        lengths.merge(indexed, rows.getInt(2), Math::min);
                    }
                }
            }
        }
        return new MySqlUniquePrefixes(lengths, onExpressions);
    }

    /** Whether one covers the whole of a column. */
    boolean cover(CatalogName column) {
        return lengths.getOrDefault(column.column(), -1) == 0;
    }

    /** How many leading characters of a column are covered; 0 if all or none. */
    int prefixOf(CatalogName column) {
        return lengths.getOrDefault(column.column(), 0);
    }
}
