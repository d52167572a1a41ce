package io.github.untaken.cluster.postgresql;

import io.github.untaken.test.database.Console;
import io.github.untaken.test.database.PostgreSql;
import io.github.untaken.testkit.Eventually;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.sql.Connection;
import java.util.concurrent.atomic.AtomicInteger;

/** A real server on loopback with one database, started once for the JVM and stopped with it. */
final class TestServer {
    static final String USER = "postgres";

    private static final AtomicInteger NUMBER = new AtomicInteger();
    private static final EmbeddedPostgres RUNNING = PostgreSql.started(builder());

    private TestServer() {}

    /** Another one, whose commits no crash loses. */
    static EmbeddedPostgres.Builder builder() {
        return PostgreSql.builder()
                .setServerConfig("fsync", "on")
                .setServerConfig("wal_level", "logical")
                .setServerConfig("max_wal_senders", "20")
                .setServerConfig("max_replication_slots", "20");
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
        return at().connection();
    }

    private static Console at() {
        return new Console(url() + "?user=" + USER);
    }

    static void sql(String... statements) {
        at().sql(statements);
    }

    static String query(String sql) {
        return at().query(sql);
    }

    /** Changes a setting of the whole server until it is closed. */
    static AutoCloseable setting(String name, String value) {
        String before = query("show " + name);
        set(name, value);
        return () -> set(name, before);
    }

    private static void set(String name, String value) {
        sql("alter system set " + name + " = '" + value + "'", "select pg_reload_conf()");
        // The server's processes learn of it one after the other.
        Eventually.holds(
                "the server has its new " + name, () -> query("show " + name).equals(value));
    }
}
