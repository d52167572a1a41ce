package io.github.untaken.jdbc;

import io.github.untaken.IdentifierKind;
import io.github.untaken.jdbc.column.IdentifierColumn;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The column that holds the identifiers of one kind, as an application names it. Immutable.
 *
 * @param kind what the values identify
 * @param table its name, preceded by its schema and a dot if that is not the schema of the connections. An unquoted name is found in
 *     whatever case the catalog has it, a quoted one exactly as written
 * @param column its name, read in the same way
 * @param comparedAs what makes two of its values one name, see {@link IdentifierColumn#comparedAs}; null if not specified
 * @param where which rows count, see {@link IdentifierColumn#where}; null if not specified
 */
@SuppressWarnings("exports") // callers need not see JSpecify's annotations
public record IdentifierTable(
        IdentifierKind kind,
        String table,
        String column,
        @Nullable String comparedAs,
        @Nullable String where) {
    private static final Pattern NO_PART_OF_A_KIND = Pattern.compile("[^a-z0-9]+");

    /** @throws IllegalArgumentException if a name or the condition is blank */
    public IdentifierTable {
        if (table.isBlank() || column.isBlank()) {
            throw new IllegalArgumentException(
                    "a table and a column must be named, but they were '" + table + "' and '" + column + "'");
        }
        if (where != null && where.isBlank()) {
            throw new IllegalArgumentException("the condition on the rows of " + table + "." + column
                    + " is blank: write one, such as del_flag = '0', or none at all");
        }
    }

    /**
     * A column without a specified comparison. Its kind takes the column's name, in lower case and with {@code -} for anything but letters
     * and digits.
     *
     * @throws IllegalArgumentException if that makes no valid kind; {@link #of(String, String, IdentifierKind)} takes one
     */
    public static IdentifierTable of(String table, String column) {
        String name = NO_PART_OF_A_KIND
                .matcher(column.replaceAll("[\"`\\[\\]]", "").toLowerCase(Locale.ROOT))
                .replaceAll("-");
        return of(table, column, new IdentifierKind(name));
    }

    /**
     * A column without a specified comparison or condition. With {@link IdentifierKind#USERNAME} it follows the rules of user names,
     * whatever it is called.
     */
    public static IdentifierTable of(String table, String column, IdentifierKind kind) {
        return new IdentifierTable(kind, table, column, null, null);
    }

    /**
     * The same column, with what makes two of its values one name: an expression such as <code>lower({column})</code>, on which PostgreSQL
     * can have a unique index, or the name of a generated column with a unique index. The database is asked whether it is so; if not, a
     * warning says what to run.
     */
    public IdentifierTable comparedAs(String expressionOrColumn) {
        return new IdentifierTable(kind, table, column, expressionOrColumn, where);
    }

    /**
     * The same column, with a condition on the rows that count. A name that only other rows hold, such as soft-deleted ones, is free.
     * Memory still holds all rows; the question to the database has the condition in brackets. Where a unique index covers all rows, the
     * database refuses such a name anyway, so it is answered as taken; a warning says so. On PostgreSQL the condition of a partial unique
     * index is found without this.
     *
     * @param condition in the columns of the table, as SQL has it after {@code where}, such as {@code del_flag = '0'}. It comes from the
     *     application, never from a user. At the start the database is asked whether it accepts it
     * @throws IllegalArgumentException if it is blank
     */
    public IdentifierTable where(String condition) {
        return new IdentifierTable(kind, table, column, comparedAs, condition);
    }

    /** For messages and logs. */
    @Override
    public String toString() {
        return table + "." + column;
    }
}
