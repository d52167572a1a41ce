package io.github.untaken.jdbc.connection;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Makes a borrowed connection give up if the network stays silent too long. If a firewall or a dead machine has forgotten a flow, there is
 * never an error. The driver then closes the connection. Costs no round trip.
 */
public final class NetworkTimeout {
    private final Connection connection;
    private final @Nullable Integer before; // null if unchanged

    private NetworkTimeout(Connection connection, @Nullable Integer before) {
        this.connection = connection;
        this.before = before;
    }

    /** Sets it, unless a shorter one is set or the driver, like H2's, has none. */
    public static NetworkTimeout on(Connection connection, Duration silence) throws SQLException {
        int millis = (int) Math.min(Integer.MAX_VALUE, Math.max(1, silence.toMillis()));
        try {
            int before = connection.getNetworkTimeout();
            if (before > 0 && before <= millis) {
                return new NetworkTimeout(connection, null);
            }
            connection.setNetworkTimeout(Runnable::run, millis);
            return new NetworkTimeout(connection, before);
        } catch (SQLFeatureNotSupportedException | AbstractMethodError e) {
            return new NetworkTimeout(connection, null);
        }
    }

    /** Never throws: a closed connection goes back to its pool closed. */
    public void putBack() {
        if (before != null) {
            try {
                connection.setNetworkTimeout(Runnable::run, before);
            } catch (SQLException | RuntimeException e) {
                // The pool finds out.
            }
        }
    }
}
