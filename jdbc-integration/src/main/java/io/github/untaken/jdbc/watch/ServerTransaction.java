package io.github.untaken.jdbc.watch;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Whether MariaDB or MySQL has a transaction open on a connection. Their drivers say that autocommit is on in a branch of XA, and
 * MySQL's also after a {@code set autocommit = 0} that it was not asked for. One round trip.
 */
final class ServerTransaction {
    /** MySQL does not tell, but refuses this within a transaction; outside, the next one may write, as it may anyway. */
    private static final String MYSQL = "set transaction read write";

    private static final String MARIADB = "select 1 from dual where @@in_transaction";

    private ServerTransaction() {}

    /** If that cannot be told, there may be one. */
    static boolean mayBeOpen(Connection connection) {
        try (Statement statement = connection.createStatement()) {
            if (!connection.getMetaData().getDatabaseProductVersion().contains("MariaDB")) {
                statement.execute(MYSQL);
                return false;
            }
            try (var row = statement.executeQuery(MARIADB)) {
                return row.next();
            }
        } catch (SQLException | RuntimeException e) {
            return true;
        }
    }
}
