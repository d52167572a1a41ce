package io.github.untaken.jdbc;

import io.github.untaken.jdbc.catalog.WatchedCatalog;
import io.github.untaken.spi.RegisteredIdentifierStore;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * A table of H2. A process that has opened the database itself is alone with it as long as nobody is connected over a server that it runs:
 * whoever is connected is marked by that. Who is connected over a server cannot tell who else is.
 */
final class H2Store extends BatchTableStore implements RegisteredIdentifierStore.Exclusive {
    private final WatchedCatalog looks;
    private volatile boolean marked;

    H2Store(
            IdentifierColumn column,
            FreshReads reads,
            WatchedCatalog looks,
            Consumer<Duration> ownTransactions,
            DatabaseBarrier barrier) {
        super(column, reads, looks, ownTransactions, barrier, new H2Comparison(column));
        this.looks = looks;
    }

    @Override
    public Standing standing() {
        return marked ? looks.standing() : Standing.UNKNOWN;
    }

    @Override
    public void mark() {
        marked = true;
    }

    @Override
    public void release() {
        marked = false;
    }
}
