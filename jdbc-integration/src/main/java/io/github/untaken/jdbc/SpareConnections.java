package io.github.untaken.jdbc;

import io.github.untaken.spi.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The connections that a pool can do without for good: those beside which another can be had. Where there is none, the
 * application waits for its only one while that is found out, so it is found out ever less often.
 */
final class SpareConnections {
    /** In a pool of several that are all in use somebody gives one back within that time. */
    private static final int PATIENCE_MILLIS = 500;

    private static final int SHORTEST_PAUSE = 10;
    private static final int LONGEST_PAUSE = 640;

    private final Connections pool;
    private int pause = SHORTEST_PAUSE; // guarded by this, as is the other; counted in calls
    private int passing;

    SpareConnections(Connections pool) {
        this.pool = pool;
    }

    /**
     * Lends one to be kept. Blocks until the pool has one, and half a second more.
     *
     * @throws StoreException if it was the only one; it has gone back
     */
    synchronized Connection open() throws SQLException {
        if (passing > 0) {
            passing--;
            throw noOther();
        }
        Connection connection = pool.open();
        boolean spare = false;
        try {
            spare = hasAnother();
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

    /** Asked on another thread, since a pool may block for longer. What comes too late goes back all the same. */
    private boolean hasAnother() {
        FutureTask<Boolean> asked = new FutureTask<>(() -> {
            pool.close(pool.open());
            return true;
        });
        Thread asking = new Thread(asked, "untaken-spare-connection");
        asking.setDaemon(true);
        asking.start();
        try {
            return asked.get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } catch (ExecutionException | TimeoutException e) {
            return false;
        }
    }

    private static StoreException noOther() {
        return new StoreException("the pool gave no second connection within " + PATIENCE_MILLIS
                + " ms beside that which marks this process as a writer, so it is not marked and the database answers every"
                + " check: let the pool have at least 2 connections, or, if no other process writes this database, set"
                + " singleWriter(false) (untaken.single-writer)");
    }
}
