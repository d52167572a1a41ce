package io.github.untaken.cluster.postgresql;

import io.github.untaken.spi.RegisteredIdentifierStore;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** A column of a table as a checker reads it, which counts its scans. */
final class ScannedTable
        implements RegisteredIdentifierStore.InColumn,
                RegisteredIdentifierStore.Barrier,
                RegisteredIdentifierStore.Identified,
                AutoCloseable {
    private final String table;
    private final String column;
    private final Connection asked = TestServer.console();
    private final AtomicInteger scans = new AtomicInteger();

    ScannedTable(String table) {
        this(table, "username");
    }

    ScannedTable(String table, String column) {
        this.table = table;
        this.column = column;
    }

    int scans() {
        return scans.get();
    }

    @Override
    public TableColumn column() {
        return new TableColumn(table, column);
    }

    @Override
    public synchronized Presence exists(String key, Duration timeout) {
        try (PreparedStatement statement =
                asked.prepareStatement("select exists (select from " + table + " where " + column + " = ?)")) {
            statement.setString(1, key);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return Presence.of(row.getBoolean(1));
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void scan(Consumer<String> values) {
        scans.incrementAndGet();
        try (Connection connection = TestServer.console()) {
            connection.setAutoCommit(false);
            try (Statement statement = connection.createStatement()) {
                statement.setFetchSize(10_000);
                // As text, or the driver pads a character(n), which the server compares without its blanks.
                try (ResultSet rows = statement.executeQuery("select " + column + "::text from " + table)) {
                    while (rows.next()) {
                        values.accept(rows.getString(1));
                    }
                }
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** As simple as can be: writers that come later wait behind it. */
    @Override
    public boolean awaitOpenTransactions(Duration timeout) {
        TestServer.sql("do $$ begin lock table " + table + " in share row exclusive mode; end $$");
        return true;
    }

    @Override
    public DatabaseMark present() {
        return new DatabaseMark(
                TestServer.query("select concat_ws('/', d.oid, d.datname, '" + table
                        + "'::regclass::oid) from pg_database d where d.datname = current_database()"),
                Long.parseLong(TestServer.query("select pg_snapshot_xmax(pg_current_snapshot())::text")));
    }

    @Override
    public void close() throws SQLException {
        asked.close();
    }
}
