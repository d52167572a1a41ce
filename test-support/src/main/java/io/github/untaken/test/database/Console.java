package io.github.untaken.test.database;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Somebody at a console of the database at that URL, each time as in a session of its own. */
public record Console(String url) {
    private static final Idle IDLE = new Idle();

    public Connection connection() {
        try {
            return DriverManager.getConnection(url);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    public void sql(String... statements) {
        inASession(connection -> {
            sql(connection, statements);
            return "";
        });
    }

    private String inASession(Function<Connection, String> work) {
        Connection connection = IDLE.open(this);
        boolean done = false;
        try {
            String result = work.apply(connection);
            done = true;
            return result;
        } finally {
            if (done) {
                IDLE.close(connection, this);
            } else {
                Idle.end(connection);
            }
        }
    }

    public static void sql(Connection connection, String... statements) {
        try (Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The rows' first column, one a line. */
    public String query(String sql) {
        return inASession(connection -> query(connection, sql));
    }

    public static String query(Connection connection, String sql) {
        List<String> values = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                values.add(rows.getString(1));
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        return String.join("\n", values).strip();
    }

    /** One statement with these values for its parameters. */
    public static void update(Connection connection, String sql, String... values) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setString(i + 1, values[i]);
            }
            statement.execute();
        }
    }
}
