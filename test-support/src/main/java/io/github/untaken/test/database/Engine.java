package io.github.untaken.test.database;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/** The database servers of the tests. Each has any number of databases, reachable by URL alone. */
public enum Engine {
    /** In memory, in this JVM. */
    H2 {
        @Override
        public String database() {
            return create();
        }

        @Override
        public String create() {
            return "jdbc:h2:mem:test" + NUMBER.incrementAndGet() + ";DB_CLOSE_DELAY=-1;USER=sa;PASSWORD=";
        }

        @Override
        public void drop(String url) {
            new Console(url).sql("shutdown");
        }

        @Override
        public void vanish(String url) {
            new Console(url).sql("shutdown immediately");
        }

        @Override
        public String numbers(int last) {
            return "system_range(1, " + last + ") as numbers(x)";
        }
    },

    /**
     * A real server on loopback, started once for the JVM and stopped with it. Emptying a database is cheaper than
     * making one, so the next test gets the last one's.
     */
    POSTGRESQL {
        @Override
        public String database() {
            return url("postgres");
        }

        @Override
        public String create() {
            String used = EMPTY.poll();
            if (used != null) {
                return used;
            }
            String name = "test" + NUMBER.incrementAndGet();
            new Console(database()).sql("create database " + name);
            return url(name);
        }

        @Override
        public void drop(String url) {
            new Console(url).sql("""
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
            EMPTY.add(url);
        }

        @Override
        public void vanish(String url) {
            String name = url.substring(url.lastIndexOf('/') + 1, url.indexOf('?'));
            new Console(database()).sql("drop database " + name + " with (force)");
        }

        @Override
        public String numbers(int last) {
            return "generate_series(1, " + last + ") as numbers(x)";
        }

        private String url(String database) {
            return "jdbc:postgresql://localhost:" + port() + "/" + database + "?user=postgres";
        }
    };

    private static final AtomicLong NUMBER = new AtomicLong();

    /** The databases of PostgreSQL that nobody needs any more. */
    private static final Queue<String> EMPTY = new ConcurrentLinkedQueue<>();

    /** The URL of a database that is empty, or has other tests' tables in it. */
    public abstract String database();

    /** Makes an empty database and returns its URL. */
    public abstract String create();

    /** Nobody needs what is in it any more. */
    public abstract void drop(String url);

    /** Ends a database without notice, and for good. */
    public abstract void vanish(String url);

    /** What to select from to have a column {@code x} with the numbers from 1 on. */
    public abstract String numbers(int last);

    /** That of PostgreSQL. */
    public static int port() {
        return Server.RUNNING.getPort();
    }

    /** Made when first used, so that a run without PostgreSQL starts none. */
    private static final class Server {
        static final EmbeddedPostgres RUNNING =
                PostgreSql.started(PostgreSql.builder().setServerConfig("max_connections", "200"));
    }
}
