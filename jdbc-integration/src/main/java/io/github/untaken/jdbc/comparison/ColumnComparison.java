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

/** How a database compares the values of a column, found out by asking it. */
public interface ColumnComparison {
    /** How many pairs a statement compares at most: some databases allow few parameters, and nest each union in the last. */
    int MOST_PAIRS = 250;

    ColumnDescription describe(Connection connection) throws SQLException;

    /** What is wrong with the column's specified comparison, and the SQL that mends it; empty if nothing is. */
    Optional<String> advice(Connection connection) throws SQLException;

    /** Takes one statement, which fails if the database refuses one of the values. Reads no row of the table. */
    List<Boolean> heldEqual(List<ValuePair> pairs, Connection connection) throws SQLException;

    /**
     * How to ask whether a row holds a key, compared as {@link #heldEqual} compares, and found by the column's indexes. What must be known
     * of the column is asked once, and again with each description and each comparison, and after it is {@linkplain #forget forgotten}.
     */
    Lookup lookup(String key, Connection connection) throws SQLException;

    /** The table has changed: all that is known of the column is asked anew before the next lookup. Does not block. */
    void forget();

    /**
     * Like the other, but a value that the database refuses, as PostgreSQL refuses a NUL, is equal to nothing: it cannot be stored. The
     * pairs are halved until such values stand alone, and where there are too many for one statement.
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

    /** Carries no cause, which might quote the value. */
    final class RefusedValue extends RuntimeException {
        private static final long serialVersionUID = 1L;

        RefusedValue() {
            super(null, null, false, false);
        }
    }
}
