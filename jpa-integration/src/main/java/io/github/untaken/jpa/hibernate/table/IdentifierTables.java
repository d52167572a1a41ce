package io.github.untaken.jpa.hibernate.table;

import io.github.untaken.spi.RegisteredIdentifierStore;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.hibernate.dialect.Dialect;
import org.hibernate.dialect.PostgreSQLDialect;
import org.hibernate.engine.spi.SessionFactoryImplementor;

/** The door: makes the stores of one session factory's columns, with what its database can do. */
public final class IdentifierTables {
    private final FreshReads reads;
    private final DatabaseBarrier barrier;
    private final Consumer<Duration> ownTransactions;
    private final boolean hasMarks;
    private final Supplier<WriterMarks> marks;

    /**
     * @param ownTransactions waits for this application's transactions of which no checker was told
     * @param marks asked only where the database can hold them
     */
    public IdentifierTables(
            SessionFactoryImplementor factory, Consumer<Duration> ownTransactions, Supplier<WriterMarks> marks) {
        Dialect dialect = factory.getJdbcServices().getDialect();
        this.reads = new FreshReads(factory);
        this.barrier = DatabaseBarrier.of(dialect);
        this.ownTransactions = ownTransactions;
        this.hasMarks = dialect instanceof PostgreSQLDialect;
        this.marks = marks;
    }

    public RegisteredIdentifierStore store(IdentifierColumn column) {
        return hasMarks
                ? new SoleWriterStore(column, reads, ownTransactions, barrier, marks.get())
                : new TableIdentifierStore(column, reads, ownTransactions, barrier);
    }
}
