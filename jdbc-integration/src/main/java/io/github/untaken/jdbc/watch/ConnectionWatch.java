package io.github.untaken.jdbc.watch;

import io.github.untaken.jdbc.connection.Refusal;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import net.ttddyy.dsproxy.ConnectionInfo;
import org.jspecify.annotations.Nullable;

/** One connection. datasource-proxy hands it to the listener with each of its calls. */
final class ConnectionWatch extends ConnectionInfo {
    private final Watch watch;
    private final ConnectionWrites writes;

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

    /**
     * For a statement that was just made.
     *
     * @param sql null if it has no text of its own
     */
    StatementWatch watching(Statement statement, @Nullable String sql) {
        return new StatementWatch(watch, writes, sql, isUpdatable(statement));
    }

    /** Whether its rows can be changed without a statement. */
    private static boolean isUpdatable(Statement statement) {
        try {
            return statement.getResultSetConcurrency() != ResultSet.CONCUR_READ_ONLY;
        } catch (SQLException | RuntimeException e) {
            return true;
        }
    }

    void before(String method, @Nullable Object @Nullable [] arguments) {
        switch (method) {
            case "commit" -> writes.ending();
            case "setAutoCommit" -> {
                if (isTrue(arguments)) {
                    writes.ending();
                }
            }
            case "close" -> {
                writes.ending(); // some drivers commit
                writes.givingBack();
            }
            case "abort" -> writes.tearing();
            default -> {}
        }
    }

    void after(String method, @Nullable Object @Nullable [] arguments, @Nullable Throwable thrown) {
        switch (method) {
            case "commit" -> writes.completed(isAnswered(thrown));
            case "setAutoCommit" -> {
                if (isTrue(arguments)) {
                    writes.autocommits(isAnswered(thrown));
                }
            }
            case "rollback" -> {
                if (arguments == null || arguments.length == 0) { // rolling back to a savepoint leaves the rest
                    writes.completed(thrown == null);
                }
            }
            case "close", "abort" -> writes.closed();
            default -> {}
        }
    }

    private static boolean isTrue(@Nullable Object @Nullable [] arguments) {
        return arguments != null && arguments.length == 1 && Boolean.TRUE.equals(arguments[0]);
    }

    private static boolean isAnswered(@Nullable Throwable thrown) {
        return thrown == null || Refusal.is(thrown);
    }
}
