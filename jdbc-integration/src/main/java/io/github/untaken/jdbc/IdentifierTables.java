package io.github.untaken.jdbc;

import io.github.untaken.spi.RegisteredIdentifierStore;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Makes the stores of the columns of one database, with what that can do. */
public final class IdentifierTables {
    private final FreshReads reads;
    private final DatabaseBarrier barrier;
    private final Consumer<Duration> ownTransactions;
    private final Supplier<WriterMarks> marks;

    /**
     * Asks the database nothing.
     *
     * @param ownTransactions waits for this application's transactions of which no checker was told
     * @param marks asked only where the database can hold them
     */
    public IdentifierTables(
            Connections connections,
            Database database,
            Consumer<Duration> ownTransactions,
            Supplier<WriterMarks> marks) {
        this.reads = new FreshReads(connections, database);
        this.barrier = DatabaseBarrier.of(database);
        this.ownTransactions = ownTransactions;
        this.marks = marks;
    }

    public RegisteredIdentifierStore store(IdentifierColumn column) {
        return switch (reads.database()) {
            case POSTGRESQL -> new PostgreSqlStore(column, reads, ownTransactions, barrier, marks.get());
            case H2 -> new BatchTableStore(column, reads, ownTransactions, barrier, new H2Comparison(column));
            default ->
                new TableIdentifierStore(
                        column, reads, ownTransactions, barrier, new StandardComparison(column, reads.database()));
        };
    }
}
