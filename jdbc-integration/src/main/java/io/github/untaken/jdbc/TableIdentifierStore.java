package io.github.untaken.jdbc;

import io.github.untaken.spi.RegisteredIdentifierStore;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads one column of one table by plain SQL, past everything a mapping would add: a row that is soft-deleted,
 * restricted, filtered or another tenant's still holds its name in the unique index.
 *
 * <p>A scan goes in pages along the primary key, which never changes, each page in a transaction of its own; a key of
 * several columns is scanned by one statement, and so is a table of PostgreSQL that others inherit from.
 */
class TableIdentifierStore
        implements RegisteredIdentifierStore.Counted,
                RegisteredIdentifierStore.Barrier,
                RegisteredIdentifierStore.Partitioned,
                RegisteredIdentifierStore.Comparing,
                RegisteredIdentifierStore.Sampled,
                RegisteredIdentifierStore.InColumn {
    private static final System.Logger LOG = System.getLogger("io.github.untaken.jdbc");

    /** A primary key of partitions counts in all of them. */
    private static final String HEIRS = "select exists (select from pg_catalog.pg_inherits i"
            + " join pg_catalog.pg_class c on c.oid = i.inhrelid"
            + " where i.inhparent = ?::regclass and not c.relispartition)";

    final IdentifierColumn column;
    final FreshReads reads;
    private final Consumer<Duration> ownTransactions;
    private final DatabaseBarrier barrier;
    private final ColumnComparison comparison;
    private final ColumnSample sample;
    private volatile @Nullable String warned;

    TableIdentifierStore(
            IdentifierColumn column,
            FreshReads reads,
            Consumer<Duration> ownTransactions,
            DatabaseBarrier barrier,
            ColumnComparison comparison) {
        this.column = column;
        this.reads = reads;
        this.ownTransactions = ownTransactions;
        this.barrier = barrier;
        this.comparison = comparison;
        this.sample = ColumnSample.of(column, reads);
    }

    @Override
    public boolean exists(String key, Duration timeout) {
        return reads.ask(column.toString(), List.of(key), connection -> {
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
     * H2 has one timeout for a whole connection, and changing it makes every connection to the database compile all its
     * statements anew, the application's too; so none is set there. Its lock timeout still holds, and nobody waits for
     * the read longer than the recheck timeout. A pool may keep statements, so the timeout is put back.
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

    /** JDBC counts seconds and takes 0 for no limit at all. */
    private static int wholeSeconds(Duration timeout) {
        long seconds = timeout.plusNanos(999_999_999).toSeconds();
        return (int) Math.max(1, Math.min(Integer.MAX_VALUE, seconds));
    }

    @Override
    public TableColumn column() {
        return new TableColumn(column.table(), column.column());
    }

    /** Null where there is none, or rows of other tables belong to this one: a key counts in its own table only. */
    private IdentifierColumn.@Nullable Key uniqueKey() {
        IdentifierColumn.Key key = column.key();
        boolean shared = key != null && reads.database() == Database.POSTGRESQL && hasHeirs();
        return shared ? null : key;
    }

    private boolean hasHeirs() {
        return reads.fromPrimary(column.table(), connection -> {
            try (PreparedStatement statement = connection.prepareStatement(HEIRS)) {
                statement.setString(1, column.table());
                try (ResultSet row = statement.executeQuery()) {
                    row.next();
                    return row.getBoolean(1);
                }
            }
        });
    }

    @Override
    public void scan(Consumer<String> values) {
        IdentifierColumn.Key key = uniqueKey();
        if (key == null) {
            scanAtOnce(values);
        } else {
            new PagedScan(column, key, reads).scan(KeyRange.ALL, values);
        }
    }

    /** Ranges of the primary key; one if it has several columns, or other tables inherit from this one. */
    @Override
    public List<Partition> partitions(int wanted) {
        if (wanted < 1) {
            throw new IllegalArgumentException("wanted must be 1 or more, but was " + wanted);
        }
        IdentifierColumn.Key key = uniqueKey();
        if (key == null) {
            return List.of(this::scan);
        }
        PagedScan pages = new PagedScan(column, key, reads);
        return new KeySplit(column, key, reads)
                .ranges(wanted).stream()
                        .<Partition>map(range -> values -> pages.scan(range, values))
                        .toList();
    }

    private void scanAtOnce(Consumer<String> values) {
        String sql = "select " + column.column() + " from " + column.table();
        reads.fromPrimary(column.toString(), connection -> {
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                statement.setFetchSize(reads.database().streams(connection) ? PagedScan.PAGE : Integer.MIN_VALUE);
                try (ResultSet result = statement.executeQuery()) {
                    while (result.next()) {
                        String value = StoredText.of(result);
                        if (value != null) {
                            values.accept(value);
                        }
                    }
                }
            }
            return true;
        });
    }

    /** If the column cannot be null, H2 knows the number without reading. */
    @Override
    public long count() {
        return reads.run(column.table(), connection -> {
            try (PreparedStatement statement = connection.prepareStatement(
                            "select count(" + column.column() + ") from " + column.table());
                    ResultSet row = statement.executeQuery()) {
                row.next();
                return row.getLong(1);
            }
        });
    }

    @Override
    public ColumnDescription describe() {
        return reads.run(column.toString(), connection -> {
            ColumnDescription description = comparison.describe(connection);
            comparison.advice(connection).ifPresent(this::warn);
            return description;
        });
    }

    /** Once for each thing that is amiss. */
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

    /** None if the primary key has several columns, except on PostgreSQL. */
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
