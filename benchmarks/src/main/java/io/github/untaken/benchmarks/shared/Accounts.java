package io.github.untaken.benchmarks.shared;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import javax.sql.DataSource;

/** The table, with a unique index. */
record Accounts(DataSource pool) {
    void insert(String name) throws SQLException {
        change("insert into account (username) values (?)", name);
    }

    void delete(String name) throws SQLException {
        change("delete from account where username = ?", name);
    }

    boolean has(String name) {
        try (Connection connection = pool.getConnection();
                PreparedStatement statement = connection.prepareStatement("select 1 from account where username = ?")) {
            statement.setString(1, name);
            try (ResultSet row = statement.executeQuery()) {
                return row.next();
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private void change(String sql, String name) throws SQLException {
        try (Connection connection = pool.getConnection();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, name);
            statement.executeUpdate();
        }
    }
}
