package io.github.untaken.jdbc;

import io.github.untaken.spi.RegisteredIdentifierStore.ColumnDescription;
import io.github.untaken.spi.RegisteredIdentifierStore.ValuePair;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * H2 has one collation for the whole database; apart from it, only the type of a column decides how its values compare.
 */
final class H2Comparison implements BatchComparison {
    private final IdentifierColumn column;
    private volatile @Nullable Type known;

    H2Comparison(IdentifierColumn column) {
        this.column = column;
    }

    private record Type(String name, long length, String collation) {
        /** Blanks at the end are no part of a CHAR. */
        boolean holds(String value) {
            int end = value.length();
            while (name.equals("CHARACTER") && end > 0 && value.charAt(end - 1) == ' ') {
                end--;
            }
            return end <= length;
        }

        /** A cast to the type would shorten what the column refuses. */
        Type longEnoughFor(String value) {
            return new Type(name, Math.max(length, value.length()), collation);
        }

        @Override
        public String toString() {
            return name + "(" + length + ")";
        }
    }

    @Override
    public ColumnDescription describe(Connection connection) throws SQLException {
        CatalogName name = CatalogName.of(column, connection);
        Type type = type(name, connection);
        return new ColumnDescription(
                column.toString(),
                StandardComparison.isUnique(name, connection),
                type.collation() + ", compared as " + type.name());
    }

    @Override
    public Lookup lookup(String key, Connection connection) throws SQLException {
        return new Lookup(found("?", type(connection).longEnoughFor(key)), key, 1);
    }

    @Override
    public BatchLookup lookupEach(List<String> keys, Connection connection) throws SQLException {
        Type type = type(connection);
        for (String key : keys) {
            type = type.longEnoughFor(key);
        }
        String sql = "select untaken_asked.place, case when exists (" + found("untaken_asked.text", type) + ") then "
                + Lookup.FOUND + " else " + Lookup.ABSENT
                + " end from unnest(cast(? as varchar array)) with ordinality untaken_asked(text, place)";
        return new BatchLookup(sql, "varchar", keys);
    }

    private String found(String value, Type type) {
        return "select " + Lookup.FOUND + " from " + column.table() + " where " + column.column() + " = cast(" + value
                + " as " + type + ")";
    }

    private Type type(Connection connection) throws SQLException {
        Type type = known;
        return type != null ? type : type(CatalogName.of(column, connection), connection);
    }

    private Type type(CatalogName name, Connection connection) throws SQLException {
        String sql = "select DATA_TYPE, CHARACTER_MAXIMUM_LENGTH, COLLATION_NAME from INFORMATION_SCHEMA.COLUMNS"
                + " where TABLE_SCHEMA = ? and TABLE_NAME = ? and COLUMN_NAME = ?";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, name.schema());
            statement.setString(2, name.table());
            statement.setString(3, name.column());
            try (ResultSet row = statement.executeQuery()) {
                if (!row.next()) {
                    throw new SQLException("H2 has no column " + column, "42S22");
                }
                Type type = new Type(
                        row.getString(1), row.getLong(2), Objects.requireNonNullElse(row.getString(3), "no collation"));
                known = type;
                return type;
            }
        }
    }

    @Override
    public List<Boolean> heldEqual(List<ValuePair> pairs, Connection connection) throws SQLException {
        Type type = type(CatalogName.of(column, connection), connection);
        List<Boolean> equal = new ArrayList<>(Collections.nCopies(pairs.size(), false));
        // The cast would shorten what the column refuses.
        List<Integer> storable = new ArrayList<>();
        for (int i = 0; i < pairs.size(); i++) {
            if (type.holds(pairs.get(i).left()) && type.holds(pairs.get(i).right())) {
                storable.add(i);
            }
        }
        if (storable.isEmpty()) {
            return equal;
        }
        String row = "(?, cast(? as " + type + "), cast(? as " + type + "))";
        String sql = "select i, l = r from (values " + String.join(", ", Collections.nCopies(storable.size(), row))
                + ") p(i, l, r)";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            int index = 1;
            for (int i : storable) {
                statement.setInt(index++, i);
                statement.setString(index++, pairs.get(i).left());
                statement.setString(index++, pairs.get(i).right());
            }
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    equal.set(rows.getInt(1), rows.getBoolean(2));
                }
            }
        }
        return equal;
    }
}
