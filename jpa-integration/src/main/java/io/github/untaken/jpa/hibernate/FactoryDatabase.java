package io.github.untaken.jpa.hibernate;

import io.github.untaken.jdbc.watch.DatabaseAddress;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The database of a session factory, which is the one that the checker's connections lead to. Thread-safe. */
final class FactoryDatabase {
    private final FactoryConnections connections;
    private final Consumer<@Nullable DatabaseAddress> told;
    private volatile @Nullable DatabaseAddress
            address; // of a connection: a setting may be one that Hibernate does not read

    /** @param told of what was learned, each time */
    FactoryDatabase(FactoryConnections connections, Consumer<@Nullable DatabaseAddress> told) {
        this.connections = connections;
        this.told = told;
    }

    /** Asks a connection for its URL, to know it later. Blocks. */
    void learn() {
        try {
            Connection connection = connections.open();
            try {
                address = DatabaseAddress.of(connection);
            } finally {
                connections.close(connection);
            }
        } catch (SQLException | RuntimeException e) {
            address = null; // then anybody's may be the same
        }
        told.accept(address);
    }

    /** True as well if it is not known, as before the first look. */
    boolean mayBeThatOf(Connection connection) {
        DatabaseAddress own = address;
        DatabaseAddress other = own == null ? null : DatabaseAddress.of(connection);
        return own == null || other == null || own.equals(other);
    }
}
