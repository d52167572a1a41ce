package io.github.untaken.jdbc;

import io.github.untaken.IdentifierKind;
import io.github.untaken.jdbc.column.IdentifierColumn;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A column of a table that holds the identifiers of one kind, as an application names it. Immutable.
 *
 * @param kind what they are identifiers of
 * @param table its name, with its schema before a dot if it is not in the schema of the connections. Without quotes it is found
 *     in whatever case the catalog has it; in quotes, exactly as it is written
 * @param column its name, read in the same way
 * @param comparedAs what makes two of its values one name, as {@link IdentifierColumn#comparedAs} has it; null if nothing is said
 * @param where which rows count, as {@link IdentifierColumn#where} has it; null if nothing is said
 */
@SuppressWarnings("exports") // JSpecify's annotations concern no caller
public record IdentifierTable(
        IdentifierKind kind,
        String table,
        String column,
        @Nullable String comparedAs,
        @Nullable String where) {
    private static final Pattern NO_PART_OF_A_KIND = Pattern.compile("[^a-z0-9]+");

    /** @throws IllegalArgumentException if one of the names is blank, or the condition */
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
     * A column of which it is not said how its values compare. Its kind is called like the column, in lower case and with {@code -} for anything but
     * letters and digits.
     *
     * @throws IllegalArgumentException if no kind can be called like the column; {@link #of(String, String, IdentifierKind)} takes
     *     one
     */
    public static IdentifierTable of(String table, String column) {
        String name = NO_PART_OF_A_KIND
                .matcher(column.replaceAll("[\"`\\[\\]]", "").toLowerCase(Locale.ROOT))
                .replaceAll("-");
        return of(table, column, new IdentifierKind(name));
    }

    /** A column of which it is not said how its values compare, nor which rows count. With {@link IdentifierKind#USERNAME} it has the rules of user names, whatever it is called. */
    public static IdentifierTable of(String table, String column, IdentifierKind kind) {
        return new IdentifierTable(kind, table, column, null, null);
    }

    /**
     * The same column, of which it is said what makes two of its values one name: an expression such as <code>lower({column})</code>,
     * which PostgreSQL can have a unique index on, or the name of a generated column with a unique index. The database is asked whether
     * that is so; if not, a warning says what to run.
     */
    public IdentifierTable comparedAs(String expressionOrColumn) {
        return new IdentifierTable(kind, table, column, expressionOrColumn, where);
    }

    /**
     * The same column, of which it is said which rows count: a name that only others hold is free, such as one that was deleted by a mark.
     * Memory goes on holding all rows; the question to the database has the condition in brackets. Where a unique index holds all rows, the
     * database refuses such a name all the same, and it is answered as taken; a warning says so. On PostgreSQL the condition of a
     * partial unique index is found without this.
     *
     * @param condition in the columns of the table, as SQL has it after {@code where}, such as {@code del_flag = '0'}. It comes from the
     *     application, never from a user. The database is asked at the start whether it takes it
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
