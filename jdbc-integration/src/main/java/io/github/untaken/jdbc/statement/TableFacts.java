package io.github.untaken.jdbc.statement;

import io.github.untaken.jdbc.column.IdentifierColumn;
import java.util.Set;

/**
 * What a look at the catalog has shown of the watched tables, and a text does not show. Immutable. Before the first look, the worst is
 * assumed: any name may be one of these, and each column is filled in.
 */
public interface TableFacts {
    /** Whether there was a look. */
    default boolean isKnown() {
        return false;
    }

    /** The other names a table is written by: of views, synonyms, parts of it. */
    default Set<String> writtenAs(String table) {
        return Set.of();
    }

    /** The tables whose changes a foreign key carries into a column. */
    default Set<String> carriersOf(IdentifierColumn column) {
        return Set.of();
    }

    /** The names of routines that may write a table, whoever calls them. */
    default Set<String> calledAs(String table) {
        return Set.of();
    }

    /** Whether a row inserted without this column may have a value in it. */
    default boolean fills(IdentifierColumn column) {
        return true;
    }

    /** What that value may be, if it is always the same text; empty if that is not known. */
    default Set<String> defaultsOf(IdentifierColumn column) {
        return Set.of();
    }

    /** Whether it may change with another column of its row. */
    default boolean computes(IdentifierColumn column) {
        return true;
    }

    /** Whether the database may replace what a text writes, as a trigger does. */
    default boolean makes(IdentifierColumn column) {
        return false;
    }
}
