package io.github.untaken.cluster.postgresql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/**
 * A process of the server that serves a connection of ours, or did. The server gives its number to another one later, and another
 * server has the same numbers; with the moment at which it began it is nobody else's.
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

    /** Ends it if it is there, and waits for that at most so long; asks nobody for {@link #NONE}. */
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
