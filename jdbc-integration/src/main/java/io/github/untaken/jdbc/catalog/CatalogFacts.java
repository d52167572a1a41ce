package io.github.untaken.jdbc.catalog;

import io.github.untaken.jdbc.column.IdentifierColumn;
import io.github.untaken.jdbc.statement.TableFacts;
import io.github.untaken.jdbc.statement.WatchedTables;
import io.github.untaken.jdbc.statement.WrittenWords;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What the last look at the catalog has shown of the watched tables and a text does not show: whether the database fills in a column that
 * an INSERT leaves out, or computes it from others, and by which other names a table is written. Never asks the database; before the first
 * look, the worst is assumed. Thread-safe.
 */
public final class CatalogFacts {
    private final WrittenWords written = new WrittenWords();
    private final Set<IdentifierColumn> made;
    private volatile TableFacts seen;
    private volatile Runnable wanted = () -> {};

    public CatalogFacts() {
        this(Set.of());
    }

    /** @param made the columns whose values the database makes whatever a look shows, such as those that a trigger fills */
    public CatalogFacts(Set<IdentifierColumn> made) {
        this.made = Set.copyOf(made);
        this.seen = new Unseen(this.made);
    }

    /** Before the first look. */
    private record Unseen(Set<IdentifierColumn> made) implements TableFacts {
        @Override
        public boolean makes(IdentifierColumn column) {
            return made.contains(column);
        }
    }

    /** By names without schemas, in any case. */
    private record Seen(
            Map<String, Set<String>> written,
            Map<String, Set<String>> carried,
            Map<String, Set<String>> called,
            Map<String, Set<String>> filled,
            Map<String, Set<String>> computed,
            Map<String, Set<String>> defaults,
            Set<IdentifierColumn> made)
            implements TableFacts {

        static Seen of(Fingerprint fingerprint, Set<IdentifierColumn> made) {
            Seen seen = new Seen(inAnyCase(), inAnyCase(), inAnyCase(), inAnyCase(), inAnyCase(), inAnyCase(), made);
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

    void learn(Fingerprint fingerprint) {
        Seen now = Seen.of(fingerprint, made);
        if (!now.equals(seen)) {
            seen = now;
        }
    }

    /** The same object until a look shows other facts. */
    public TableFacts seen() {
        return seen;
    }

    /** The words of the texts that were judged by these facts. */
    public WrittenWords written() {
        return written;
    }

    void onDefinition(Runnable look) {
        wanted = look;
    }

    /** This application has defined data, or may have: the next look is wanted at once. */
    public void defined() {
        wanted.run();
    }
}
