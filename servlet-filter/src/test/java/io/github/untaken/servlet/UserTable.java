package io.github.untaken.servlet;

import io.github.untaken.spi.StoreException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import java.util.function.Consumer;

/** A table of an H2 database in memory, read and written by plain JDBC. It holds keys. */
final class UserTable implements OwnedStore, AutoCloseable {
    private final String url = "jdbc:h2:mem:" + UUID.randomUUID();
    private final Connection keepsItAlive;

    UserTable(String... names) throws SQLException {
        keepsItAlive = connect();
        try (var statement = keepsItAlive.createStatement()) {
            statement.execute("create table users(name varchar(300) primary key)");
        }
        for (String name : names) {
            insert(keepsItAlive, name);
        }
    }

    Connection connect() throws SQLException {
        return DriverManager.getConnection(url);
    }

    void insert(String name) throws SQLException {
        try (Connection connection = connect()) {
            insert(connection, name);
        }
    }

    static void insert(Connection connection, String name) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("insert into users(name) values (?)")) {
            statement.setString(1, name);
            statement.executeUpdate();
        }
    }

    int delete(String name) throws SQLException {
        try (Connection connection = connect();
                PreparedStatement statement = connection.prepareStatement("delete from users where name = ?")) {
            statement.setString(1, name);
            return statement.executeUpdate();
        }
    }

    @Override
    public Presence exists(String key, Duration timeout) {
        try (Connection connection = connect();
                PreparedStatement statement = connection.prepareStatement("select 1 from users where name = ?")) {
            statement.setQueryTimeout((int) Math.max(1, timeout.toSeconds()));
            statement.setString(1, key);
            try (ResultSet rows = statement.executeQuery()) {
                return Presence.of(rows.next());
            }
        } catch (SQLException e) {
            throw new StoreException("the users table could not be read", e);
        }
    }

    @Override
    public void scan(Consumer<String> values) {
        try (Connection connection = connect();
                PreparedStatement statement = connection.prepareStatement("select name from users");
                ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                values.accept(rows.getString(1));
            }
        } catch (SQLException e) {
            throw new StoreException("the users table could not be scanned", e);
        }
    }

    /** Afterwards every read fails: the database is gone with its last connection. */
    @Override
    public void close() throws SQLException {
        keepsItAlive.close();
    }
}
