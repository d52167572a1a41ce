package io.github.untaken.jdbc.store;

import io.github.untaken.jdbc.column.IdentifierColumn;
import io.github.untaken.jdbc.comparison.BatchComparison;
import io.github.untaken.jdbc.connection.FreshReads;
import io.github.untaken.jdbc.writer.DatabaseBarrier;
import io.github.untaken.jdbc.writer.WriterMarks;
import io.github.untaken.spi.RegisteredIdentifierStore;
import io.github.untaken.spi.TableCatalog;
import java.time.Duration;
import java.util.function.Consumer;

/** A table of a server. It can tell whether another process writes the table too, and whether the database is still the same. */
abstract class SharedTableStore extends BatchTableStore
        implements RegisteredIdentifierStore.Exclusive, RegisteredIdentifierStore.Identified {
    private final WriterMarks marks;

    SharedTableStore(
            IdentifierColumn column,
            FreshReads reads,
            TableCatalog catalog,
            Consumer<Duration> ownTransactions,
            DatabaseBarrier barrier,
            WriterMarks marks,
            BatchComparison comparison) {
        super(column, reads, catalog, ownTransactions, barrier, comparison);
        this.marks = marks;
    }

    @Override
    public final Standing standing() {
        return marks.standing(column);
    }

    @Override
    public final void mark() {
        marks.mark(column);
    }

    @Override
    public final void release() {
        marks.leave(column);
    }
}
