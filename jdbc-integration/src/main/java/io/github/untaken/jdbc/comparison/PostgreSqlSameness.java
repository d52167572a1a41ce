package io.github.untaken.jdbc.comparison;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * When PostgreSQL takes two values for the same.
 *
 * @param collation its oid; 0 if there is none, or an expression's own
 * @param operator of equality, with its schema: the search path may not find it
 */
record PostgreSqlSameness(long collation, String operator) {
    private static final String COLLATION = "select quote_ident(n.nspname) || '.' || quote_ident(c.collname),"
            + " case c.collprovider when 'd' then 'default, ' || coalesce(to_jsonb(d) ->> 'datlocale',"
            + " to_jsonb(d) ->> 'daticulocale', d.datcollate)"
            + " else c.collname end, c.collisdeterministic, coalesce(pg_collation_actual_version(c.oid), '')"
            + " from pg_catalog.pg_collation c join pg_catalog.pg_namespace n on n.oid = c.collnamespace"
            + " cross join pg_catalog.pg_database d where c.oid = ?::bigint::oid and d.datname = current_database()";

    /**
     * A collation.
     *
     * @param sql its name, with its schema
     * @param version of what compares by it; empty if that has none
     */
    record Collation(String sql, String text, boolean deterministic, String version) {
        @Override
        public String toString() {
            return deterministic ? text : text + " (nondeterministic)";
        }
    }

    /** To be written behind what is compared. */
    String collate(Connection connection) throws SQLException {
        return collation == 0
                ? ""
                : " collate " + collation(collation, connection).sql();
    }

    /** Whether values that are the same are one text. */
    boolean isDeterministic(Connection connection) throws SQLException {
        return collation != 0 && collation(collation, connection).deterministic();
    }

    /** An expression that compares so. */
    String compared(String formula, Connection connection) throws SQLException {
        return "(" + formula + ")" + collate(connection);
    }

    /** Whether the two values of a group are the same; nulls never are. */
    String ofGroup(String formula, Connection connection) throws SQLException {
        return "count(distinct " + compared(formula, connection) + ") = 1 and count(" + formula + ") = 2";
    }

    static Collation collation(long oid, Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(COLLATION)) {
            statement.setLong(1, oid);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return new Collation(row.getString(1), row.getString(2), row.getBoolean(3), row.getString(4));
            }
        }
    }
}
