package io.github.untaken.jdbc;

import io.github.untaken.jdbc.watch.WatchingProxy;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.logging.Logger;
import javax.sql.DataSource;

/**
 * A data source that tells a checker what is written over it. The code that writes stays as it is: each name is told before its statement
 * is sent.
 *
 * <pre>{@code
 * JdbcIdentifiers identifiers = JdbcIdentifiers.table(pool, "users", "username");
 * DataSource dataSource = WatchedDataSource.of(pool, identifiers);   // for the application
 * AvailabilityChecker checker = AvailabilityChecker.builder().source(identifiers).build();
 * }</pre>
 *
 * <p>It understands an INSERT with a column list and rows of VALUES, and an UPDATE of one table, if the value stands in the text or is a
 * bare parameter with a {@code String} bound to it. After anything else that may write the table, the store answers until a scan that
 * begins once it is over. Such are statements without a column list, {@code INSERT ... SELECT}, calls, functions around the value, streams,
 * updatable result sets, and an unwrapped connection or statement. The next rescan finds what is written another way, such as over the pool
 * itself.
 *
 * <p>Needs datasource-proxy ({@code net.ttddyy:datasource-proxy}, tried with 1.11.0). Thread-safe, as the pool is. Nothing here blocks but
 * the pool and the database. {@link #close} closes the pool, if it can be closed.
 */
public final class WatchedDataSource implements DataSource, AutoCloseable {
    private final DataSource pool;
    private final DataSource watched;

    private WatchedDataSource(DataSource pool, JdbcIdentifiers identifiers) {
        this.pool = pool;
        this.watched = WatchingProxy.of(pool, identifiers.watch());
    }

    /**
     * Watches what is written over a pool from now on. Does not ask the database.
     *
     * @param pool where the connections come from
     * @param identifiers whose checker is told; made of the pool itself, so that its own reads are not watched
     * @throws NoClassDefFoundError if datasource-proxy is missing
     */
    public static WatchedDataSource of(DataSource pool, JdbcIdentifiers identifiers) {
        return new WatchedDataSource(pool, identifiers);
    }

    @Override
    public Connection getConnection() throws SQLException {
        return watched.getConnection();
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        return watched.getConnection(user, password);
    }

    /** What lies behind this, such as the pool. Its connections are not watched. */
    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        if (type.isInstance(this)) {
            return type.cast(this);
        }
        return type.isInstance(pool) ? type.cast(pool) : pool.unwrap(type);
    }

    @Override
    public boolean isWrapperFor(Class<?> type) throws SQLException {
        return type.isInstance(this) || type.isInstance(pool) || pool.isWrapperFor(type);
    }

    @Override
    public PrintWriter getLogWriter() throws SQLException {
        return pool.getLogWriter();
    }

    @Override
    public void setLogWriter(PrintWriter out) throws SQLException {
        pool.setLogWriter(out);
    }

    @Override
    public void setLoginTimeout(int seconds) throws SQLException {
        pool.setLoginTimeout(seconds);
    }

    @Override
    public int getLoginTimeout() throws SQLException {
        return pool.getLoginTimeout();
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        return pool.getParentLogger();
    }

    /** @throws IllegalStateException if the pool cannot be closed */
    @Override
    public void close() {
        if (pool instanceof AutoCloseable closeable) {
            try {
                closeable.close();
            } catch (Exception e) {
                throw new IllegalStateException("the pool behind this data source could not be closed", e);
            }
        }
    }
}
