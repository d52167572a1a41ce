package io.github.untaken.jdbc.comparison;

import io.github.untaken.jdbc.column.IdentifierColumn;
import io.github.untaken.jdbc.connection.FreshReads;
import io.github.untaken.jdbc.connection.Lookup;
import io.github.untaken.spi.RegisteredIdentifierStore.ColumnDescription;
import io.github.untaken.spi.RegisteredIdentifierStore.ValuePair;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** How a database compares the values of a column, asked of itself. */
public interface ColumnComparison {
    /** How many pairs a statement compares at most: some databases take few parameters, and nest each union in the last. */
    int MOST_PAIRS = 250;

    ColumnDescription describe(Connection connection) throws SQLException;

    /** What is amiss with what the column is said to be compared as, and the SQL that mends it; empty if nothing is. */
    Optional<String> advice(Connection connection) throws SQLException;

    /** By one statement, which fails if the database refuses one of the values. Reads no row of the table. */
    List<Boolean> heldEqual(List<ValuePair> pairs, Connection connection) throws SQLException;

    /**
     * How to ask whether a row holds a key, compared as {@link #heldEqual} compares, and found by the column's indexes.
     * What has to be known of the column for that is asked once, and again with each description and each comparison, and once it
     * is {@linkplain #forget forgotten}.
     */
    Lookup lookup(String key, Connection connection) throws SQLException;

    /** The table has changed: whatever is known of the column is asked anew before the next lookup. Does not block. */
    void forget();

    /**
     * As the other one, but where the database refuses a value, as PostgreSQL refuses a NUL, that value is equal to
     * nothing: it cannot be stored. The pairs are halved until such values stand alone, and where they are too many for a statement.
     */
    default List<Boolean> heldEqual(List<ValuePair> pairs, IdentifierColumn column, FreshReads reads) {
        if (pairs.isEmpty()) {
            return List.of();
        }
        if (pairs.size() > MOST_PAIRS) {
            return inHalves(pairs, column, reads);
        }
        try {
            return reads.run(column.toString(), connection -> {
                try {
                    return heldEqual(pairs, connection);
                } catch (SQLException e) {
                    if (isAboutAValue(e)) {
                        throw new RefusedValue();
                    }
                    throw e;
                }
            });
        } catch (RefusedValue e) {
            if (pairs.size() == 1) {
                return List.of(false);
            }
            return inHalves(pairs, column, reads);
        }
    }

    private List<Boolean> inHalves(List<ValuePair> pairs, IdentifierColumn column, FreshReads reads) {
        int half = pairs.size() / 2;
        List<Boolean> all = new ArrayList<>(heldEqual(pairs.subList(0, half), column, reads));
        all.addAll(heldEqual(pairs.subList(half, pairs.size()), column, reads));
        return all;
    }

    private static boolean isAboutAValue(SQLException e) {
        return e.getSQLState() != null && e.getSQLState().startsWith("22");
    }

    /** Carries no cause: that may quote the value. */
    final class RefusedValue extends RuntimeException {
        private static final long serialVersionUID = 1L;

        RefusedValue() {
            super(null, null, false, false);
        }
    }
}
