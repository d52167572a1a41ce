package io.github.untaken.jdbc;

import io.github.untaken.spi.RegisteredIdentifierStore;
import java.sql.PreparedStatement;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** A table of a database that can be asked for many keys by one statement. */
class BatchTableStore extends TableIdentifierStore implements RegisteredIdentifierStore.Batched {
    private final BatchComparison comparison;

    BatchTableStore(
            IdentifierColumn column,
            FreshReads reads,
            Consumer<Duration> ownTransactions,
            DatabaseBarrier barrier,
            BatchComparison comparison) {
        super(column, reads, ownTransactions, barrier, comparison);
        this.comparison = comparison;
    }

    @Override
    public List<Boolean> existEach(List<String> keys, Duration timeout) {
        if (keys.isEmpty()) {
            return List.of();
        }
        return reads.ask(column.toString(), keys, connection -> {
            BatchLookup lookup = comparison.lookupEach(keys, connection);
            try (PreparedStatement statement = connection.prepareStatement(lookup.sql())) {
                lookup.bind(statement, connection);
                return within(timeout, statement, () -> lookup.answers(statement));
            }
        });
    }
}
