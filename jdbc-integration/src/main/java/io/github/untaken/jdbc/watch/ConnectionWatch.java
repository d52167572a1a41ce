package io.github.untaken.jdbc.watch;

import java.sql.Connection;
import java.sql.ResultSet;
import net.ttddyy.dsproxy.ConnectionInfo;
import org.jspecify.annotations.Nullable;

/** One connection. datasource-proxy hands it to the listener with each call of it. */
final class ConnectionWatch extends ConnectionInfo {
    private final Watch watch;
    private final ConnectionWrites writes;
    private boolean nextIsUpdatable;

    ConnectionWatch(Watch watch, Connection connection, ConnectionInfo info) {
        this.watch = watch;
        this.writes = new ConnectionWrites(watch, connection);
        setConnectionId(info.getConnectionId());
        setDataSourceName(info.getDataSourceName());
        setIsolationLevel(info.getIsolationLevel());
    }

    ConnectionWrites writes() {
        return writes;
    }

    /** For a statement that has just been made; null if it has no text of its own. */
    StatementWatch statement(@Nullable String sql) {
        return new StatementWatch(watch, writes, sql, nextIsUpdatable);
    }

    void before(String method, @Nullable Object @Nullable [] arguments) {
        switch (method) {
            case "commit" -> writes.committing();
            case "setAutoCommit" -> {
                if (arguments != null && arguments[0] instanceof Boolean on) {
                    writes.changingAutocommit(on);
                }
            }
            case "close", "abort" -> writes.closing();
            case "createStatement" -> nextIsUpdatable = isUpdatable(arguments, 1);
            case "prepareStatement", "prepareCall" -> nextIsUpdatable = isUpdatable(arguments, 2);
            default -> {}
        }
    }

    private static boolean isUpdatable(@Nullable Object @Nullable [] arguments, int place) {
        return arguments != null
                && arguments.length > place
                && Integer.valueOf(ResultSet.CONCUR_UPDATABLE).equals(arguments[place]);
    }

    void after(String method, @Nullable Object @Nullable [] arguments, @Nullable Throwable thrown) {
        switch (method) {
            case "commit" -> writes.committed(thrown == null);
            case "rollback" -> {
                if (arguments == null || arguments.length == 0) { // a savepoint's leaves the rest
                    writes.rolledBack(thrown == null);
                }
            }
            case "setAutoCommit" -> writes.changedAutocommit(thrown == null);
            default -> {}
        }
    }
}
