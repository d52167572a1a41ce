package io.github.untaken.jdbc.watch;

import java.sql.Connection;
import java.util.Set;
import javax.sql.DataSource;
import net.ttddyy.dsproxy.ConnectionIdManager;
import net.ttddyy.dsproxy.ConnectionInfo;
import net.ttddyy.dsproxy.proxy.ProxyConfig;
import net.ttddyy.dsproxy.support.ProxyDataSource;

/** Puts the watch into datasource-proxy. */
public final class WatchingProxy {
    private final WatchingFactory factory;
    private final ProxyConfig config;

    /**
     * Watches connections one by one.
     *
     * @param maker who will give back what is {@linkplain HeardConnection#behind behind} them
     * @throws NoClassDefFoundError if datasource-proxy is missing
     */
    public WatchingProxy(Watch watch, Object maker) {
        this.factory = new WatchingFactory(watch, maker);
        this.config = ProxyConfig.Builder.create()
                .jdbcProxyFactory(factory)
                .methodListener(new WatchingListener(watch))
                .connectionIdManager(new Nameless())
                .build();
    }

    /** Nobody asks for the numbers of connections, and those that are given back elsewhere would be kept for ever. */
    private static final class Nameless implements ConnectionIdManager {
        @Override
        public String getId(Connection connection) {
            return "";
        }

        @Override
        public void addClosedId(String id) {}

        @Override
        public Set<String> getOpenConnectionIds() {
            return Set.of();
        }
    }

    /** The connection as whoever writes over it must have it; a {@link HeardConnection}. */
    public Connection of(Connection connection) {
        return factory.createConnection(connection, new ConnectionInfo(), config);
    }

    /** A data source whose connections are those of the pool, watched. */
    public static DataSource of(DataSource pool, Watch watch) {
        ProxyDataSource proxy = new ProxyDataSource(pool);
        proxy.setProxyConfig(new WatchingProxy(watch, pool).config);
        return proxy;
    }
}
