package io.github.untaken.cluster.postgresql;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;

/** A real server on loopback with one database, started once for the JVM and stopped with it. */
final class TestServer {
    static final String USER = "postgres";

    private static final AtomicInteger NUMBER = new AtomicInteger();
    private static final EmbeddedPostgres RUNNING = start();

    private TestServer() {}

    /** Another one; the defaults acknowledge commits that a crash would lose. */
    static EmbeddedPostgres.Builder builder() {
        return EmbeddedPostgres.builder()
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                .setServerConfig("wal_level", "logical")
                .setServerConfig("max_wal_senders", "20")
                .setServerConfig("max_replication_slots", "20")
                .setServerConfig("max_prepared_transactions", "10");
    }

    private static EmbeddedPostgres start() {
        try {
            EmbeddedPostgres server = builder().start();
            Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                try {
                    server.close();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }));
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A suffix that no other test has. */
    static int number() {
        return NUMBER.incrementAndGet();
    }

    static int port() {
        return RUNNING.getPort();
    }

    static String url() {
        return "jdbc:postgresql://localhost:" + port() + "/postgres";
    }

    /** As somebody at a console. */
    static Connection console() {
        try {
            return DriverManager.getConnection(url(), USER, "");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    static void sql(String... statements) {
        try (Connection connection = console()) {
            sql(connection, statements);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    static void sql(Connection connection, String... statements) {
        try (Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The rows' first column, one a line. */
    static String query(String sql) {
        try (Connection connection = console()) {
            return query(connection, sql);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    static String query(Connection connection, String sql) {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            StringBuilder text = new StringBuilder();
            while (rows.next()) {
                text.append(rows.getString(1)).append('\n');
            }
            return text.toString().strip();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Changes a setting of the whole server until it is closed. */
    static AutoCloseable setting(String name, String value) {
        String before = query("show " + name);
        set(name, value);
        return () -> set(name, before);
    }

    private static void set(String name, String value) {
        sql("alter system set " + name + " = '" + value + "'", "select pg_reload_conf()");
        long deadline = System.nanoTime() + 10_000_000_000L;
        while (!query("show " + name).equals(value)) { // each looks by a connection of its own
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("the server keeps its " + name);
            }
        }
    }
}
