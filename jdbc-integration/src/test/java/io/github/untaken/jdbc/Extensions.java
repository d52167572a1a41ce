package io.github.untaken.jdbc;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;

/** What is added to the tests' PostgreSQL. */
final class Extensions {
    private Extensions() {}

    static void create(String extension) {
        run("create extension if not exists " + extension);
    }

    /** A collation that ignores the case of letters, or their accents too. */
    static void collations() {
        run(
                "create collation if not exists caseless (provider = icu, locale = 'und-u-ks-level2', deterministic = false);"
                        + " create collation if not exists letters"
                        + " (provider = icu, locale = 'und-u-ks-level1', deterministic = false)");
    }

    static void run(String sql) {
        try (Connection connection = DriverManager.getConnection(Engine.POSTGRESQL.database());
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
