package io.github.untaken.jdbc.column;

import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The physical column that holds an identifier, spelled and quoted as SQL wants it.
 *
 * @param table the table's expression, with catalog and schema if need be
 * @param column the identifier's column
 * @param comparedAs what makes two of its values one name, if that is not the column's own type or collation: an expression
 *     with {@code {column}} in place of the column, such as <code>lower({column})</code>, or the name of a generated column of the
 *     table; null if nothing is said. What unique indexes compare is found out in any case
 * @param where which of its rows count: a condition in the columns of the table, such as {@code del_flag = '0'}. A name that only other rows
 *     hold is free. Null if nothing is said; then all count, but for those that no unique index holds where there is one with a
 *     condition of its own (PostgreSQL)
 */
@SuppressWarnings("exports") // JSpecify's annotations concern no caller
public record IdentifierColumn(
        String table,
        String column,
        @Nullable String comparedAs,
        @Nullable String where) {
    private static final String PLACE = "{column}";

    /** A column of which it is not said how its values compare, nor which rows count. */
    public IdentifierColumn(String table, String column) {
        this(table, column, null, null);
    }

    /** The expression that is compared, over the column by this name; empty if nothing is said, or a generated column is named. */
    public Optional<String> comparedExpression(String name) {
        String said = comparedAs;
        return said != null && said.contains(PLACE) ? Optional.of(said.replace(PLACE, name)) : Optional.empty();
    }

    /** The generated column that is compared; empty if nothing is said, or an expression. */
    public Optional<String> comparedColumn() {
        String said = comparedAs;
        return said != null && !said.contains(PLACE) ? Optional.of(said) : Optional.empty();
    }

    /**
     * The same column as another mapping has it, too. It is said how it compares, and which rows count, if one of them says so.
     *
     * @throws IllegalStateException if the two say that it compares differently, or that other rows count
     */
    public IdentifierColumn and(IdentifierColumn other) {
        if (comparedAs != null && other.comparedAs != null && !comparedAs.equals(other.comparedAs)) {
            throw new IllegalStateException(this + " is said to be compared as " + comparedAs + " and as "
                    + other.comparedAs + ": say the same wherever it is mapped");
        }
        if (where != null && other.where != null && !where.equals(other.where)) {
            throw new IllegalStateException("of " + this + " rows are said to count where \"" + where
                    + "\" and where \"" + other.where + "\": say the same wherever it is mapped");
        }
        return new IdentifierColumn(
                table, column, comparedAs == null ? other.comparedAs : comparedAs, where == null ? other.where : where);
    }

    /** Two mappings of one column are equal, even if they differ in the comparison, or in the rows that count. */
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
