package io.github.untaken.jdbc.watch;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.DatabaseMetaData;
import net.ttddyy.dsproxy.proxy.ConnectionProxyLogic;
import org.jspecify.annotations.Nullable;

/**
 * A connection as the application has it. The library leaves open two ways past it. Here, {@code unwrap} gives the watched connection as
 * long as that will do, and the catalog's own connection is the watched one.
 */
final class ConnectionHandler implements InvocationHandler {
    private final ConnectionProxyLogic logic;
    private final ConnectionWrites writes;
    private final HeardConnection heard;

    ConnectionHandler(ConnectionProxyLogic logic, ConnectionWrites writes, HeardConnection heard) {
        this.logic = logic;
        this.writes = writes;
        this.heard = heard;
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        if (method.getDeclaringClass() == HeardConnection.class) {
            return method.invoke(heard, arguments);
        }
        if (isUnwrapping(method, arguments, proxy)) {
            return method.getName().equals("unwrap") ? proxy : true;
        }
        if (method.getName().equals("unwrap")) {
            writes.lend();
        }
        if (method.getName().equals("equals") && arguments != null) {
            return proxy == arguments[0]; // the library compares with the connection behind it
        }
        Object result = logic.invoke(proxy, method, arguments);
        if (result != null && method.getName().equals("unwrap")) {
            writes.holdBy(result);
        }
        return result instanceof DatabaseMetaData catalog && method.getName().equals("getMetaData")
                ? watched(catalog, proxy)
                : result;
    }

    /** Whether it asks for an interface that the proxy has. */
    private static boolean isUnwrapping(Method method, @Nullable Object @Nullable [] arguments, Object proxy) {
        return (method.getName().equals("unwrap") || method.getName().equals("isWrapperFor"))
                && arguments != null
                && arguments[0] instanceof Class<?> type
                && type.isInstance(proxy);
    }

    private DatabaseMetaData watched(DatabaseMetaData catalog, Object connection) {
        InvocationHandler handler = (proxy, method, arguments) -> {
            if (method.getName().equals("getConnection")) {
                return connection;
            }
            if (isUnwrapping(method, arguments, proxy)) {
                return method.getName().equals("unwrap") ? proxy : true;
            }
            if (method.getName().equals("unwrap")) {
                writes.lend();
            }
            try {
                Object result = method.invoke(catalog, arguments);
                if (result != null && method.getName().equals("unwrap")) {
                    writes.holdBy(result);
                }
                return result;
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        };
        return (DatabaseMetaData) Proxy.newProxyInstance(
                ConnectionHandler.class.getClassLoader(), new Class<?>[] {DatabaseMetaData.class}, handler);
    }
}
