package io.github.untaken.jdbc.paths;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
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
        return proxy(DataSource.class, database, (method, arguments) -> {
            Object result = method.invoke(database, arguments);
            return result instanceof Connection connection ? lying(connection) : result;
        });
    }

    private Connection lying(Connection connection) {
        return proxy(Connection.class, connection, (method, arguments) -> {
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

    private interface Call {
        Object of(Method method, Object[] arguments) throws Exception;
    }

    private static <T> T proxy(Class<T> type, T target, Call call) {
        return type.cast(Proxy.newProxyInstance(
                LyingConnections.class.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
                    try {
                        return call.of(method, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }
}
