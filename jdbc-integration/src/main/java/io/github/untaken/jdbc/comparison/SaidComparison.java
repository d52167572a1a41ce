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
                : Optional.of(
                        column + " is said to be compared as " + column.comparedAs()
                                + ", which is left out on this database: names are compared as the column itself compares them");
    }

    static String unserved(IdentifierColumn column, String remedy) {
        return column + " is said to be compared as " + column.comparedAs()
                + ", but no unique index keeps that: each recheck may"
                + " read the whole table, and two sign-ups at one moment can both succeed. Run: " + remedy;
    }

    static String foldsNoCase(IdentifierColumn column, String remedy) {
        return column + " is said to be compared as " + column.comparedAs()
                + ", but that tells small letters from capitals: a"
                + " name that is stored with capitals is taken only as it is spelt there. Run: " + remedy;
    }
}
