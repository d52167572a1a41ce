package io.github.untaken.jpa.hibernate;

import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * The database of a session factory, told by its JDBC URL. Two addresses of one host count as two: that they lead to
 * one database cannot be seen from here. Thread-safe.
 */
final class FactoryDatabase {
    private final FactoryConnections connections;
    private volatile @Nullable String address; // of a connection: a setting may be one that Hibernate does not read

    FactoryDatabase(FactoryConnections connections) {
        this.connections = connections;
    }

    /** Asks a connection for its URL, to know it later. Blocks. */
    void learn() {
        try {
            Connection connection = connections.open();
            try {
                address = addressOf(connection);
            } finally {
                connections.close(connection);
            }
        } catch (SQLException | RuntimeException e) {
            address = null; // then anybody's may be the same
        }
    }

    /** True as well if it is not known, as before the first look. */
    boolean mayBeThatOf(Connection connection) {
        String own = address;
        String other = own == null ? null : addressOf(connection);
        return own == null || other == null || own.equals(other);
    }

    private static @Nullable String addressOf(Connection connection) {
        try {
            return withoutSettings(connection.getMetaData().getURL());
        } catch (SQLException | RuntimeException e) {
            return null;
        }
    }

    private static @Nullable String withoutSettings(@Nullable String url) {
        return url == null
                ? null
                : url.split("[?;]", 2)[0].replace("//127.0.0.1", "//localhost").replace("//[::1]", "//localhost");
    }
}
