package io.github.untaken.test.database;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Connections to PostgreSQL that consoles no longer need. To make one takes a process of its own, and most of the processor time of a console's
 * statement.
 */
final class Idle {
    private final Map<Console, Queue<Connection>> idle = new ConcurrentHashMap<>();

    Connection open(Console console) {
        Queue<Connection> known = idle.get(console);
        if (known != null) {
            for (Connection next = known.poll(); next != null; next = known.poll()) {
                if (isAlive(next)) {
                    return next;
                }
                end(next);
            }
        }
        return console.connection();
    }

    /** The server may have ended it, or be another one by now. */
    private static boolean isAlive(Connection connection) {
        try {
            return connection.isValid(1);
        } catch (SQLException e) {
            return false;
        }
    }

    /** Nothing of a session outlives it. */
    void close(Connection connection, Console console) {
        if (!console.url().startsWith("jdbc:postgresql:")) {
            end(connection);
            return;
        }
        try (Statement statement = connection.createStatement()) {
            statement.execute("discard all");
            idle.computeIfAbsent(console, each -> new ConcurrentLinkedQueue<>()).add(connection);
        } catch (SQLException e) {
            end(connection);
        }
    }

    static void end(Connection connection) {
        try {
            connection.close();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
