package io.github.untaken.jdbc.writer;

import io.github.untaken.jdbc.column.IdentifierColumn;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * H2 does not tell which table a session has written. So every session that writes is waited for, as is one that runs a statement that may
 * write. Only an administrator sees other sessions; anybody else gets empty lists.
 */
final class H2Writers implements Writers {
    private static final String ADMINISTRATOR =
            "select 1 from INFORMATION_SCHEMA.USERS where USER_NAME = CURRENT_USER and IS_ADMIN";

    /**
     * In the order of a write: it runs, maybe waiting without a lock; then has one until its end; or is in doubt after a crash. So whoever
     * leaves one list meanwhile is found in the next.
     */
    private static final List<String> OPEN = List.of(
            "select 'session ' || SESSION_ID from INFORMATION_SCHEMA.SESSIONS where SESSION_ID <> SESSION_ID() and"
                    + " EXECUTING_STATEMENT is not null"
                    + " and (not regexp_like(EXECUTING_STATEMENT, '^\\s*(select|show|values)\\b', 'i')"
                    + " or regexp_like(EXECUTING_STATEMENT, '\\b(final|new|old)\\s+table\\b', 'i'))",
            "select 'session ' || SESSION_ID from INFORMATION_SCHEMA.LOCKS where SESSION_ID <> SESSION_ID()",
            "select 'the transaction in doubt ' || TRANSACTION_NAME from INFORMATION_SCHEMA.IN_DOUBT"
                    + " where TRANSACTION_STATE = 'IN_DOUBT'");

    @Override
    public Look look(IdentifierColumn column, Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(ADMINISTRATOR);
                ResultSet admin = statement.executeQuery()) {
            if (!admin.next()) {
                return Look.missing(
                        "The database user is not an H2 administrator and cannot see the transactions of other"
                                + " sessions");
            }
        }
        Map<String, String> open = new HashMap<>();
        for (String sql : OPEN) {
            try (PreparedStatement statement = connection.prepareStatement(sql);
                    ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    open.put(rows.getString(1), rows.getString(1));
                }
            }
        }
        return Look.of(open);
    }
}
