package io.github.untaken.jdbc.connection;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Has a borrowed connection give up by itself where the network says nothing for too long: a flow that was forgotten on its way, by a
 * firewall or a machine that is gone, gives no error, ever. The driver closes the connection then. Costs no round trip.
 */
public final class NetworkTimeout {
    private final Connection connection;
    private final @Nullable Integer before; // null if it was not changed

    private NetworkTimeout(Connection connection, @Nullable Integer before) {
        this.connection = connection;
        this.before = before;
    }

    /** Unless a shorter one is set, or the driver has none, as H2's. */
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

    /** Never throws: one that is closed goes back to its pool as such. */
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
