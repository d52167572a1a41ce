package io.github.untaken.jdbc;

import io.github.untaken.spi.RegisteredIdentifierStore;
import java.time.Duration;
import java.util.function.Consumer;

/** A table of a database that can hold marks: it can tell whether another process writes it too. */
class MarkedTableStore extends BatchTableStore implements RegisteredIdentifierStore.Exclusive {
    private final IdentifierColumn column;
    private final WriterMarks marks;

    MarkedTableStore(
            IdentifierColumn column,
            FreshReads reads,
            Consumer<Duration> ownTransactions,
            DatabaseBarrier barrier,
            BatchComparison comparison,
            WriterMarks marks) {
        super(column, reads, ownTransactions, barrier, comparison);
        this.column = column;
        this.marks = marks;
    }

    @Override
    public boolean standsAlone() {
        return marks.standsAlone(column);
    }

    @Override
    public void mark() {
        marks.mark(column);
    }

    @Override
    public void release() {
        marks.leave(column);
    }
}
