package io.github.untaken.jpa;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.logging.Logger;
import javax.sql.DataSource;

/** A data source whose connections are looked at or meddled with, call by call. */
abstract class ProxiedDataSource implements DataSource {

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
