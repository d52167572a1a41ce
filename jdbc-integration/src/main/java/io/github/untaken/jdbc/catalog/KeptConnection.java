package io.github.untaken.jdbc.catalog;

import io.github.untaken.jdbc.connection.Connections;
import io.github.untaken.jdbc.connection.NetworkTimeout;
import io.github.untaken.jdbc.connection.Refusal;
import io.github.untaken.jdbc.connection.SpareConnections;
import io.github.untaken.spi.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One connection kept for looks at the catalog, if the pool has that and two more. Otherwise, and while another look hangs, each look
 * borrows one. The first looks borrow in any case: the writer's mark comes first, as memory does not answer without it. A look that hears
 * nothing ends with its connection. Thread-safe.
 */
public final class KeptConnection implements LookConnection {
    /** Looks come every few seconds; the first after a start may have to read much from disk. */
    private static final Duration MOST_SILENCE = Duration.ofSeconds(2);

    /** By then all marks are set. */
    private static final int BORROWING = 5;

    private final Connections pool;
    private final SpareConnections spare;
    private final AtomicInteger borrowed = new AtomicInteger();
    private final AtomicReference<@Nullable Kept> idle = new AtomicReference<>();
    /** Whether one exists, idle or not, or is being looked for. */
    private final AtomicBoolean has = new AtomicBoolean();

    private volatile boolean released;

    private record Kept(
            Connection connection, boolean spare, NetworkTimeout timeout, boolean autoCommit, boolean readOnly) {}

    public KeptConnection(Connections pool) {
        this.pool = pool;
        this.spare = new SpareConnections(pool, 2);
    }

    @Override
    public <T> T with(Work<T> work) throws SQLException {
        released = false;
        Kept last = idle.getAndSet(null);
        Kept one = last == null ? open() : last;
        T done;
        try {
            done = work.on(one.connection());
        } catch (SQLException | RuntimeException | Error e) {
            if (Refusal.is(e)) {
                keepOrGiveBack(one); // a missing right is no fault of the connection
            } else {
                end(one.connection(), one.spare());
            }
            throw e;
        }
        keepOrGiveBack(one);
        return done;
    }

    private void keepOrGiveBack(Kept one) throws SQLException {
        if (!one.spare()) {
            giveBack(one);
            return;
        }
        idle.set(one);
        if (released) {
            release();
        }
    }

    private Kept open() throws SQLException {
        Connection found = spare();
        Connection connection = found == null ? pool.open() : found;
        try {
            NetworkTimeout timeout = NetworkTimeout.on(connection, MOST_SILENCE);
            boolean autoCommit = connection.getAutoCommit();
            if (!autoCommit) {
                connection.rollback();
            }
            boolean readOnly = connection.isReadOnly();
            if (readOnly) {
                connection.setReadOnly(false); // it may lead to a replica
            }
            connection.setAutoCommit(true); // a transaction left open would keep the database from cleaning up
            return new Kept(connection, found != null, timeout, autoCommit, readOnly);
        } catch (SQLException | RuntimeException | Error e) {
            end(connection, found != null);
            throw e;
        }
    }

    /** Null if the application needs it more. */
    private @Nullable Connection spare() throws SQLException {
        if (borrowed.get() < BORROWING) {
            borrowed.incrementAndGet();
            return null;
        }
        if (!has.compareAndSet(false, true)) {
            return null;
        }
        Connection found = null;
        try {
            found = spare.open();
        } catch (StoreException e) {
            // too few
        } finally {
            if (found == null) {
                has.set(false);
            }
        }
        return found;
    }

    private void giveBack(Kept one) throws SQLException {
        one.timeout().putBack();
        try {
            if (one.readOnly()) {
                one.connection().setReadOnly(true);
            }
            one.connection().setAutoCommit(one.autoCommit());
        } finally {
            pool.close(one.connection());
        }
    }

    @Override
    public void release() {
        released = true;
        Kept last = idle.getAndSet(null);
        if (last != null) {
            try {
                giveBack(last);
            } catch (SQLException | RuntimeException e) {
                // The pool finds out.
            } finally {
                has.set(false);
            }
        }
    }

    /** Ends one that does not answer as it should. Never throws. */
    private void end(Connection connection, boolean wasKept) {
        try {
            connection.abort(Runnable::run);
        } catch (SQLException | RuntimeException e) {
            // it is being thrown away anyway
        }
        try {
            pool.close(connection);
        } catch (SQLException | RuntimeException e) {
            // as above
        }
        if (wasKept) {
            has.set(false);
        }
    }
}
