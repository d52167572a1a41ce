package io.github.untaken.jdbc.watch;

import java.lang.reflect.Proxy;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.Statement;
import net.ttddyy.dsproxy.ConnectionInfo;
import net.ttddyy.dsproxy.proxy.ConnectionProxyLogic;
import net.ttddyy.dsproxy.proxy.ProxyConfig;
import net.ttddyy.dsproxy.proxy.jdk.JdkJdbcProxyFactory;
import org.jspecify.annotations.Nullable;

/** Makes the proxies of datasource-proxy. Each carries its watch in place of the library's information about it. */
final class WatchingFactory extends JdkJdbcProxyFactory {
    private final Watch watch;
    private final Object maker;

    /** @param maker who gets back what is behind its connections */
    WatchingFactory(Watch watch, Object maker) {
        this.watch = watch;
        this.maker = maker;
    }

    /** One connection as its watch has it. */
    private record Heard(Watch watch, Object maker, Connection connection, ConnectionWrites writes)
            implements HeardConnection {
        @Override
        public boolean isHeardBy(Watch by) {
            return watch == by || connection instanceof HeardConnection behind && behind.isHeardBy(by);
        }

        @Override
        public @Nullable Connection behind(Object asking) {
            return maker == asking ? connection : null;
        }

        @Override
        public void givingBack() {
            watch.open().survived(writes::givingBack);
        }

        @Override
        public void givenBack() {
            watch.open().survived(writes::closed);
        }
    }

    @Override
    public Connection createConnection(Connection connection, ConnectionInfo info, ProxyConfig config) {
        ConnectionWatch watched = new ConnectionWatch(watch, connection, info);
        ConnectionHandler handler = new ConnectionHandler(
                new ConnectionProxyLogic(connection, watched, config),
                watched.writes(),
                new Heard(watch, maker, connection, watched.writes()));
        Connection proxy = (Connection) Proxy.newProxyInstance(
                HeardConnection.class.getClassLoader(),
                new Class<?>[] {Connection.class, HeardConnection.class},
                handler);
        watched.writes().holdBy(proxy);
        return proxy;
    }

    @Override
    public Statement createStatement(Statement statement, ConnectionInfo info, Connection proxy, ProxyConfig config) {
        return super.createStatement(statement, watching(statement, info, null), proxy, config);
    }

    @Override
    public PreparedStatement createPreparedStatement(
            PreparedStatement statement,
            String sql,
            ConnectionInfo info,
            Connection proxy,
            ProxyConfig config,
            boolean generatesKeys) {
        return super.createPreparedStatement(
                statement, sql, watching(statement, info, sql), proxy, config, generatesKeys);
    }

    @Override
    public CallableStatement createCallableStatement(
            CallableStatement statement, String sql, ConnectionInfo info, Connection proxy, ProxyConfig config) {
        return super.createCallableStatement(statement, sql, watching(statement, info, sql), proxy, config);
    }

    private static ConnectionInfo watching(Statement statement, ConnectionInfo info, @Nullable String sql) {
        return ((ConnectionWatch) info).watching(statement, sql);
    }
}
