package io.github.untaken.jdbc;

import io.github.untaken.spi.RegisteredIdentifierStore;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Makes stores for the columns of one database, each with all that this database can do. Thread-safe, and so are the
 * stores.
 */
public final class IdentifierTables {
    private final FreshReads reads;
    private final DatabaseBarrier barrier;
    private final Consumer<Duration> ownTransactions;
    private final Supplier<WriterMarks> marks;

    /**
     * Asks the database nothing.
     *
     * @param connections to the primary
     * @param database decides what SQL is sent, and what the stores can do
     * @param ownTransactions waits, up to the time it is given, for this application's transactions that no checker was
     *     told of
     * @param marks asked for only if the database can hold marks
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

    /**
     * A store that reads one column. Making it asks the database nothing; each of its reads blocks, and throws a
     * {@code StoreException} if the database fails.
     */
    public RegisteredIdentifierStore store(IdentifierColumn column) {
        return switch (reads.database()) {
            case POSTGRESQL -> new PostgreSqlStore(column, reads, ownTransactions, barrier, marks.get());
            case MYSQL -> new MySqlStore(column, reads, ownTransactions, barrier, marks.get());
            case H2 -> new BatchTableStore(column, reads, ownTransactions, barrier, new H2Comparison(column));
            default ->
                new TableIdentifierStore(
                        column, reads, ownTransactions, barrier, new StandardComparison(column, reads.database()));
        };
    }
}
