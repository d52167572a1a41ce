package io.github.untaken.jdbc.comparison;

import io.github.untaken.jdbc.column.CatalogName;
import io.github.untaken.jdbc.column.IdentifierColumn;
import io.github.untaken.jdbc.column.RowCondition;
import io.github.untaken.jdbc.connection.Database;
import io.github.untaken.jdbc.connection.Lookup;
import io.github.untaken.spi.RegisteredIdentifierStore.ColumnDescription;
import io.github.untaken.spi.RegisteredIdentifierStore.ValuePair;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What JDBC and standard SQL can find out about any database. The values stand in a union with the column itself, but with none of its
 * rows: by the rules of MySQL, MariaDB and SQL Server, a column's collation wins over a parameter's.
 */
public final class StandardComparison implements ColumnComparison {
    private final IdentifierColumn column;
    private final Database database;
    private volatile @Nullable Boolean unique; // null until asked

    public StandardComparison(IdentifierColumn column, Database database) {
        this.column = column;
        this.database = database;
    }

    @Override
    public void forget() {
        unique = null;
    }

    @Override
    public ColumnDescription describe(Connection connection) throws SQLException {
        CatalogName name = CatalogName.of(column, connection);
        String collation = collation(name, connection);
        return new ColumnDescription(
                column.toString(), askedUnique(connection), collation, Database.version(connection) + ", " + collation);
    }

    private boolean askedUnique(Connection connection) throws SQLException {
        RowCondition.tryOut(column, connection);
        boolean asked = isUnique(CatalogName.of(column, connection), connection);
        unique = asked;
        return asked;
    }

    private boolean isUnique(Connection connection) throws SQLException {
        Boolean known = unique;
        return known != null ? known : askedUnique(connection);
    }

    @Override
    public Optional<String> advice(Connection connection) throws SQLException {
        return column.where() != null && isUnique(connection)
                ? Optional.of(RowCondition.leftOut(column, RowCondition.LIVE))
                : SaidComparison.leftOut(column);
    }

    @Override
    public Lookup lookup(String key, Connection connection) throws SQLException {
        if (column.where() == null || isUnique(connection)) {
            return plain(column, key);
        }
        String sql = "select coalesce(min(case when (" + column.where() + ") then " + Lookup.FOUND + " else "
                + Lookup.UNCOUNTED + " end), " + Lookup.ABSENT + ") from " + column.table() + " where "
                + column.column() + " = ?";
        return new Lookup(sql, key, 1, true);
    }

    /** Lets the database decide how the key is compared. */
    static Lookup plain(IdentifierColumn column, String key) {
        String sql = "select " + Lookup.FOUND + " from " + column.table() + " where " + column.column() + " = ?";
        return new Lookup(sql, key, 1, false);
    }

    /** Whether an index without conditions has this column and no other. */
    static boolean isUnique(CatalogName name, Connection connection) throws SQLException {
        Map<String, List<String>> indexes = new HashMap<>();
        try (ResultSet parts =
                connection.getMetaData().getIndexInfo(name.catalog(), name.schema(), name.table(), true, true)) {
            while (parts.next()) {
                String index = parts.getString("INDEX_NAME");
                if (index != null && parts.getString("FILTER_CONDITION") == null && !parts.getBoolean("NON_UNIQUE")) {
                    indexes.computeIfAbsent(index, any -> new ArrayList<>())
                            .add(Objects.requireNonNullElse(parts.getString("COLUMN_NAME"), ""));
                }
            }
        }
        boolean ignoreCase = connection.getMetaData().storesMixedCaseIdentifiers();
        return indexes.values().stream()
                .anyMatch(columns -> columns.size() == 1
                        && (ignoreCase
                                ? columns.get(0).equalsIgnoreCase(name.column())
                                : columns.get(0).equals(name.column())));
    }

    private String collation(CatalogName name, Connection connection) throws SQLException {
        if (database != Database.MYSQL && database != Database.SQL_SERVER) {
            return "";
        }
        String sql = "select collation_name from information_schema.columns where table_name = ? and column_name = ?"
                + " and table_schema in (?, ?)";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, name.table());
            statement.setString(2, name.column());
            statement.setString(3, name.catalog());
            statement.setString(4, name.schema());
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? Objects.requireNonNullElse(row.getString(1), "") : "";
            }
        }
    }

    @Override
    public List<Boolean> heldEqual(List<ValuePair> pairs, Connection connection) throws SQLException {
        String from = database.fromOneRow();
        StringBuilder sql = new StringBuilder("select i, count(distinct v) from (select 0 as i, ")
                .append(column.column())
                .append(" as v from ")
                .append(column.table())
                .append(" where 1 = 0");
        for (int i = 1; i <= pairs.size(); i++) {
            String branch = " union all select " + i + ", ?" + from;
            sql.append(branch).append(branch);
        }
        sql.append(") p group by i order by i");
        try (PreparedStatement statement = connection.prepareStatement(sql.toString())) {
            int index = 1;
            for (ValuePair pair : pairs) {
                statement.setString(index++, pair.left());
                statement.setString(index++, pair.right());
            }
            List<Boolean> equal = new ArrayList<>(pairs.size());
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    equal.add(rows.getInt(2) == 1);
                }
            }
            return equal;
        }
    }
}
