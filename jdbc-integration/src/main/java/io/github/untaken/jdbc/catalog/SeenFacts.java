package io.github.untaken.jdbc.catalog;

import io.github.untaken.jdbc.column.IdentifierColumn;
import io.github.untaken.jdbc.statement.TableFacts;
import io.github.untaken.jdbc.statement.WatchedTables;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** What a look has shown, by names without schemas, in any case. */
record SeenFacts(
        Map<String, Set<String>> written,
        Map<String, Set<String>> carried,
        Map<String, Set<String>> called,
        Map<String, Set<String>> filled,
        Map<String, Set<String>> computed,
        Map<String, Set<String>> defaults,
        Set<IdentifierColumn> made)
        implements TableFacts {

    static SeenFacts of(Fingerprint fingerprint, Set<IdentifierColumn> made) {
        SeenFacts seen =
                new SeenFacts(inAnyCase(), inAnyCase(), inAnyCase(), inAnyCase(), inAnyCase(), inAnyCase(), made);
        fingerprint.tables().forEach((table, shown) -> seen.add(WatchedTables.bareName(table), shown));
        return seen;
    }

    private void add(String table, SeenTable shown) {
        boolean itself = false;
        for (Part part : shown.parts().values()) {
            if (!itself && part.name().equalsIgnoreCase(table)) {
                itself = true; // another one of that name is another way to write it
            } else {
                among(written, table).add(part.name());
            }
        }
        shown.carriers()
                .forEach((column, carriers) ->
                        among(carried, table + '.' + column).addAll(carriers));
        among(called, table).addAll(shown.routines());
        if (!shown.parts().isEmpty()) {
            among(filled, table).addAll(shown.filled());
            among(computed, table).addAll(shown.computed());
            shown.filled()
                    .forEach(column -> defaults.merge(
                            table + '.' + column,
                            shown.defaults().getOrDefault(column, Set.of()),
                            (one, other) -> one.equals(other) ? one : Set.of()));
        }
    }

    private static Map<String, Set<String>> inAnyCase() {
        return new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    }

    private static Set<String> among(Map<String, Set<String>> all, String name) {
        return all.computeIfAbsent(name, each -> new TreeSet<>(String.CASE_INSENSITIVE_ORDER));
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
        return has(filled, column);
    }

    @Override
    public boolean computes(IdentifierColumn column) {
        return made.contains(column) || has(computed, column);
    }

    @Override
    public boolean makes(IdentifierColumn column) {
        return made.contains(column);
    }

    @Override
    public Set<String> defaultsOf(IdentifierColumn column) {
        return defaults.getOrDefault(nameOf(column), Set.of());
    }

    /** Of a table that is not there, everything may be true. */
    private static boolean has(Map<String, Set<String>> columns, IdentifierColumn column) {
        Set<String> of = columns.get(WatchedTables.bareName(column.table()));
        return of == null || of.contains(WatchedTables.bareName(column.column()));
    }
}
