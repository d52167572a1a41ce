package io.github.untaken.cluster.mysql;

import io.github.untaken.innodb.Product;
import io.github.untaken.innodb.Server;
import io.github.untaken.test.database.Console;
import io.github.untaken.test.net.Network;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Real servers with a binary log. */
final class TestServer {
    private static final int NO_SUCH_THREAD = 1094;
    private static final AtomicInteger NUMBER = new AtomicInteger();

    /** One for all tests of the JVM. Nothing here crashes the machine. */
    static final Server RUNNING = started("--innodb-flush-log-at-trx-commit=2", "--sync-binlog=0");

    private TestServer() {}

    /** Another one. */
    static Server started(String... settings) {
        List<String> all = new ArrayList<>(List.of("--log-bin=log", "--server-id=1", "--local-infile=ON"));
        all.add(Product.UNDER_TEST == Product.MARIADB ? "--binlog-format=ROW" : "--gtid-mode=OFF");
        all.addAll(Arrays.asList(settings));
        return new Server(all.toArray(String[]::new));
    }

    /** A suffix that no other test has. */
    static int number() {
        return NUMBER.incrementAndGet();
    }

    static String url() {
        return url(RUNNING);
    }

    static String url(Server server) {
        return Product.UNDER_TEST == Product.MARIADB
                ? "jdbc:mariadb://127.0.0.1:" + server.port() + "/names?allowLocalInfile=true"
                : "jdbc:mysql://127.0.0.1:" + server.port() + "/names?sslMode=DISABLED&allowLoadLocalInfile=true";
    }

    /** As that server's, by this way. */
    static String url(Server server, Network network) {
        return url(server).replace(":" + server.port(), ":" + network.port());
    }

    /** As somebody at a console. */
    static Connection console() {
        return console(RUNNING);
    }

    static Connection console(Server server) {
        return at(server).connection();
    }

    private static Console at(Server server) {
        return new Console(url(server) + "&user=untaken");
    }

    static void sql(String... statements) {
        sql(RUNNING, statements);
    }

    static void sql(Server server, String... statements) {
        at(server).sql(statements);
    }

    /** Ends a connection, unless it has ended by itself. */
    static void kill(Server server, long connection) {
        try (Connection console = console(server);
                Statement statement = console.createStatement()) {
            statement.execute("kill " + connection);
        } catch (SQLException e) {
            if (e.getErrorCode() != NO_SUCH_THREAD) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** Ends the connections over which the server sends its log. */
    static void endReaders(Server server) {
        readers(server).forEach(reader -> kill(server, reader));
    }

    /** Those connections. */
    static List<Long> readers(Server server) {
        List<Long> readers = new ArrayList<>();
        try (Connection console = console(server);
                Statement statement = console.createStatement();
                ResultSet rows = statement.executeQuery(
                        "select id from information_schema.processlist where command like 'Binlog Dump%'")) {
            while (rows.next()) {
                readers.add(rows.getLong(1));
            }
            return readers;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    static String query(String sql) {
        return at(RUNNING).query(sql);
    }

    private static String quoted(String value) {
        return value.matches("\\d+") ? value : '\'' + value + '\'';
    }

    /** Changes a setting of the whole server until it is closed. */
    static AutoCloseable setting(String name, String value) {
        String before = query("select @@global." + name);
        sql("set global " + name + " = " + quoted(value));
        return () -> sql("set global " + name + " = " + quoted(before));
    }
}
