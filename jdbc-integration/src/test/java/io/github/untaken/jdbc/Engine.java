package io.github.untaken.jdbc;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.atomic.AtomicLong;

/** The database servers of the tests, reachable by URL alone. */
public enum Engine {
    /** In memory, a database of its own for each table. */
    H2 {
        @Override
        public String database() {
            return "jdbc:h2:mem:jdbc" + NUMBER.incrementAndGet() + ";DB_CLOSE_DELAY=-1;USER=sa;PASSWORD=";
        }

        @Override
        String numbers(int last) {
            return "system_range(1, " + last + ") as numbers(x)";
        }
    },

    /** A real server on loopback with one database, started once for the JVM and stopped with it. */
    POSTGRESQL {
        @Override
        public String database() {
            return "jdbc:postgresql://localhost:" + Server.RUNNING.getPort() + "/postgres?user=postgres";
        }

        @Override
        String numbers(int last) {
            return "generate_series(1, " + last + ") as numbers(x)";
        }
    };

    private static final AtomicLong NUMBER = new AtomicLong();

    /** A database that is empty, or has other tests' tables in it. */
    public abstract String database();

    /** What to select from to have a column {@code x} with the numbers from 1 on. */
    abstract String numbers(int last);

    static int port() {
        return Server.RUNNING.getPort();
    }

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
}
