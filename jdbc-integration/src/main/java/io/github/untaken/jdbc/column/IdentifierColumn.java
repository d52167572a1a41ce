package io.github.untaken.jdbc.column;

import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The physical column that holds an identifier, spelled and quoted as SQL wants it.
 *
 * @param table the table's expression, with catalog and schema if need be
 * @param column the identifier's column
 * @param comparedAs what makes two of its values one name, if not the column's own type or collation: an expression with {@code {column}}
 *     in place of the column, such as <code>lower({column})</code>, or the name of a generated column of the table; null if not specified.
 *     What unique indexes compare is found out in any case
 * @param where which of its rows count: a condition in the columns of the table, such as {@code del_flag = '0'}. A name that only other
 *     rows hold is free. Null if not specified: then all rows count, except where a unique index has a condition of its own (PostgreSQL);
 *     there, rows that no unique index holds do not
 */
@SuppressWarnings("exports") // callers need not see JSpecify's annotations
public record IdentifierColumn(
        String table,
        String column,
        @Nullable String comparedAs,
        @Nullable String where) {
    private static final String PLACE = "{column}";

    /** A column without a specified comparison or condition. */
    public IdentifierColumn(String table, String column) {
        this(table, column, null, null);
    }

    /** The compared expression, over the column by this name; empty if none is specified, or a generated column is. */
    public Optional<String> comparedExpression(String name) {
        String said = comparedAs;
        return said != null && said.contains(PLACE) ? Optional.of(said.replace(PLACE, name)) : Optional.empty();
    }

    /** The compared generated column; empty if none is specified, or an expression is. */
    public Optional<String> comparedColumn() {
        String said = comparedAs;
        return said != null && !said.contains(PLACE) ? Optional.of(said) : Optional.empty();
    }

    /**
     * Combines this with another mapping of the same column. Comparison and condition hold if either mapping specifies them.
     *
     * @throws IllegalStateException if the two specify different comparisons or conditions
     */
    public IdentifierColumn and(IdentifierColumn other) {
        if (comparedAs != null && other.comparedAs != null && !comparedAs.equals(other.comparedAs)) {
            throw new IllegalStateException(this + " is mapped twice, with comparedAs = " + comparedAs + " and "
                    + other.comparedAs + ": make both the same");
        }
        if (where != null && other.where != null && !where.equals(other.where)) {
            throw new IllegalStateException(this + " is mapped twice, with where = \"" + where + "\" and \""
                    + other.where + "\": make both the same");
        }
        return new IdentifierColumn(
                table, column, comparedAs == null ? other.comparedAs : comparedAs, where == null ? other.where : where);
    }

    /** Two mappings of one column are equal, even if their comparison or condition differs. */
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
