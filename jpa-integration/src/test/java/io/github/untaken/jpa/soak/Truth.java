package io.github.untaken.jpa.soak;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

/** Reads PostgreSQL past everything under test, on a connection of its own. Used by one thread. */
final class Truth implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Connection connection;

    Truth(String url) throws SQLException {
        connection = DriverManager.getConnection(url);
    }

    /** Whether the name is committed, once every transaction that may still decide it has ended. */
    boolean afterAllEnded(String name) throws SQLException {
        awaitTransactionsOpenNow();
        return holds(name);
    }

    boolean holds(String name) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement("select 1 from Account where username = ?")) {
            select.setString(1, name);
            try (ResultSet row = select.executeQuery()) {
                return row.next();
            }
        }
    }

    /** The transaction of a killed connection may still be at its commit. */
    private void awaitTransactionsOpenNow() throws SQLException {
        Set<String> open = writing();
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!open.isEmpty()) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("a transaction stays open for more than " + PATIENCE);
            }
            open.retainAll(writing());
        }
    }

    /** Every transaction that has written holds a lock on its own number. */
    private Set<String> writing() throws SQLException {
        Set<String> numbers = new HashSet<>();
        try (PreparedStatement select = connection.prepareStatement(
                        "select transactionid::text from pg_locks where locktype = 'transactionid' and granted");
                ResultSet rows = select.executeQuery()) {
            while (rows.next()) {
                numbers.add(rows.getString(1));
            }
        }
        return numbers;
    }

    /** Ends one of the application's connections in the middle of anything. */
    boolean killOne() {
        try {
            return number("select count(pg_terminate_backend(pid)) from (select pid from pg_stat_activity"
                            + " where datname = current_database() and application_name not in ('truth', 'console')"
                            + " order by random() limit 1) victim")
                    > 0;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    void callMyself() throws SQLException {
        number("select length(set_config('application_name', 'truth', false))");
    }

    private long number(String sql) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(sql);
                ResultSet row = select.executeQuery()) {
            row.next();
            return Long.parseLong(row.getString(1));
        }
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
