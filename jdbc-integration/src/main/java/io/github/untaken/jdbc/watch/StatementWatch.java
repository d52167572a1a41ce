package io.github.untaken.jdbc.watch;

import net.ttddyy.dsproxy.ConnectionInfo;
import org.jspecify.annotations.Nullable;

/** One statement: what is bound and batched, and what is announced of it before it is sent. */
final class StatementWatch extends ConnectionInfo {
    private final Watch watch;
    private final ConnectionWrites writes;
    private final boolean updatable;
    private final BoundValues bound = new BoundValues();
    private final @Nullable String own;
    private Execution batch = new Execution();
    /** What is being executed and writes something. */
    private ConnectionWrites.@Nullable Sent running;

    StatementWatch(Watch watch, ConnectionWrites writes, @Nullable String sql, boolean updatable) {
        this.watch = watch;
        this.writes = writes;
        this.updatable = updatable;
        this.own = sql;
    }

    ConnectionWrites writes() {
        return writes;
    }

    void before(String method, @Nullable Object @Nullable [] arguments) {
        switch (method) {
            case "execute", "executeUpdate", "executeQuery", "executeLargeUpdate" -> {
                Execution execution = new Execution();
                add(arguments, execution);
                begin(execution);
            }
            case "executeBatch", "executeLargeBatch" -> begin(batch);
            case "addBatch" -> add(arguments, batch);
            case "clearBatch" -> batch = new Execution();
            case "unwrap" -> writes.lend();
            default -> {
                if (method.startsWith("set") && arguments != null && arguments.length > 1
                        || method.equals("clearParameters")) {
                    bound.bind(method, arguments);
                }
            }
        }
    }

    private void add(@Nullable Object @Nullable [] arguments, Execution execution) {
        String sql = arguments != null && arguments.length > 0 && arguments[0] instanceof String given ? given : own;
        execution.add(sql == null ? watch.anything() : watch.read(sql), bound, watch, writes::connection);
    }

    private void begin(Execution execution) {
        if (updatable) {
            writes.lend(); // its rows can be changed without a statement
        }
        running = writes.begin(execution);
    }

    void after(String method, @Nullable Throwable thrown) {
        if (!method.startsWith("execute")) {
            if (thrown != null && method.startsWith("set")) {
                bound.forget();
            }
            return;
        }
        if (running != null) {
            writes.ended(running, thrown);
            running = null;
        }
        writes.returned();
        // Of a batch that failed, a driver may keep what it has not sent.
        if (thrown == null && method.endsWith("Batch")) {
            batch = new Execution();
        }
    }
}
