package io.github.untaken.jdbc.store;

import io.github.untaken.jdbc.column.IdentifierColumn;
import io.github.untaken.jdbc.column.TextType;
import io.github.untaken.jdbc.comparison.ColumnComparison;
import io.github.untaken.jdbc.connection.Database;
import io.github.untaken.jdbc.connection.FreshReads;
import io.github.untaken.jdbc.connection.Lookup;
import io.github.untaken.jdbc.scan.ColumnRows;
import io.github.untaken.jdbc.scan.ColumnSample;
import io.github.untaken.jdbc.writer.DatabaseBarrier;
import io.github.untaken.spi.RegisteredIdentifierStore;
import io.github.untaken.spi.StoreException;
import io.github.untaken.spi.TableCatalog;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads one column of one table by plain SQL, past everything a mapping would add: a row that is soft-deleted, restricted, filtered or
 * another tenant's still holds its name in the unique index. Which rows count is up to the index or the application; a scan delivers all.
 *
 * <p>A scan is one statement, whose rows come through the driver's cursor.
 */
class TableIdentifierStore
        implements RegisteredIdentifierStore.Counted,
                RegisteredIdentifierStore.Barrier,
                RegisteredIdentifierStore.Comparing,
                RegisteredIdentifierStore.Sampled,
                RegisteredIdentifierStore.Catalogued,
                RegisteredIdentifierStore.InColumn {
    private static final System.Logger LOG = System.getLogger("io.github.untaken.jdbc");

    final IdentifierColumn column;
    final FreshReads reads;
    private final TableCatalog catalog;
    private final Consumer<Duration> ownTransactions;
    private final DatabaseBarrier barrier;
    private final ColumnComparison comparison;
    private final ColumnSample sample;
    private volatile @Nullable String warned;

    TableIdentifierStore(
            IdentifierColumn column,
            FreshReads reads,
            TableCatalog catalog,
            Consumer<Duration> ownTransactions,
            DatabaseBarrier barrier,
            ColumnComparison comparison) {
        this.column = column;
        this.reads = reads;
        this.catalog = catalog;
        this.ownTransactions = ownTransactions;
        this.barrier = barrier;
        this.comparison = comparison;
        this.sample = ColumnSample.of(column, reads.database());
    }

    @Override
    public Presence exists(String key, Duration timeout) {
        return reads.ask(column.toString(), List.of(key), timeout, connection -> {
            Lookup lookup = comparison.lookup(key, connection);
            try (PreparedStatement statement = connection.prepareStatement(lookup.sql())) {
                lookup.bind(statement);
                return within(timeout, statement, () -> lookup.answer(statement));
            }
        });
    }

    interface Query<T> {
        T run() throws SQLException;
    }

    /**
     * H2 has one timeout for a whole connection, and changing it makes every connection to the database recompile all its statements, the
     * application's too; so none is set there. Its lock timeout still holds, and nobody waits for the read longer than the recheck timeout.
     * A pool may cache statements, so the timeout is put back.
     */
    final <T> T within(Duration timeout, PreparedStatement statement, Query<T> query) throws SQLException {
        if (reads.database() == Database.H2) {
            return query.run();
        }
        int before = statement.getQueryTimeout();
        statement.setQueryTimeout(wholeSeconds(timeout));
        try {
            return query.run();
        } finally {
            statement.setQueryTimeout(before);
        }
    }

    /** JDBC counts seconds, and 0 means no limit. */
    private static int wholeSeconds(Duration timeout) {
        long seconds = timeout.plusNanos(999_999_999).toSeconds();
        return (int) Math.max(1, Math.min(Integer.MAX_VALUE, seconds));
    }

    @Override
    public TableColumn column() {
        return new TableColumn(column.table(), column.column());
    }

    @Override
    public TableCatalog catalog() {
        return catalog;
    }

    /** Called when the table has changed. */
    void changed() {
        comparison.forget();
    }

    @Override
    public String catalogued() {
        return column.table();
    }

    @Override
    public void scan(Consumer<String> values) {
        reads.fromPrimary(column.toString(), connection -> {
            ColumnRows.read(ColumnRows.select(column), ColumnRows.FETCHED, connection, () -> {}, values);
            return true;
        });
    }

    /** Counts all rows: to leave out those without a value, H2 would read the table. */
    @Override
    public long count() {
        return reads.run(column.table(), connection -> {
            try (PreparedStatement statement = connection.prepareStatement("select count(*) from " + column.table());
                    ResultSet row = statement.executeQuery()) {
                row.next();
                return row.getLong(1);
            }
        });
    }

    @Override
    public ColumnDescription describe() {
        return reads.run(column.toString(), connection -> {
            String type = TextType.otherThanText(column, connection);
            if (type != null) {
                throw new StoreException(column + TextType.refusal(type));
            }
            ColumnDescription description = comparison.describe(connection);
            comparison.advice(connection).ifPresent(this::warn);
            return description;
        });
    }

    /** Once for each problem. */
    private void warn(String advice) {
        if (!advice.equals(warned)) {
            warned = advice;
            LOG.log(System.Logger.Level.WARNING, advice);
        }
    }

    @Override
    public List<Boolean> heldEqual(List<ValuePair> pairs) {
        return comparison.heldEqual(pairs, column, reads);
    }

    /** None where that would take a scan. */
    @Override
    public List<String> sample(int count) {
        return reads.run(column.toString(), connection -> sample.take(count, ThreadLocalRandom.current(), connection));
    }

    @Override
    public boolean awaitOpenTransactions(Duration timeout) {
        ownTransactions.accept(timeout);
        return barrier.await(column, reads, timeout);
    }

    @Override
    public String toString() {
        return column.toString();
    }
}
