package io.github.untaken.jdbc.comparison;

import io.github.untaken.jdbc.column.IdentifierColumn;
import io.github.untaken.spi.RegisteredIdentifierStore.ValuePair;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What can be wrong with what a column is said to be compared as. */
final class SaidComparison {
    static final List<ValuePair> LETTERS = "abcdefghijklmnopqrstuvwxyz"
            .chars()
            .mapToObj(Character::toString)
            .map(letter -> new ValuePair(letter, letter.toUpperCase(Locale.ROOT)))
            .toList();

    private SaidComparison() {}

    /** For databases where that is not used in questions. */
    static Optional<String> leftOut(IdentifierColumn column) {
        return column.comparedAs() == null
                ? Optional.empty()
                : Optional.of(said(column) + ", which this database does not support: names are compared as the column"
                        + " itself compares them");
    }

    static String unserved(IdentifierColumn column, String remedy) {
        return said(column) + ", but no unique index enforces that: each recheck may read the whole table, and"
                + " two simultaneous sign-ups can both succeed. Run: " + remedy;
    }

    static String foldsNoCase(IdentifierColumn column, String remedy) {
        return said(column) + ", but that is case-sensitive: a name stored with capitals is taken only in that"
                + " spelling. Run: " + remedy;
    }

    /** The column that it names is not there, or not computed from this one alone. */
    static String missing(IdentifierColumn column) {
        return said(column)
                + ", but its table has no column of that name that is generated from it alone: name one that has"
                + " a unique index,"
                + " or write an expression such as lower({column})";
    }

    /** Not an expression, or one that needs more than this column. */
    static String refused(IdentifierColumn column) {
        return said(column) + ", which the database rejects: write an expression of that column alone";
    }

    private static String said(IdentifierColumn column) {
        return column + " has comparedAs = " + column.comparedAs();
    }
}
