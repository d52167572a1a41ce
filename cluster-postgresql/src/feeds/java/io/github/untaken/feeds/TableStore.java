package io.github.untaken.feeds;

import io.github.untaken.spi.RegisteredIdentifierStore.TableColumn;

public record TableStore(TableColumn column) implements UnaskedStore {
    public TableStore(String table, String column) {
        this(new TableColumn(table, column));
    }
}
