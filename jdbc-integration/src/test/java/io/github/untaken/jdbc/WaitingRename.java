package io.github.untaken.jdbc;

import io.github.untaken.testkit.RegisteredIdentifierStoreContract;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A rename that waits for a row, which somebody holds who only reads. */
public final class WaitingRename implements RegisteredIdentifierStoreContract.Waiter {
    private final Connection reader;
    private final Connection writer;
    private final CompletableFuture<Void> rename;

    /** Takes two connections that commit by themselves, and closes them. */
    public WaitingRename(Connection reader, Connection writer, String table, String identifier) throws SQLException {
        this.reader = reader;
        this.writer = writer;
        execute(reader, "insert into " + table + " (username) values (?)", "renamed1");
        reader.setAutoCommit(false);
        execute(reader, "select username from " + table + " where username = ? for update", "renamed1");
        writer.setAutoCommit(false);
        rename = CompletableFuture.runAsync(() -> {
            try {
                execute(writer, "update " + table + " set username = ? where username = ?", identifier, "renamed1");
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    private static void execute(Connection connection, String sql, String... values) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setString(i + 1, values[i]);
            }
            statement.execute();
        }
    }

    @Override
    public void goOn() {
        try {
            reader.rollback();
            rename.get(20, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void commit() {
        try {
            writer.commit();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        try (reader;
                writer) {
            reader.rollback();
            writer.rollback();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
