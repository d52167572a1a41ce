package io.github.untaken.jdbc.column;

import io.github.untaken.spi.StoreException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** An application's condition for the rows that count, in the columns of their table. */
public final class RowCondition {
    /** The database was away or had no time, which says nothing about the condition. */
    private static final List<String> OF_THE_DATABASE = List.of("08", "40", "53", "57", "58", "70", "HYT");

    /** The remedy where no index has a condition. */
    public static final String LIVE = "Add to the index a generated column that is null where a row does not count.";

    private RowCondition() {}

    /**
     * Why the database refuses it, as the end of a sentence; empty if it accepts it, or if there is none. Reads no row.
     *
     * <p>Between two words, one bracket too many is an error. So is anything that would leave a quote or a comment open, for then the
     * statement has no end. In brackets, one word too many is an error. So what passes both is one condition that stays within its
     * brackets.
     *
     * @throws SQLException if the database could not be asked
     */
    static Optional<String> refusal(IdentifierColumn column, Connection connection) throws SQLException {
        String where = column.where();
        if (where == null) {
            return Optional.empty();
        }
        String none = " from " + column.table() + " where 1 = 0";
        for (String sql : List.of(
                "select case when " + where + " then 1 end" + none, "select 1" + none + " and (" + where + ")")) {
            try (PreparedStatement statement = connection.prepareStatement(sql);
                    ResultSet nothing = statement.executeQuery()) {
                nothing.next();
            } catch (SQLException e) {
                String state = e.getSQLState();
                if (state == null || OF_THE_DATABASE.stream().anyMatch(state::startsWith)) {
                    throw e;
                }
                return Optional.of(
                        "has a condition for the rows that count, \"" + where + "\", that the database rejects"
                                + " (SQLSTATE " + state + "): write one over the columns of that table, such as"
                                + " del_flag = '0', with balanced brackets and quotes and no semicolon, comment"
                                + " or question mark. It stands after \"where\" in untaken.tables (as"
                                + " untaken.tables.<kind>[0], if it has a comma), in"
                                + " @RegisteredIdentifier(where = ...), or in IdentifierTable.where(...)");
            }
        }
        return Optional.empty();
    }

    /**
     * Asks the database whether it accepts the condition.
     *
     * @throws StoreException if not
     */
    public static void tryOut(IdentifierColumn column, Connection connection) throws SQLException {
        Optional<String> refusal = refusal(column, connection);
        if (refusal.isPresent()) {
            throw new StoreException(column + " " + refusal.get());
        }
    }

    /**
     * The warning that the database refuses more than the rows that count.
     *
     * @param remedy how to limit the index to those rows
     */
    public static String leftOut(IdentifierColumn column, String remedy) {
        return column + " counts only rows where \"" + column.where() + "\", but its unique index covers all"
                + " rows, so the names of the others are taken too. "
                + remedy;
    }
}
