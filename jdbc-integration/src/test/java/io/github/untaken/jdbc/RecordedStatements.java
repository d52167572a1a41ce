package io.github.untaken.jdbc;

import io.github.untaken.test.calls.StandIn;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.Statement;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.sql.DataSource;

/** What arrives at the driver over the connections of a data source. */
public final class RecordedStatements {
    private final Queue<String> sent = new ConcurrentLinkedQueue<>();
    private final DataSource dataSource;

    public RecordedStatements(DataSource dataSource) {
        this.dataSource = recording(DataSource.class, dataSource);
    }

    public DataSource dataSource() {
        return dataSource;
    }

    /** In the order of their coming; whoever holds it may clear it. */
    public Queue<String> sent() {
        return sent;
    }

    private <T> T recording(Class<T> type, T target) {
        return StandIn.of(type, (method, args) -> {
            if (args != null && args.length > 0 && args[0] instanceof String sql && !(target instanceof DataSource)) {
                sent.add(sql);
            }
            Object result = method.invoke(target, args);
            for (Class<?> each : List.of(Connection.class, PreparedStatement.class, Statement.class)) {
                if (each.isInstance(result) && method.getReturnType().isAssignableFrom(each)) {
                    return recordingAs(each, result);
                }
            }
            return result instanceof DatabaseMetaData catalog ? recordingCatalog(catalog) : result;
        });
    }

    /** Of all its questions one is answered by the driver alone. */
    private DatabaseMetaData recordingCatalog(DatabaseMetaData target) {
        return StandIn.of(DatabaseMetaData.class, (method, args) -> {
            if (!method.getName().equals("getURL")) {
                sent.add("a question to the catalog, maybe");
            }
            return method.invoke(target, args);
        });
    }

    private <T> T recordingAs(Class<T> type, Object target) {
        return recording(type, type.cast(target));
    }
}
