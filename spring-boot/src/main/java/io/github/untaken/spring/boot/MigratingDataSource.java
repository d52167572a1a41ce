package io.github.untaken.spring.boot;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** The data source of a migration: tells when a connection is lent and when it comes back. */
final class MigratingDataSource extends DelegatingDataSource {
    private final BackgroundMigrations migrations;

    MigratingDataSource(DataSource target, BackgroundMigrations migrations) {
        super(target);
        this.migrations = migrations;
    }

    @Override
    public Connection getConnection() throws SQLException {
        return told(super::getConnection);
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        return told(() -> super.getConnection(user, password));
    }

    private interface Lending {
        Connection lend() throws SQLException;
    }

    private Connection told(Lending lending) throws SQLException {
        migrations.opened();
        try {
            return toldOfItsEnd(lending.lend());
        } catch (SQLException | RuntimeException | Error e) {
            migrations.closed();
            throw e;
        }
    }

    private Connection toldOfItsEnd(Connection connection) {
        AtomicBoolean open = new AtomicBoolean(true);
        return (Connection) Proxy.newProxyInstance(
                Connection.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    try {
                        return method.invoke(connection, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause() == null ? e : e.getCause();
                    } finally {
                        if ((method.getName().equals("close")
                                        || method.getName().equals("abort"))
                                && open.compareAndSet(true, false)) {
                            migrations.closed();
                        }
                    }
                });
    }

    /** Spring Boot closes a pool that was made for the migration alone, and looks for a method of this name. */
    public void close() throws Exception {
        if (getTargetDataSource() instanceof AutoCloseable pool) {
            pool.close();
        }
    }
}
