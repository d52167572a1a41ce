package io.github.untaken.jdbc.connection;

import io.github.untaken.spi.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The connections that a pool can do without for good: those beside which another can be had. In a pool of one, finding that out makes the
 * application wait for its only connection, so it is tried ever less often. A pool that once had enough has them: however busy the others
 * are, the next one may be kept in place of one that was lost.
 */
public final class SpareConnections {
    /** In a pool whose connections are all in use, somebody gives one back within that time. */
    private static final int PATIENCE_MILLIS = 500;

    private static final int SHORTEST_PAUSE = 10;
    private static final int LONGEST_PAUSE = 640;

    private final Connections pool;
    private final int others;
    private int pause = SHORTEST_PAUSE; // guarded by this, as is the rest; counted in calls
    private int passing;
    private boolean hadOthers;

    /** Those beside which one more can be had. */
    public SpareConnections(Connections pool) {
        this(pool, 1);
    }

    /** @param others how many more must be available beside one that is kept */
    public SpareConnections(Connections pool, int others) {
        this.pool = pool;
        this.others = others;
    }

    /**
     * Lends one to be kept. Blocks until the pool has one, and at first for half a second more.
     *
     * @throws StoreException if there were too few; the connection has gone back
     */
    public synchronized Connection open() throws SQLException {
        if (passing > 0) {
            passing--;
            throw noOther();
        }
        Connection connection = pool.open();
        if (hadOthers) {
            return connection;
        }
        boolean spare = false;
        try {
            spare = hasOthers();
            hadOthers = spare;
        } finally {
            if (!spare) {
                pool.close(connection);
            }
        }
        passing = spare ? 0 : pause;
        pause = spare ? SHORTEST_PAUSE : Math.min(2 * pause, LONGEST_PAUSE);
        if (!spare) {
            throw noOther();
        }
        return connection;
    }

    private boolean hasOthers() throws SQLException {
        Deque<Connection> found = new ArrayDeque<>();
        try {
            while (found.size() < others) {
                Connection other = another(pool::open, pool::close);
                if (other == null) {
                    return false;
                }
                found.push(other);
            }
            return true;
        } finally {
            while (!found.isEmpty()) {
                pool.close(found.pop());
            }
        }
    }

    public interface Opening {
        Connection open() throws SQLException;
    }

    public interface GivingBack {
        void giveBack(Connection connection) throws SQLException;
    }

    /**
     * One more, or null if there is none within half a second. Asked on another thread, since a pool may block longer; a connection that
     * comes too late goes back all the same.
     */
    public static @Nullable Connection another(Opening pool, GivingBack back) {
        CompletableFuture<Connection> asked = new CompletableFuture<>();
        Thread asking = new Thread(
                () -> {
                    try {
                        Connection connection = pool.open();
                        if (!asked.complete(connection)) {
                            back.giveBack(connection);
                        }
                    } catch (Throwable e) { // whatever a pool throws
                        asked.completeExceptionally(e);
                    }
                },
                "untaken-spare-connection");
        asking.setDaemon(true);
        asking.start();
        try {
            return asked.get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            // none
        }
        return asked.cancel(false) || asked.isCompletedExceptionally() ? null : asked.join();
    }

    private static StoreException noOther() {
        return new StoreException("the pool gave no second connection within " + PATIENCE_MILLIS
                + " ms, beside the one that marks this process as a writer. Without the mark, the database answers every"
                + " check, and other processes do not know that this one writes. Give the pool at least 2 connections;"
                + " or set singleWriter(false) (untaken.single-writer) if no other process writes this database");
    }
}
