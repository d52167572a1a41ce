package io.github.untaken.jdbc.statement;

import io.github.untaken.jdbc.column.IdentifierColumn;
import java.util.Set;

/** What a look has shown: nothing but the tables, or what a test says. */
final class KnownFacts implements TableFacts {
    private Set<String> written = Set.of();
    private Set<String> carriers = Set.of();
    private Set<String> called = Set.of();
    private Set<String> filled = Set.of();
    private Set<String> computed = Set.of();
    private Set<String> defaults = Set.of();

    KnownFacts withViews(String... names) {
        written = Set.of(names);
        return this;
    }

    KnownFacts withParents(String... names) {
        carriers = Set.of(names);
        return this;
    }

    KnownFacts withRoutines(String... names) {
        called = Set.of(names);
        return this;
    }

    KnownFacts filling(String... columns) {
        filled = Set.of(columns);
        return this;
    }

    KnownFacts fillingWith(String text, String... columns) {
        defaults = Set.of(text);
        return filling(columns);
    }

    KnownFacts computing(String... columns) {
        computed = Set.of(columns);
        return this;
    }

    @Override
    public boolean isKnown() {
        return true;
    }

    @Override
    public Set<String> writtenAs(String table) {
        return written;
    }

    @Override
    public Set<String> carriersOf(IdentifierColumn column) {
        return carriers;
    }

    @Override
    public Set<String> calledAs(String table) {
        return called;
    }

    @Override
    public boolean fills(IdentifierColumn column) {
        return filled.contains(column.column());
    }

    @Override
    public Set<String> defaultsOf(IdentifierColumn column) {
        return defaults;
    }

    @Override
    public boolean computes(IdentifierColumn column) {
        return computed.contains(column.column());
    }
}
