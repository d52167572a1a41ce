package io.github.untaken.test.database;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.TransactionState;

/**
 * For each console of PostgreSQL a connection that it may use again. Each connection is a process of the server, and starting one takes more
 * processor time than most statements.
 */
final class Idle {
    private final Map<Console, Connection> idle = new ConcurrentHashMap<>();

    /** A session without anything of earlier ones. What is set for a role or database since it began does not reach it. */
    Connection open(Console console) {
        Connection known = idle.remove(console);
        if (known != null) {
            try (Statement statement = known.createStatement()) {
                statement.execute("discard all");
                return known;
            } catch (SQLException e) {
                end(known); // by the server already
            }
        }
        if (!isPostgreSql(console)) {
            return console.connection();
        }
        Properties named = new Properties();
        named.setProperty("ApplicationName", "console");
        try {
            return DriverManager.getConnection(console.url(), named);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Asks the server nothing: what follows a commit must not have to wait for that. */
    void close(Connection connection, Console console) {
        boolean usable = isPostgreSql(console) && isOutsideTransactions(connection);
        if (!usable || idle.putIfAbsent(console, connection) != null) {
            end(connection);
        }
    }

    private static boolean isPostgreSql(Console console) {
        return console.url().startsWith("jdbc:postgresql:");
    }

    /** Not every module that has consoles has this driver. */
    private static boolean isOutsideTransactions(Connection connection) {
        return connection instanceof BaseConnection known && known.getTransactionState() == TransactionState.IDLE;
    }

    static void end(Connection connection) {
        try {
            connection.close();
        } catch (SQLException e) {
            // the server ends it when it notices
        }
    }
}
