package io.github.untaken.jdbc.comparison;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Reads sets of equal values, each as an array of places from 1. */
final class PlacesInGroups {
    private PlacesInGroups() {}

    /**
     * The sets, with places from 0.
     *
     * @param sql takes the values as one array
     * @param type of its elements
     */
    static List<List<Integer>> read(String sql, String type, List<String> values, Connection connection)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setArray(1, connection.createArrayOf(type, values.toArray()));
            try (ResultSet rows = statement.executeQuery()) {
                List<List<Integer>> groups = new ArrayList<>();
                while (rows.next()) {
                    List<Integer> places = new ArrayList<>();
                    for (Object place : (Object[]) rows.getArray(1).getArray()) {
                        places.add(((Number) place).intValue() - 1);
                    }
                    groups.add(places);
                }
                return groups;
            }
        }
    }
}
