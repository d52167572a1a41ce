package io.github.untaken.jdbc;

import io.github.untaken.test.database.Console;
import io.github.untaken.testkit.RegisteredIdentifierStoreContract;
import java.sql.Connection;
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
        Console.update(reader, "insert into " + table + " (username) values (?)", "renamed1");
        reader.setAutoCommit(false);
        Console.update(reader, "select username from " + table + " where username = ? for update", "renamed1");
        writer.setAutoCommit(false);
        rename = CompletableFuture.runAsync(() -> {
            try {
                Console.update(
                        writer, "update " + table + " set username = ? where username = ?", identifier, "renamed1");
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        });
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
