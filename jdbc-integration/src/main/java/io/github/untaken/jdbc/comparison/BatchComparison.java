package io.github.untaken.jdbc.comparison;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** A comparison whose database takes many values as one array. */
public interface BatchComparison extends ColumnComparison {

    /**
     * As {@link #lookup} for each key, by the very same condition. The values never stand in a list that the column is
     * compared with: the type of such a list would decide how ({@code citext = any(text[])} is a comparison of text).
     */
    BatchLookup lookupEach(List<String> keys, Connection connection) throws SQLException;

    /** As {@code Grouping} has it: the places, from 0 on, of the members of each set. */
    List<List<Integer>> heldEqualAmong(List<String> values, Connection connection) throws SQLException;
}
