package io.github.untaken.feeds;

import io.github.untaken.spi.RegisteredIdentifierStore;
import java.time.Duration;
import java.util.function.Consumer;

/** Says where it is, and is asked nothing else here. */
public record TableStore(TableColumn column) implements RegisteredIdentifierStore.InColumn {
    public TableStore(String table, String column) {
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
