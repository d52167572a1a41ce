package io.github.untaken.jdbc.watch;

import javax.sql.DataSource;
import net.ttddyy.dsproxy.proxy.ProxyConfig;
import net.ttddyy.dsproxy.support.ProxyDataSource;

/** Puts the watch into datasource-proxy. */
public final class WatchingProxy {
    private WatchingProxy() {}

    /** A data source whose connections are those of the pool, watched. */
    public static DataSource of(DataSource pool, Watch watch) {
        ProxyDataSource proxy = new ProxyDataSource(pool);
        proxy.setProxyConfig(ProxyConfig.Builder.create()
                .jdbcProxyFactory(new WatchingFactory(watch))
                .methodListener(new WatchingListener(watch))
                .build());
        return proxy;
    }
}
