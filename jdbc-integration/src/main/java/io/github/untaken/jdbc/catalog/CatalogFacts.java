package io.github.untaken.jdbc.catalog;

import io.github.untaken.IdentifierKind;
import io.github.untaken.jdbc.IdentifierColumn;
import io.github.untaken.jdbc.statement.WatchedTables;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What the last look at the catalog has shown of the watched tables and a text does not: whether the database fills in a column that an
 * INSERT leaves out, or computes it from others, and by which other names a table is written. Asks nobody; as long as there was no look,
 * the worst is assumed. Thread-safe.
 */
public final class CatalogFacts {
    /** So many tables are written by an application that makes them up as it goes. */
    private static final int MOST_WRITTEN = 10_000;

    private volatile @Nullable Known known;
    /** Bare names of tables that somebody here has written, in small letters: one may have been a part that no look had shown yet. */
    private final Set<String> written = ConcurrentHashMap.newKeySet();

    private volatile Runnable wanted = () -> {};

    /** By names without schemas, in any case. */
    private record Known(
            Map<String, Set<String>> filled,
            Map<String, Set<String>> computed,
            Map<String, Set<String>> tablesOfParts) {

        static Known of(Fingerprint fingerprint) {
            Known known = new Known(inAnyCase(), inAnyCase(), inAnyCase());
            fingerprint.tables().forEach((table, seen) -> {
                String bare = WatchedTables.bareName(table);
                if (!seen.parts().isEmpty()) {
                    among(known.filled, bare).addAll(seen.filled());
                    among(known.computed, bare).addAll(seen.computed());
                }
                seen.parts()
                        .values()
                        .forEach(part -> among(known.tablesOfParts, part.name()).add(bare));
            });
            return known;
        }

        private static Map<String, Set<String>> inAnyCase() {
            return new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        }

        private static Set<String> among(Map<String, Set<String>> all, String name) {
            return all.computeIfAbsent(name, each -> new TreeSet<>(String.CASE_INSENSITIVE_ORDER));
        }

        /** Of a table that is not there everything may be true. */
        static boolean has(Map<String, Set<String>> columns, IdentifierColumn column) {
            Set<String> of = columns.get(WatchedTables.bareName(column.table()));
            return of == null || of.contains(WatchedTables.bareName(column.column()));
        }
    }

    void learn(Fingerprint fingerprint) {
        known = Known.of(fingerprint);
    }

    void onDefinition(Runnable look) {
        wanted = look;
    }

    /** Somebody here has defined data, or may have: the next look is wanted at once. */
    public void defined() {
        wanted.run();
    }

    /** Whether a row that is inserted without this column may have a value in it. */
    public boolean mayBeFilledIn(IdentifierColumn column) {
        Known last = known;
        return last == null || Known.has(last.filled(), column) || Known.has(last.computed(), column);
    }

    /** Those of the columns that an update of other columns may change. */
    public Set<IdentifierColumn> computedOf(Set<IdentifierColumn> columns) {
        Known last = known;
        if (last == null || columns.isEmpty()) {
            return columns;
        }
        Set<IdentifierColumn> computed = new HashSet<>(columns);
        computed.removeIf(column -> !Known.has(last.computed(), column));
        return computed;
    }

    /** The kinds whose identifiers are in tables that are written by one of the names. */
    public Set<IdentifierKind> kindsInParts(Set<String> names, WatchedTables tables) {
        if (names.isEmpty()) {
            return Set.of();
        }
        names.forEach(this::note);
        Known last = known; // after the note: a look is learned before the notes are read
        if (last == null) {
            return tables.kinds();
        }
        Set<IdentifierKind> kinds = new HashSet<>();
        for (String name : names) {
            last.tablesOfParts().getOrDefault(name, Set.of()).forEach(table -> kinds.addAll(tables.kindsIn(table)));
        }
        return kinds;
    }

    private void note(String name) {
        String small = name.toLowerCase(Locale.ROOT);
        if (!written.contains(small) && written.size() < MOST_WRITTEN) {
            written.add(small);
        }
    }

    /** Whether a table of that bare name may have been written by somebody who did not know it for a part. */
    boolean mayBeWritten(String name) {
        return written.size() >= MOST_WRITTEN || written.contains(name.toLowerCase(Locale.ROOT));
    }
}
