package io.github.untaken.jdbc.statement;

import io.github.untaken.jdbc.IdentifierColumn;
import java.util.Set;

/** What a look at the catalog has shown of the watched tables, and a text does not. Immutable. */
public interface TableFacts {

    /** As long as there was no look: the worst is assumed. */
    TableFacts UNKNOWN = new TableFacts() {
        @Override
        public boolean isKnown() {
            return false;
        }

        @Override
        public Set<String> writtenAs(String table) {
            return Set.of();
        }

        @Override
        public Set<String> carriersOf(IdentifierColumn column) {
            return Set.of();
        }

        @Override
        public Set<String> calledAs(String table) {
            return Set.of();
        }

        @Override
        public boolean fills(IdentifierColumn column) {
            return true;
        }

        @Override
        public Set<String> defaultsOf(IdentifierColumn column) {
            return Set.of();
        }

        @Override
        public boolean computes(IdentifierColumn column) {
            return true;
        }
    };

    /** Whether there was a look. */
    boolean isKnown();

    /** The other names by which a table is written: of views, synonyms, parts of it. */
    Set<String> writtenAs(String table);

    /** The tables whose changes a foreign key carries on into a column. */
    Set<String> carriersOf(IdentifierColumn column);

    /** The names of routines that may write a table, whoever calls them. */
    Set<String> calledAs(String table);

    /** Whether a row that is inserted without this column may have a value in it. */
    boolean fills(IdentifierColumn column);

    /** What that value may be, if it is always the same text; empty if that is not known. */
    Set<String> defaultsOf(IdentifierColumn column);

    /** Whether it may change with another column of its row. */
    boolean computes(IdentifierColumn column);
}
