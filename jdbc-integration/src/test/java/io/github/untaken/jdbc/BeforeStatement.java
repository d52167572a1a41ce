package io.github.untaken.jdbc;

import io.github.untaken.jdbc.connection.Connections;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;

/** Connections on which something is done once, right before the first statement whose text matches is sent. */
public final class BeforeStatement implements Connections {
    private final Connections pool;
    private final Pattern pattern;
    private final Runnable work;
    private final AtomicBoolean done = new AtomicBoolean();
    private final Map<Connection, Connection> lent = new ConcurrentHashMap<>();

    public BeforeStatement(Connections pool, String pattern, Runnable work) {
        this.pool = pool;
        this.pattern = Pattern.compile(pattern);
        this.work = work;
    }

    public boolean isDone() {
        return done.get();
    }

    @Override
    public Connection open() throws SQLException {
        Connection connection = pool.open();
        Connection proxy = proxy(Connection.class, connection);
        lent.put(proxy, connection);
        return proxy;
    }

    @Override
    public void close(Connection connection) throws SQLException {
        pool.close(Objects.requireNonNull(lent.remove(connection)));
    }

    private <T> T proxy(Class<T> type, T target) {
        return type.cast(Proxy.newProxyInstance(
                BeforeStatement.class.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
                    if (method.getName().equals("equals")) {
                        return self == arguments[0];
                    }
                    boolean sends = method.getName().startsWith("execute")
                            || method.getName().equals("prepareStatement");
                    if (sends
                            && arguments != null
                            && pattern.matcher(String.valueOf(arguments[0])).find()
                            && done.compareAndSet(false, true)) {
                        work.run();
                    }
                    try {
                        Object result = method.invoke(target, arguments);
                        return result instanceof Statement statement && !(result instanceof PreparedStatement)
                                ? proxy(Statement.class, statement)
                                : result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }
}
