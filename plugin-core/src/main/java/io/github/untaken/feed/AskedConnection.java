package io.github.untaken.feed;

import io.github.untaken.spi.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The connection over which the primary is asked. Its age is bounded: after a failover the address leads to another server, but an
 * old connection still leads to the old server, which keeps answering.
 *
 * <p>Used by one thread at a time; {@link #close} by any.
 */
public final class AskedConnection {
    /** How long one connection is used. */
    public static final Duration MOST_AGE = Duration.ofSeconds(10);

    private static final long FIRST_PAUSE_NANOS = 50_000_000;
    private static final long MOST_PAUSE_NANOS = 1_000_000_000;

    private final Server server;
    private final Duration mostAge;
    private volatile @Nullable Connection connection;
    private volatile boolean closed;
    private long opened;
    private long pauseNanos; // 0 unless the last attempt to connect has failed
    private long failed;
    private @Nullable String refusal; // the SQLSTATE of the last attempt that has failed

    /** The server that is asked. */
    public interface Server {
        /** A new connection, past any pool. */
        Connection open(Duration timeout) throws SQLException;

        /** Prepares it for its first question. */
        void prepare(Connection fresh) throws SQLException;

        /** Ends a connection that did not answer in time, without waiting. It is never asked again. */
        void giveUp(Connection failed);
    }

    /** A question, and what becomes of its answer. */
    @FunctionalInterface
    public interface Asking<T> {
        /** Its answer. */
        T ask(Connection connection) throws SQLException;
    }

    /** @param mostAge how long one connection is used */
    public AskedConnection(Server server, Duration mostAge) {
        this.server = server;
        this.mostAge = mostAge;
    }

    /**
     * The answer of the primary.
     *
     * @throws StoreException if it has not come in time
     */
    public <T> T ask(Asking<T> question, Duration timeout) {
        long deadline = System.nanoTime() + timeout.toNanos();
        try {
            Connection asked = connection(timeout);
            long left = Math.max(1, (deadline - System.nanoTime()) / 1_000_000);
            asked.setNetworkTimeout(Runnable::run, (int) Math.min(left, Integer.MAX_VALUE));
            return question.ask(asked);
        } catch (SQLException e) {
            giveUp();
            throw new StoreException("the primary did not answer (SQLSTATE " + e.getSQLState() + ')', e);
        } catch (RuntimeException e) {
            giveUp();
            throw e;
        }
    }

    private Connection connection(Duration timeout) throws SQLException {
        Connection kept = connection;
        if (kept != null && System.nanoTime() - opened < mostAge.toNanos()) {
            return kept;
        }
        close(kept);
        connection = null;
        Connection fresh = open(timeout);
        connection = fresh;
        opened = System.nanoTime();
        if (closed) {
            abort(fresh);
        }
        server.prepare(fresh);
        return fresh;
    }

    /** Keeps each check that waits for news from trying to connect to a server that is down or starting. */
    private Connection open(Duration timeout) throws SQLException {
        if (pauseNanos > 0 && System.nanoTime() - failed < pauseNanos) {
            throw new SQLException("the server refused a connection a moment ago", refusal);
        }
        try {
            Connection fresh = server.open(timeout);
            pauseNanos = 0;
            return fresh;
        } catch (SQLException e) {
            failed = System.nanoTime();
            refusal = e.getSQLState();
            pauseNanos = Math.min(MOST_PAUSE_NANOS, Math.max(FIRST_PAUSE_NANOS, 2 * pauseNanos));
            throw e;
        }
    }

    private void giveUp() {
        Connection left = connection;
        connection = null;
        if (left != null) {
            server.giveUp(left);
        }
    }

    /** Ends any wait for an answer; nothing is asked afterwards. */
    public void close() {
        closed = true;
        Connection kept = connection;
        if (kept != null) {
            abort(kept);
        }
    }

    /** Ends a connection that somebody may be waiting on, without waiting for anybody. */
    public static void abort(Connection connection) {
        try {
            connection.abort(Runnable::run);
        } catch (SQLException | RuntimeException e) {
            // it is thrown away in any case
        }
    }

    private static void close(@Nullable Connection old) {
        if (old != null) {
            try {
                old.close();
            } catch (SQLException e) {
                // it is replaced
            }
        }
    }
}
