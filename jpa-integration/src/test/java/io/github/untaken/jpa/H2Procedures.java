package io.github.untaken.jpa;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** Procedures that H2 calls by name, on the connection that calls them. */
public final class H2Procedures {
    private H2Procedures() {}

    public static void takeNames(Connection connection, long low, long high) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(
                "insert into Account (id, username) select id, name from Applicant where id between ? and ?")) {
            statement.setLong(1, low);
            statement.setLong(2, high);
            statement.executeUpdate();
        }
    }
}
