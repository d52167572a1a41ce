package io.github.untaken.jpa.hibernate;

import io.github.untaken.jdbc.watch.DatabaseAddress;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The database of a session factory, which is where the checker's connections lead. Thread-safe. */
final class FactoryDatabase {
    private final FactoryConnections connections;
    private final Consumer<@Nullable DatabaseAddress> told;
    private volatile @Nullable DatabaseAddress
            address; // taken from a connection: a setting may be one that Hibernate does not read

    /** @param told what was learned, each time */
    FactoryDatabase(FactoryConnections connections, Consumer<@Nullable DatabaseAddress> told) {
        this.connections = connections;
        this.told = told;
    }

    /** Asks a connection for its URL, to recognise it later. Blocks. */
    void learn() {
        try {
            Connection connection = connections.open();
            try {
                address = DatabaseAddress.of(connection);
            } finally {
                connections.close(connection);
            }
        } catch (SQLException | RuntimeException e) {
            address = null; // then any address may be the same
        }
        told.accept(address);
    }

    /** Also true if the address is not known, as before the first look. */
    boolean mayBeThatOf(Connection connection) {
        DatabaseAddress own = address;
        DatabaseAddress other = own == null ? null : DatabaseAddress.of(connection);
        return own == null || other == null || own.equals(other);
    }
}
