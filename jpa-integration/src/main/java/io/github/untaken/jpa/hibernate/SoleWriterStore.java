package io.github.untaken.jpa.hibernate;

import io.github.untaken.spi.RegisteredIdentifierStore;

/** A table of a database that can tell whether another process writes it, too. */
final class SoleWriterStore extends TableIdentifierStore implements RegisteredIdentifierStore.Exclusive {
    private final IdentifierColumn column;
    private final WriterMarks marks;

    SoleWriterStore(
            IdentifierColumn column,
            FreshReads reads,
            OpenTransactions open,
            DatabaseBarrier barrier,
            WriterMarks marks) {
        super(column, reads, open, barrier);
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
