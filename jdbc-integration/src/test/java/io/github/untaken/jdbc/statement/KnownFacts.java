package io.github.untaken.jdbc.statement;

import io.github.untaken.jdbc.IdentifierColumn;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** What a look has shown: nothing but the tables, or what a test says. */
record KnownFacts(
        Set<String> writtenAs,
        Set<String> carriers,
        Set<String> calledAs,
        Set<String> filled,
        Set<String> computed,
        Map<String, Set<String>> defaults)
        implements TableFacts {

    KnownFacts() {
        this(Set.of(), Set.of(), Set.of(), Set.of(), Set.of(), Map.of());
    }

    KnownFacts writtenAs(String... names) {
        return new KnownFacts(Set.of(names), carriers, calledAs, filled, computed, defaults);
    }

    KnownFacts carriedFrom(String... names) {
        return new KnownFacts(writtenAs, Set.of(names), calledAs, filled, computed, defaults);
    }

    KnownFacts calledAs(String... names) {
        return new KnownFacts(writtenAs, carriers, Set.of(names), filled, computed, defaults);
    }

    KnownFacts filling(String... columns) {
        return new KnownFacts(writtenAs, carriers, calledAs, Set.of(columns), computed, defaults);
    }

    KnownFacts computing(String... columns) {
        return new KnownFacts(writtenAs, carriers, calledAs, filled, Set.of(columns), defaults);
    }

    KnownFacts fillingWith(String text, String... columns) {
        Map<String, Set<String>> texts = new HashMap<>();
        Set.of(columns).forEach(column -> texts.put(column, Set.of(text)));
        return new KnownFacts(writtenAs, carriers, calledAs, Set.of(columns), computed, texts);
    }

    @Override
    public Set<String> defaultsOf(IdentifierColumn column) {
        return defaults.getOrDefault(column.column(), Set.of());
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
