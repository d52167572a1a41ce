package io.github.untaken.cluster.postgresql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/**
 * A server process that serves, or served, one of our connections. The server reuses its number later, and other servers use the
 * same numbers; together with the moment at which it began, the number is unique.
 */
record Backend(int pid, String begun) {
    static final Backend NONE = new Backend(0, "");

    static Backend of(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select pid, extract(epoch from backend_start)::text"
                        + " from pg_catalog.pg_stat_activity where pid = pg_backend_pid()")) {
            row.next();
            return new Backend(row.getInt(1), row.getString(2));
        }
    }

    /** Ends it if it is still there, and waits up to that long. Does nothing for {@link #NONE}. */
    void end(Connection asked, Duration patience) throws SQLException {
        if (equals(NONE)) {
            return; // an older server, which is not followed, would not understand the rest
        }
        try (PreparedStatement statement = asked.prepareStatement("select pg_terminate_backend(pid, ?)"
                + " from pg_catalog.pg_stat_activity where pid = ? and extract(epoch from backend_start)::text = ?")) {
            statement.setLong(1, patience.toMillis());
            statement.setInt(2, pid);
            statement.setString(3, begun);
            statement.execute();
        }
    }
}
