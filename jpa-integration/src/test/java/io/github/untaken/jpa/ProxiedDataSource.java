package io.github.untaken.jpa;

import java.io.PrintWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.logging.Logger;
import javax.sql.DataSource;

/** A data source whose connections are looked at or meddled with, call by call. */
abstract class ProxiedDataSource implements DataSource {

    /** What becomes of one call. */
    interface Call {
        Object of(Method method, Object[] arguments) throws Exception;
    }

    static <T> T proxy(Class<T> type, Call call) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (self, method, args) -> {
            try {
                return call.of(method, args);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }));
    }

    @Override
    public final Connection getConnection(String username, String password) throws SQLException {
        return getConnection();
    }

    @Override
    public final PrintWriter getLogWriter() {
        return null;
    }

    @Override
    public final void setLogWriter(PrintWriter out) {}

    @Override
    public final void setLoginTimeout(int seconds) {}

    @Override
    public final int getLoginTimeout() {
        return 0;
    }

    @Override
    public final Logger getParentLogger() {
        return Logger.getGlobal();
    }

    @Override
    public final <T> T unwrap(Class<T> type) {
        return type.cast(this);
    }

    @Override
    public final boolean isWrapperFor(Class<?> type) {
        return type.isInstance(this);
    }
}
