package io.github.untaken.sample.database;

import com.zaxxer.hikari.HikariDataSource;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLNonTransientConnectionException;
import java.util.Optional;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Connections from a pool that can be taken away and replaced: without one it refuses at once, as a database does that is
 * not running. Thread-safe.
 */
final class SwitchedSource implements DataSource {
    private static final String UNABLE_TO_CONNECT = "08001";

    private volatile @Nullable HikariDataSource pool;

    /** From now on connections come from there. */
    void use(HikariDataSource next) {
        pool = next;
    }

    /** Refuses connections from now on; those given out are the caller's to end. */
    synchronized Optional<HikariDataSource> takeAway() {
        HikariDataSource taken = pool;
        pool = null;
        return Optional.ofNullable(taken);
    }

    boolean usable() {
        return pool != null;
    }

    private HikariDataSource present() throws SQLException {
        HikariDataSource present = pool;
        if (present == null) {
            throw new SQLNonTransientConnectionException("the database was stopped", UNABLE_TO_CONNECT);
        }
        return present;
    }

    @Override
    public Connection getConnection() throws SQLException {
        return present().getConnection();
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        throw new SQLFeatureNotSupportedException("there is one user only");
    }

    @Override
    public PrintWriter getLogWriter() throws SQLException {
        return present().getLogWriter();
    }

    @Override
    public void setLogWriter(PrintWriter out) throws SQLException {
        present().setLogWriter(out);
    }

    @Override
    public void setLoginTimeout(int seconds) throws SQLException {
        present().setLoginTimeout(seconds);
    }

    @Override
    public int getLoginTimeout() throws SQLException {
        return present().getLoginTimeout();
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        throw new SQLFeatureNotSupportedException("HikariCP does not log through java.util.logging");
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        return present().unwrap(type);
    }

    @Override
    public boolean isWrapperFor(Class<?> type) throws SQLException {
        return present().isWrapperFor(type);
    }
}
