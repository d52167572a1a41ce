package io.github.untaken.jpa;

import io.github.untaken.test.calls.StandIn;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Deque;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedDeque;

/**
 * A small pool of real connections that lets a test look at the world before and after each call that can change what is
 * committed: each statement, each end of a transaction. Only calls of the thread that set the probe are shown to it.
 */
final class ProbedConnections extends ProxiedDataSource implements AutoCloseable {
    private static final Set<String> OF_STATEMENTS = Set.of(
            "execute", "executeQuery", "executeUpdate", "executeLargeUpdate", "executeBatch", "executeLargeBatch");
    private static final Set<String> OF_CONNECTIONS = Set.of("commit", "rollback", "setAutoCommit");

    /** Looks on. Calls made by the probe itself are not shown to it. */
    interface Probe {
        void before(String call) throws SQLException;

        void after(String call) throws SQLException;
    }

    private final String url;
    private final Deque<Connection> idle = new ConcurrentLinkedDeque<>();
    private final ThreadLocal<Probe> probe = new ThreadLocal<>();

    ProbedConnections(String url) {
        this.url = url;
    }

    /** While the work runs, on this thread. */
    void probing(Probe by, Runnable work) {
        probe.set(by);
        try {
            work.run();
        } finally {
            probe.remove();
        }
    }

    @Override
    public Connection getConnection() throws SQLException {
        Connection pooled = idle.poll();
        Connection connection = pooled == null ? DriverManager.getConnection(url) : pooled;
        return StandIn.of(Connection.class, (method, arguments) -> {
            if (method.getName().equals("close")) {
                putBack(connection);
                return null;
            }
            Object result = OF_CONNECTIONS.contains(method.getName())
                    ? shown(connection, method, arguments)
                    : method.invoke(connection, arguments);
            if (result instanceof PreparedStatement prepared) {
                return statement(PreparedStatement.class, prepared);
            }
            return result instanceof Statement plain ? statement(Statement.class, plain) : result;
        });
    }

    private void putBack(Connection connection) throws SQLException {
        if (!connection.getAutoCommit()) {
            connection.rollback();
            connection.setAutoCommit(true);
        }
        idle.push(connection);
    }

    private <T extends Statement> T statement(Class<T> type, T statement) {
        return StandIn.of(
                type,
                (method, arguments) -> OF_STATEMENTS.contains(method.getName())
                        ? shown(statement, method, arguments)
                        : method.invoke(statement, arguments));
    }

    private Object shown(Object target, Method method, Object[] arguments) throws Exception {
        Probe looking = probe.get();
        if (looking == null) {
            return method.invoke(target, arguments);
        }
        probe.remove();
        try {
            looking.before(method.getName());
            try {
                return method.invoke(target, arguments);
            } finally {
                looking.after(method.getName());
            }
        } finally {
            probe.set(looking);
        }
    }

    @Override
    public void close() {
        for (Connection each; (each = idle.poll()) != null; ) {
            try {
                each.close();
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
