package io.github.untaken.jdbc;

import java.math.BigInteger;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The physical column that holds an identifier, spelled and quoted as SQL wants it.
 *
 * @param table the table's expression, with catalog and schema if need be
 * @param column the identifier's column
 * @param key the only column of the table's primary key, along which it can be read in pages; null if there are
 *     several, or its type is not in {@link KeyType}
 * @param holdsKeys whether each of its values is said to be its own key
 */
@SuppressWarnings("exports") // JSpecify's annotations concern no caller
public record IdentifierColumn(
        String table, String column, @Nullable Key key, boolean holdsKeys) {

    /**
     * A column whose values never change and are never null.
     *
     * @param column spelled and quoted as SQL wants it
     * @param type how its values are bound and read
     */
    public record Key(String column, KeyType type) {

        void bind(PreparedStatement statement, int index, Object value) throws SQLException {
            type.bind(statement, index, value);
        }

        @Nullable Object read(ResultSet row, int index) throws SQLException {
            return type.read(row, index);
        }

        boolean isNumber() {
            return type.isNumber();
        }

        Object ofNumber(BigInteger number) {
            return type.ofNumber(number);
        }
    }

    /** The same column without the claim that it holds keys: for one that another mapping does not claim it of. */
    public IdentifierColumn withoutClaim() {
        return new IdentifierColumn(table, column, key, false);
    }

    /** Two mappings of one column are equal, even if they differ in the key or the claim. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof IdentifierColumn that && table.equals(that.table) && column.equals(that.column);
    }

    @Override
    public int hashCode() {
        return Objects.hash(table, column);
    }

    /** For messages and logs. */
    @Override
    public String toString() {
        return table + "." + column;
    }
}
