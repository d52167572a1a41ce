package io.github.untaken.jdbc.watch;

import io.github.untaken.jdbc.connection.Refusal;
import io.github.untaken.jdbc.watch.ConnectionWrites.Answer;
import java.sql.ResultSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import net.ttddyy.dsproxy.ConnectionInfo;
import org.jspecify.annotations.Nullable;

/**
 * One statement: what is bound and batched, and what is announced of it before it is sent. Meant for one thread at a time. With two in it
 * at once, nobody knows whose values are sent: all that is watched counts as written until the connection is given back.
 */
final class StatementWatch extends ConnectionInfo {
    private final Watch watch;
    private final ConnectionWrites writes;
    /** Whether its rows can be changed without a statement. */
    private final boolean updatable;

    private final BoundValues bound = new BoundValues();
    private final @Nullable String own;
    private final AtomicReference<@Nullable Thread> user = new AtomicReference<>();
    /** What to judge again when it is sent: by then there may be a default, or a view. */
    private final Set<String> batched = ConcurrentHashMap.newKeySet();

    private Execution batch = new Execution(); // belongs to the user, as does all below
    /** The running execution, if it writes something. */
    private ConnectionWrites.@Nullable Sent running;
    /** Whether that is one statement, with known values. */
    private boolean understood;
    /** What has returned and may still be at work: the server may send rows before it has stored them. */
    private final AtomicReference<ConnectionWrites.@Nullable Sent> unread =
            new AtomicReference<>(); // any thread may close it

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
        boolean binds = binds(method, arguments);
        if ((binds || method.startsWith("execute") || method.endsWith("Batch"))
                && !user.compareAndSet(null, Thread.currentThread())) {
            writes.lend();
        }
        switch (method) {
            case "execute", "executeUpdate", "executeQuery", "executeLargeUpdate" -> {
                Execution execution = new Execution();
                add(arguments, execution);
                begin(execution);
            }
            case "executeBatch", "executeLargeBatch" -> {
                batched.forEach(sql -> batch.judge(watch.judge(sql)));
                begin(batch);
            }
            case "addBatch" -> add(arguments, batch);
            case "clearBatch" -> clearBatch();
            case "unwrap" -> writes.lend();
            default -> {
                if (binds) {
                    bound.bind(method, arguments);
                }
            }
        }
    }

    private static boolean binds(String method, @Nullable Object @Nullable [] arguments) {
        return method.startsWith("set") && arguments != null && arguments.length > 1
                || method.equals("clearParameters");
    }

    private void add(@Nullable Object @Nullable [] arguments, Execution execution) {
        String sql = arguments != null && arguments.length > 0 && arguments[0] instanceof String given ? given : own;
        if (sql != null && execution == batch) {
            batched.add(sql);
        }
        execution.add(sql == null ? watch.anything() : watch.judge(sql), bound);
    }

    private void begin(Execution execution) {
        if (updatable) {
            writes.lend();
        }
        ConnectionWrites.Sent sent = writes.begin(execution);
        if (user.get() == Thread.currentThread()) {
            running = sent;
            understood = execution.unseen().isEmpty();
        } else if (sent != null) {
            writes.returned(sent, Answer.NONE); // a call of another thread is told only of its own
        }
    }

    void after(String method, @Nullable Object result, @Nullable Throwable thrown) {
        if (method.equals("close") && thrown == null) {
            read();
        }
        if (result != null && (method.equals("unwrap") || result instanceof ResultSet && isWriting())) {
            writes.holdBy(result);
        }
        if (user.get() == Thread.currentThread()) {
            ended(method, result, thrown);
            user.set(null);
        } else if (method.startsWith("execute")) {
            writes.returned();
        }
    }

    /** Whether the holder of its rows may write, or may keep the server from ending what it writes. */
    private boolean isWriting() {
        return updatable || running != null;
    }

    private void read() {
        ConnectionWrites.Sent returned = unread.getAndSet(null);
        if (returned != null) {
            writes.read(returned);
        }
    }

    private void ended(String method, @Nullable Object result, @Nullable Throwable thrown) {
        if (!method.startsWith("execute")) {
            if (thrown != null && method.startsWith("set")) {
                bound.forget();
            }
            return;
        }
        Answer answer = answer(result, thrown);
        if (answer != Answer.NONE) {
            read();
        }
        if (running != null) {
            writes.returned(running, answer);
            if (answer == Answer.UNREAD) {
                unread.set(running);
            }
            running = null;
        }
        writes.returned();
        // A driver may keep the unsent part of a failed batch.
        if (thrown == null && method.endsWith("Batch")) {
            clearBatch();
        }
    }

    /** What is not understood may be several statements, each with a result. */
    private Answer answer(@Nullable Object result, @Nullable Throwable thrown) {
        if (thrown != null) {
            return Refusal.is(thrown) ? Answer.OVER : Answer.NONE;
        }
        boolean rows = result instanceof ResultSet || Boolean.TRUE.equals(result);
        return rows || !understood ? Answer.UNREAD : Answer.OVER;
    }

    private void clearBatch() {
        batch = new Execution();
        batched.clear();
    }
}
