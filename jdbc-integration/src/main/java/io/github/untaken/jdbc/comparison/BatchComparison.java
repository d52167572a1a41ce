package io.github.untaken.jdbc.comparison;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** A comparison for a database that takes many values as one array. */
public interface BatchComparison extends ColumnComparison {

    /**
     * As {@link #lookup} for each key, by the very same condition. The column is never compared with a list of the values: the type of the
     * list would decide how ({@code citext = any(text[])} compares as text).
     */
    BatchLookup lookupEach(List<String> keys, Connection connection) throws SQLException;

    /** As {@code Grouping} has it: the places, from 0, of the members of each set. */
    List<List<Integer>> heldEqualAmong(List<String> values, Connection connection) throws SQLException;
}
