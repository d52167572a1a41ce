package io.github.untaken.jdbc.comparison;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Sets of equal values, for a database that cannot gather them: it gives each value's rank in the sort order. */
final class RankedPlaces {
    private RankedPlaces() {}

    /** Binds what is sorted. */
    @FunctionalInterface
    interface Binding {
        void bind(PreparedStatement statement) throws SQLException;
    }

    /**
     * A query for the ranks.
     *
     * @param compared what is compared
     * @param from where that comes from, with its place among the values, from 1, as {@code untaken_place}
     */
    static String query(String compared, String from) {
        return "select untaken_place, rank() over (order by " + compared + ")" + from;
    }

    /**
     * The sets of two or more, with places from 0.
     *
     * @param values how many there are
     */
    static List<List<Integer>> read(String query, int values, Connection connection, Binding binding)
            throws SQLException {
        int[] ranks = new int[values];
        int[] members = new int[values + 1]; // by rank
        try (PreparedStatement statement = connection.prepareStatement(query)) {
            binding.bind(statement);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    int rank = rows.getInt(2);
                    ranks[rows.getInt(1) - 1] = rank;
                    members[rank]++;
                }
            }
        }
        Map<Integer, List<Integer>> sets = new HashMap<>();
        for (int place = 0; place < values; place++) {
            int rank = ranks[place]; // 0 if it is compared as null
            if (rank > 0 && members[rank] > 1) {
                sets.computeIfAbsent(rank, first -> new ArrayList<>(members[first]))
                        .add(place);
            }
        }
        return List.copyOf(sets.values());
    }
}
