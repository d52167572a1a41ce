package io.github.untaken.jpa;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/** The database servers of the tests. Each makes any number of empty databases, reachable by URL alone. */
public enum Engine {
    /** In memory, in this JVM. */
    H2 {
        @Override
        public String create() {
            return "jdbc:h2:mem:jpa" + NUMBER.incrementAndGet() + ";DB_CLOSE_DELAY=-1;USER=sa;PASSWORD=";
        }

        @Override
        void drop(String url) {
            run(url, "shutdown");
        }

        @Override
        void vanish(String url) {
            run(url, "shutdown immediately");
        }

        @Override
        String numbers(int last) {
            return "system_range(1, " + last + ") as numbers(x)";
        }
    },

    /**
     * A real server on loopback, started once for the JVM and stopped with it. Emptying a database is cheaper than
     * making one, so the next test gets the last one's.
     */
    POSTGRESQL {
        private final Queue<String> empty = new ConcurrentLinkedQueue<>();

        @Override
        public String create() {
            String used = empty.poll();
            if (used != null) {
                return used;
            }
            String name = "jpa" + NUMBER.incrementAndGet();
            run(url("postgres"), "create database " + name);
            return url(name);
        }

        @Override
        void drop(String url) {
            run(url, """
                    select pg_terminate_backend(pid, 20000) from pg_stat_activity
                        where datname = current_database() and pid <> pg_backend_pid();
                    do $$ declare schema text; begin
                        for schema in select nspname from pg_namespace
                            where nspname not like 'pg\\_%' and nspname <> 'information_schema' loop
                            execute format('drop schema %I cascade', schema);
                        end loop;
                        create schema public;
                        grant usage on schema public to public;
                    end $$""");
            empty.add(url);
        }

        @Override
        void vanish(String url) {
            String name = url.substring(url.lastIndexOf('/') + 1, url.indexOf('?'));
            run(url("postgres"), "drop database " + name + " with (force)");
        }

        @Override
        String numbers(int last) {
            return "generate_series(1, " + last + ") as numbers(x)";
        }

        private String url(String database) {
            return "jdbc:postgresql://localhost:" + Server.RUNNING.getPort() + "/" + database + "?user=postgres";
        }
    };

    private static final AtomicLong NUMBER = new AtomicLong();

    /** Makes an empty database and returns its URL. */
    public abstract String create();

    /** Nobody needs what is in it any more. */
    abstract void drop(String url);

    /** Ends a database without notice, and for good. */
    abstract void vanish(String url);

    /** What to select from to have a column {@code x} with the numbers from 1 on. */
    abstract String numbers(int last);

    /** Made when first used, so that a run without PostgreSQL starts none. */
    private static final class Server {
        static final EmbeddedPostgres RUNNING = start();

        private static EmbeddedPostgres start() {
            try {
                // Its default acknowledges commits that a crash would lose.
                EmbeddedPostgres server = EmbeddedPostgres.builder()
                        .setServerConfig("synchronous_commit", "on")
                        .setServerConfig("max_connections", "200")
                        .setServerConfig("max_prepared_transactions", "10")
                        .start();
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
    }

    private static void run(String url, String sql) {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
