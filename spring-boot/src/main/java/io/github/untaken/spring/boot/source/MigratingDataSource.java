package io.github.untaken.spring.boot.source;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import liquibase.integration.spring.SpringLiquibase;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** The data source of a migration: tells when a connection is lent to a run of it and when it comes back. */
final class MigratingDataSource extends DelegatingDataSource {
    private static final StackWalker CALLERS = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

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
        if (!isForARun()) {
            return lending.lend();
        }
        migrations.opened();
        try {
            return toldOfItsEnd(lending.lend());
        } catch (SQLException | RuntimeException | Error e) {
            migrations.closed();
            throw e;
        }
    }

    /** Other callers, such as the actuator, only read what has been migrated, which must not cause a scan. */
    private static boolean isForARun() {
        return CALLERS.walk(callers ->
                callers.anyMatch(caller -> SpringLiquibase.class.isAssignableFrom(caller.getDeclaringClass())));
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
