package io.github.untaken.cluster.mysql;

import io.github.untaken.spi.RegisteredIdentifierStore;
import java.time.Duration;
import java.util.function.Consumer;

/** Says where it is, and is asked nothing else here. */
record TableStore(TableColumn column) implements RegisteredIdentifierStore.InColumn {
    TableStore(String table, String column) {
        this(new TableColumn(table, column));
    }

    @Override
    public Presence exists(String key, Duration timeout) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void scan(Consumer<String> values) {
        throw new UnsupportedOperationException();
    }
}
