package io.github.untaken.jdbc.statement;

import io.github.untaken.jdbc.IdentifierColumn;
import java.util.Set;

/** What a look has shown: nothing but the tables, or what a test says. */
record KnownFacts(
        Set<String> writtenAs, Set<String> carriers, Set<String> calledAs, Set<String> filled, Set<String> computed)
        implements TableFacts {

    KnownFacts() {
        this(Set.of(), Set.of(), Set.of(), Set.of(), Set.of());
    }

    KnownFacts writtenAs(String... names) {
        return new KnownFacts(Set.of(names), carriers, calledAs, filled, computed);
    }

    KnownFacts carriedFrom(String... names) {
        return new KnownFacts(writtenAs, Set.of(names), calledAs, filled, computed);
    }

    KnownFacts calledAs(String... names) {
        return new KnownFacts(writtenAs, carriers, Set.of(names), filled, computed);
    }

    KnownFacts filling(String... columns) {
        return new KnownFacts(writtenAs, carriers, calledAs, Set.of(columns), computed);
    }

    KnownFacts computing(String... columns) {
        return new KnownFacts(writtenAs, carriers, calledAs, filled, Set.of(columns));
    }

    @Override
    public boolean isKnown() {
        return true;
    }

    @Override
    public Set<String> writtenAs(String table) {
        return writtenAs;
    }

    @Override
    public Set<String> carriersOf(IdentifierColumn column) {
        return carriers;
    }

    @Override
    public Set<String> calledAs(String table) {
        return calledAs;
    }

    @Override
    public boolean fills(IdentifierColumn column) {
        return filled.contains(column.column());
    }

    @Override
    public boolean computes(IdentifierColumn column) {
        return computed.contains(column.column());
    }
}
