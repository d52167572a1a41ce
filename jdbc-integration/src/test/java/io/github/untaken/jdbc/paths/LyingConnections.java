package io.github.untaken.jdbc.paths;

import io.github.untaken.test.calls.StandIn;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;

/** Connections that break at a COMMIT: what becomes of it the client does not hear. */
final class LyingConnections {

    enum Fate {
        KEPT,
        /** The database carries it out, and the reply is lost. */
        REPLY_LOST,
        /** The database never hears of it. */
        COMMIT_LOST
    }

    private final AtomicReference<Fate> next = new AtomicReference<>(Fate.KEPT);

    void next(Fate fate) {
        next.set(fate);
    }

    DataSource over(DataSource database) {
        return StandIn.of(DataSource.class, (method, arguments) -> {
            Object result = method.invoke(database, arguments);
            return result instanceof Connection connection ? lying(connection) : result;
        });
    }

    private Connection lying(Connection connection) {
        return StandIn.of(Connection.class, (method, arguments) -> {
            if (!method.getName().equals("commit")) {
                return method.invoke(connection, arguments);
            }
            Fate fate = next.getAndSet(Fate.KEPT);
            if (fate == Fate.KEPT) {
                return method.invoke(connection, arguments);
            }
            if (fate == Fate.REPLY_LOST) {
                connection.commit();
            } else {
                connection.rollback(); // as the server does when it notices
            }
            connection.close();
            throw new SQLException("the connection is gone", "08006");
        });
    }
}
