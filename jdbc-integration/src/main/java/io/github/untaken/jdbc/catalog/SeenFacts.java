package io.github.untaken.jdbc.catalog;

import io.github.untaken.jdbc.column.IdentifierColumn;
import io.github.untaken.jdbc.statement.TableFacts;
import io.github.untaken.jdbc.statement.WatchedTables;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What a look has shown, by names without schemas, in any case; that of a column by {@code table.column}.
 *
 * @param written under which other names each table is written; has an entry for every table that is there
 */
record SeenFacts(
        Map<String, Set<String>> written,
        Map<String, Set<String>> called,
        Map<String, Set<String>> carried,
        Map<String, Set<String>> filled,
        Set<String> computed,
        Set<IdentifierColumn> made)
        implements TableFacts {

    static SeenFacts of(Fingerprint fingerprint, Set<IdentifierColumn> made) {
        SeenFacts seen = new SeenFacts(inAnyCase(), inAnyCase(), inAnyCase(), inAnyCase(), namesInAnyCase(), made);
        fingerprint.tables().forEach((table, shown) -> seen.add(WatchedTables.bareName(table), shown));
        return seen;
    }

    private void add(String table, SeenTable shown) {
        boolean itself = false;
        for (Part part : shown.parts().values()) {
            // Within the loop: a table that is not there has no part, and gets no entry.
            Set<String> names = among(written, table);
            if (!itself && part.name().equalsIgnoreCase(table)) {
                itself = true; // another one of that name is another way to write it
            } else {
                names.add(part.name());
            }
        }
        among(called, table).addAll(shown.routines());
        shown.carriers()
                .forEach((column, carriers) ->
                        among(carried, table + '.' + column).addAll(carriers));
        shown.filled()
                .forEach((column, texts) ->
                        filled.merge(table + '.' + column, texts, (one, other) -> one.equals(other) ? one : Set.of()));
        shown.computed().forEach(column -> computed.add(table + '.' + column));
    }

    private static Map<String, Set<String>> inAnyCase() {
        return new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    }

    private static Set<String> among(Map<String, Set<String>> all, String name) {
        return all.computeIfAbsent(name, each -> namesInAnyCase());
    }

    private static Set<String> namesInAnyCase() {
        return new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    }

    @Override
    public boolean isKnown() {
        return true;
    }

    @Override
    public Set<String> writtenAs(String table) {
        return written.getOrDefault(table, Set.of());
    }

    @Override
    public Set<String> carriersOf(IdentifierColumn column) {
        return carried.getOrDefault(nameOf(column), Set.of());
    }

    private static String nameOf(IdentifierColumn column) {
        return WatchedTables.bareName(column.table()) + '.' + WatchedTables.bareName(column.column());
    }

    @Override
    public Set<String> calledAs(String table) {
        return called.getOrDefault(table, Set.of());
    }

    @Override
    public boolean fills(IdentifierColumn column) {
        return isAbsent(column) || filled.containsKey(nameOf(column));
    }

    @Override
    public boolean computes(IdentifierColumn column) {
        return made.contains(column) || isAbsent(column) || computed.contains(nameOf(column));
    }

    @Override
    public boolean makes(IdentifierColumn column) {
        return made.contains(column);
    }

    @Override
    public Set<String> defaultsOf(IdentifierColumn column) {
        return filled.getOrDefault(nameOf(column), Set.of());
    }

    /** Of a table that is not there, everything may be true. */
    private boolean isAbsent(IdentifierColumn column) {
        return !written.containsKey(WatchedTables.bareName(column.table()));
    }
}
