package io.github.untaken.jpa.hibernate;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import org.hibernate.StatelessSession;
import org.hibernate.cfg.JdbcSettings;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.jspecify.annotations.Nullable;

/**
 * The database of a session factory, told by its JDBC URL. Two addresses of one host count as two: that they lead to
 * one database cannot be seen from here. Thread-safe.
 */
final class FactoryDatabase {
    private final SessionFactoryImplementor factory;
    private volatile @Nullable String address;

    FactoryDatabase(SessionFactoryImplementor factory) {
        this.factory = factory;
    }

    /** Asks a connection for its URL, to know it later. Blocks. */
    void learn() {
        try (StatelessSession session = factory.openStatelessSession()) {
            address = addressOf((SharedSessionContractImplementor) session);
        } catch (RuntimeException e) {
            address = null; // then anybody's may be the same
        }
    }

    /** True as well if it is not known. */
    boolean mayBeThatOf(SharedSessionContractImplementor session) {
        String own = address == null ? addressIn(factory.getProperties()) : address;
        String other = own == null ? null : addressOf(session);
        return own == null || other == null || own.equals(other);
    }

    /** As {@link #mayBeThatOf(SharedSessionContractImplementor)}, of a connection. */
    boolean mayBeThatOf(Connection connection) {
        String own = address == null ? addressIn(factory.getProperties()) : address;
        if (own == null) {
            return true;
        }
        try {
            String other = withoutSettings(connection.getMetaData().getURL());
            return other == null || own.equals(other);
        } catch (SQLException | RuntimeException e) {
            return true;
        }
    }

    private static @Nullable String addressOf(SharedSessionContractImplementor session) {
        try {
            return withoutSettings(
                    new SessionConnection(session).physical().getMetaData().getURL());
        } catch (SQLException | RuntimeException e) {
            return null;
        }
    }

    /** Known before the first scan, if the factory makes its connections itself. */
    private static @Nullable String addressIn(Map<String, Object> settings) {
        return settings.get(JdbcSettings.JAKARTA_JDBC_URL) instanceof String url ? withoutSettings(url) : null;
    }

    private static @Nullable String withoutSettings(@Nullable String url) {
        return url == null
                ? null
                : url.split("[?;]", 2)[0].replace("//127.0.0.1", "//localhost").replace("//[::1]", "//localhost");
    }
}
