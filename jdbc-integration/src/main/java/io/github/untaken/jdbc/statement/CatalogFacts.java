package io.github.untaken.jdbc.statement;

import io.github.untaken.jdbc.column.IdentifierColumn;
import java.util.Set;

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

    /** A look has shown these. */
    public void learn(TableFacts now) {
        if (!now.equals(seen)) {
            seen = now;
        }
    }

    /** The columns whose values the database makes whatever a look shows. */
    public Set<IdentifierColumn> made() {
        return made;
    }

    /** The same object until a look shows other facts. */
    public TableFacts seen() {
        return seen;
    }

    /** The words of the texts that were judged by these facts. */
    public WrittenWords written() {
        return written;
    }

    public void onDefinition(Runnable look) {
        wanted = look;
    }

    /** This application has defined data, or may have: the next look is wanted at once. */
    public void defined() {
        wanted.run();
    }
}
