package io.github.untaken.cluster.postgresql;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;
import java.util.Properties;
import java.util.function.Supplier;
import org.postgresql.Driver;
import org.postgresql.PGConnection;
import org.postgresql.PGProperty;

/**
 * Opens connections to the server, past any pool, each for one purpose. What the purpose needs overrides the address, which may be that
 * of a pool.
 */
final class Server {
    private static final String NAME = "untaken";
    /** The driver prefers the address to properties, so it gets everything as properties. */
    private static final String NOTHING_MORE = "jdbc:postgresql://";

    private final String url;
    private final Supplier<Properties> given;

    /** @param given asked before each connection */
    Server(String url, Supplier<Properties> given) {
        this.url = url;
        this.given = given;
    }

    /** Under autocommit; no answer may take longer than connecting. */
    Connection plain(Duration timeout) throws SQLException {
        return plain(timeout, NAME);
    }

    /** The same, with that name at the server. */
    Connection plain(Duration timeout, String name) throws SQLException {
        Properties properties = properties(timeout);
        PGProperty.REPLICATION.set(properties, null);
        PGProperty.APPLICATION_NAME.set(properties, name);
        PGProperty.SOCKET_TIMEOUT.set(properties, seconds(timeout));
        return open(properties);
    }

    /** A connection that can read the log, and answers plain SQL until it does. No such answer may take longer than connecting. */
    Connection replication(Duration timeout) throws SQLException {
        Properties properties = properties(timeout);
        PGProperty.REPLICATION.set(properties, "database");
        PGProperty.SOCKET_TIMEOUT.set(properties, seconds(timeout));
        PGProperty.ASSUME_MIN_SERVER_VERSION.set(properties, "9.4"); // or the driver asks in a way not allowed here
        PGProperty.PREFER_QUERY_MODE.set(properties, "simple");
        return open(properties);
    }

    private Properties properties(Duration timeout) throws SQLException {
        Properties properties = Driver.parseURL(url, given.get());
        if (properties == null) {
            throw new SQLException("this is not a URL of PostgreSQL's driver", "08001");
        }
        PGProperty.CONNECT_TIMEOUT.set(properties, seconds(timeout));
        PGProperty.LOGIN_TIMEOUT.set(properties, seconds(timeout));
        PGProperty.CANCEL_SIGNAL_TIMEOUT.set(properties, 2);
        PGProperty.TCP_KEEP_ALIVE.set(properties, true);
        PGProperty.APPLICATION_NAME.set(properties, NAME);
        return properties;
    }

    private Connection open(Properties properties) throws SQLException {
        return Objects.requireNonNull(new Driver().connect(NOTHING_MORE, properties));
    }

    private static int seconds(Duration timeout) {
        return (int) Math.max(1, Math.min(timeout.toSeconds(), 3600));
    }

    /** Ends what the server does for a connection. */
    static void cancel(Connection connection) {
        try {
            connection.unwrap(PGConnection.class).cancelQuery();
        } catch (SQLException | RuntimeException e) {
            // nobody there
        }
    }
}
