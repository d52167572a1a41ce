package io.github.untaken.nodes;

import io.github.untaken.cluster.mysql.MySqlFeed;
import io.github.untaken.cluster.postgresql.PostgreSqlFeed;
import io.github.untaken.innodb.Product;
import io.github.untaken.spi.ChangeFeed;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;

/** The database that the nodes share, and what each product calls differently. */
enum Database {
    POSTGRESQL("PostgreSQL", "postgres", "jdbc:postgresql://localhost:%d/postgres?user=postgres") {
        @Override
        ServerProgram program(Path folder, int port) {
            return new PostgreSqlProgram(folder, port);
        }

        @Override
        String[] setUp() {
            return new String[] {Account.TABLE, Account.PUBLICATION};
        }

        @Override
        ChangeFeed feed(String url) {
            return PostgreSqlFeed.of(url).build();
        }

        @Override
        Duration patience() {
            return Duration.ofSeconds(5);
        }

        @Override
        String millis(Duration patience) {
            return String.valueOf(patience.toSeconds());
        }

        @Override
        void endAllConnections(DatabaseServer server) {
            server.query("select pg_terminate_backend(pid) from pg_stat_activity"
                    + " where pid <> pg_backend_pid() and backend_type in ('client backend', 'walsender')");
        }
    },
    MARIADB("MariaDB", "untaken", "jdbc:mariadb://127.0.0.1:%d/names?user=untaken") {
        @Override
        ServerProgram program(Path folder, int port) {
            return new InnoDbProgram(folder, port, Product.MARIADB, "--binlog-format=ROW");
        }
    },
    MYSQL("MySQL", "untaken", "jdbc:mysql://127.0.0.1:%d/names?user=untaken&sslMode=DISABLED") {
        @Override
        ServerProgram program(Path folder, int port) {
            return new InnoDbProgram(folder, port, Product.MYSQL);
        }
    };

    /** That of this process, {@code -Dserver=mariadb} or {@code mysql}; PostgreSQL unless something is said. */
    static final Database CHOSEN = of(System.getProperty("server", "postgresql"));

    private final String title;
    private final String user;
    private final String url;

    Database(String title, String user, String url) {
        this.title = title;
        this.user = user;
        this.url = url;
    }

    static Database of(String name) {
        return valueOf(name.toUpperCase(Locale.ROOT));
    }

    /** On the files in that folder, which are made at the first start. */
    abstract ServerProgram program(Path folder, int port);

    /** Makes table and publication. */
    String[] setUp() {
        return new String[] {Account.INNODB_TABLE};
    }

    ChangeFeed feed(String url) {
        return MySqlFeed.of(url).build();
    }

    /** For an answer. When a node starts, the server draws up which letters are equal: on a busy machine for ten seconds. */
    Duration patience() {
        return Duration.ofSeconds(30);
    }

    /** As its driver counts them. */
    String millis(Duration patience) {
        return String.valueOf(patience.toMillis());
    }

    /** By the server, but for the one that says so. */
    void endAllConnections(DatabaseServer server) {
        for (String id : server.query("select id from information_schema.processlist where user = 'untaken'"
                + " and id <> connection_id()")) {
            try {
                server.sql("kill " + id);
            } catch (IllegalStateException e) {
                // it has gone by itself
            }
        }
    }

    String title() {
        return title;
    }

    String user() {
        return user;
    }

    /** With its user. */
    String url(int port) {
        return String.format(Locale.ROOT, url, port);
    }
}
