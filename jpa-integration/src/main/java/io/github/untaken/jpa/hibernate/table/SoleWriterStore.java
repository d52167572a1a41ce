package io.github.untaken.jpa.hibernate.table;

import io.github.untaken.spi.RegisteredIdentifierStore;
import java.time.Duration;
import java.util.function.Consumer;

/** A table of a database that can tell whether another process writes it, too. */
final class SoleWriterStore extends TableIdentifierStore implements RegisteredIdentifierStore.Exclusive {
    private final IdentifierColumn column;
    private final WriterMarks marks;

    SoleWriterStore(
            IdentifierColumn column,
            FreshReads reads,
            Consumer<Duration> ownTransactions,
            DatabaseBarrier barrier,
            WriterMarks marks) {
        super(column, reads, ownTransactions, barrier);
        this.column = column;
        this.marks = marks;
    }

    @Override
    public boolean holdsAlone() {
        return marks.isAlone(column);
    }

    @Override
    public void release() {
        marks.leave(column);
    }
}
