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
                .methodListener(new WatchingListener(watch.open()))
                .connectionIdManager(new Nameless())
                .build();
    }

    /** Nobody asks for connection numbers, and those of connections given back elsewhere would be kept forever. */
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

    /** The connection that writers must use; a {@link HeardConnection}. */
    public Connection of(Connection connection) {
        return factory.createConnection(connection, new ConnectionInfo(), config);
    }

    /** A data source with the pool's connections, watched. */
    public static DataSource of(DataSource pool, Watch watch) {
        ProxyDataSource proxy = new ProxyDataSource(pool);
        proxy.setProxyConfig(new WatchingProxy(watch, pool).config);
        return proxy;
    }
}
