package io.github.untaken.jdbc.store;

import io.github.untaken.jdbc.column.IdentifierColumn;
import io.github.untaken.jdbc.comparison.BatchComparison;
import io.github.untaken.jdbc.comparison.BatchLookup;
import io.github.untaken.jdbc.connection.FreshReads;
import io.github.untaken.jdbc.scan.H2Snapshot;
import io.github.untaken.jdbc.scan.MySqlSnapshot;
import io.github.untaken.jdbc.scan.PostgreSqlSnapshot;
import io.github.untaken.jdbc.writer.DatabaseBarrier;
import io.github.untaken.spi.RegisteredIdentifierStore;
import io.github.untaken.spi.TableCatalog;
import java.sql.PreparedStatement;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** A table of a database that can look up many keys in one statement, and shows several tables in one state. */
class BatchTableStore extends TableIdentifierStore
        implements RegisteredIdentifierStore.Batched,
                RegisteredIdentifierStore.Together,
                RegisteredIdentifierStore.Grouping {
    private final BatchComparison comparison;

    BatchTableStore(
            IdentifierColumn column,
            FreshReads reads,
            TableCatalog catalog,
            Consumer<Duration> ownTransactions,
            DatabaseBarrier barrier,
            BatchComparison comparison) {
        super(column, reads, catalog, ownTransactions, barrier, comparison);
        this.comparison = comparison;
    }

    @Override
    public final Object database() {
        return reads;
    }

    @Override
    public final Snapshot snapshot(List<?> scanned, int threads) {
        List<IdentifierColumn> tables = scanned.stream()
                .map(BatchTableStore.class::cast)
                .map(table -> table.column)
                .toList();
        return switch (reads.database()) {
            case POSTGRESQL -> PostgreSqlSnapshot.of(tables, reads, threads);
            case MYSQL -> MySqlSnapshot.of(tables, reads);
            default -> H2Snapshot.of(tables, reads);
        };
    }

    @Override
    public final void scan(Consumer<String> values) {
        RegisteredIdentifierStore.Together.super.scan(values);
    }

    @Override
    public final List<List<Integer>> heldEqualAmong(List<String> values) {
        return reads.run(column.toString(), connection -> comparison.heldEqualAmong(values, connection));
    }

    @Override
    public List<Presence> existEach(List<String> keys, Duration timeout) {
        if (keys.isEmpty()) {
            return List.of();
        }
        return reads.ask(column.toString(), keys, timeout, connection -> {
            BatchLookup lookup = comparison.lookupEach(keys, connection);
            try (PreparedStatement statement = connection.prepareStatement(lookup.sql())) {
                lookup.bind(statement, connection);
                return within(timeout, statement, () -> lookup.answers(statement));
            }
        });
    }
}
