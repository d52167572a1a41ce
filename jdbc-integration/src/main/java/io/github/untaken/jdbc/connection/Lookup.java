package io.github.untaken.jdbc.connection;

import io.github.untaken.spi.RegisteredIdentifierStore.Presence;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * The question whether a row holds a value, and one that counts. The answer is one of the numbers below, or no row, which also means "no".
 * Some numbers say that the server that answered cannot know.
 *
 * @param value bound to each parameter
 * @param oneRow whether there is never a second row. Limiting the rows costs MySQL's driver a round trip of its own
 */
public record Lookup(String sql, String value, int parameters, boolean oneRow) {
    public static final int FOUND = 1;
    public static final int ABSENT = 2;
    public static final String HIDDEN =
            "row-level security hides rows from this user, but their names are taken: read as a user who bypasses it";
    public static final int NOT_THE_PRIMARY = 3;
    public static final int NOT_READ_COMMITTED = 4;
    public static final int ROWS_ARE_HIDDEN = 5;
    public static final int NOT_CAUSAL = 6;
    public static final int UNCOUNTED = 7;

    public void bind(PreparedStatement statement) throws SQLException {
        if (!oneRow) {
            statement.setMaxRows(1);
        }
        for (int i = 1; i <= parameters; i++) {
            statement.setString(i, value);
        }
    }

    public Presence answer(PreparedStatement statement) throws SQLException {
        try (ResultSet rows = statement.executeQuery()) {
            return rows.next() ? presence(rows.getInt(1)) : Presence.ABSENT;
        }
    }

    public static Presence presence(int answer) throws SQLException {
        return switch (answer) {
            case FOUND -> Presence.COUNTED;
            case UNCOUNTED -> Presence.UNCOUNTED;
            case ABSENT -> Presence.ABSENT;
            case NOT_READ_COMMITTED -> throw new FreshReads.OtherIsolation();
            case ROWS_ARE_HIDDEN -> throw rowsAreHidden();
            case NOT_CAUSAL ->
                throw new SQLException(
                        "a node of a Galera cluster answered, which may lack the latest commits of another: set"
                                + " wsrep_sync_wait=1 on the connections (sessionVariables in the URL)",
                        "25006");
            default -> throw notThePrimary();
        };
    }

    public static SQLException rowsAreHidden() {
        return new SQLException(HIDDEN, "42501");
    }

    public static SQLException notThePrimary() {
        return new SQLException(
                "a replica answered, which may lack the latest commits: lead the connections to the primary", "25006");
    }
}
