package io.github.untaken.cluster.postgresql;

import io.github.untaken.spi.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Asks the primary. The connection is of bounded age: after a failover the address leads to another server, and one opened long
 * ago still to the old one, which answers happily.
 *
 * <p>Used by one thread at a time; {@link #close} by any.
 */
final class Question {
    private static final Duration MOST_AGE = Duration.ofSeconds(10);

    private static final long FIRST_PAUSE_NANOS = 50_000_000;
    private static final long MOST_PAUSE_NANOS = 1_000_000_000;

    private final Server server;
    private final String name;
    private final String publication;
    private final List<Place> places;
    private final Duration mostAge;
    /** Each may still wait inside the server, as for a standby; one a second would use up all its connections. */
    private final List<Backend> givenUp = new ArrayList<>();

    private Backend backend = Backend.NONE;
    private volatile @Nullable Connection connection;
    private volatile boolean closed;
    private long opened;
    private long pauseNanos; // 0 unless the last attempt to connect has failed
    private long failed;
    private @Nullable String refusal; // the SQLSTATE of the last attempt that has failed

    /** @param name of its connections at the server, for people */
    Question(Server server, String name, String publication, List<Place> places) {
        this(server, name, publication, places, MOST_AGE);
    }

    Question(Server server, String name, String publication, List<Place> places, Duration mostAge) {
        this.mostAge = mostAge;
        this.name = name;
        this.server = server;
        this.publication = publication;
        this.places = places;
    }

    /**
     * Puts a mark into the log. When this returns, its commit is on the disk, and behind it all that were acknowledged before.
     *
     * @throws StoreException if the primary has not answered in time
     */
    Catalog ask(String mark, Duration timeout) {
        long deadline = System.nanoTime() + timeout.toNanos();
        try {
            Connection asked = connection(timeout);
            long left = Math.max(1, (deadline - System.nanoTime()) / 1_000_000);
            asked.setNetworkTimeout(Runnable::run, (int) Math.min(left, Integer.MAX_VALUE));
            return Catalog.mark(asked, publication, places, mark);
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
        backend = Backend.NONE;
        Connection fresh = open(timeout);
        connection = fresh;
        opened = System.nanoTime();
        if (closed) {
            Server.abort(fresh);
        }
        try (Statement statement = fresh.createStatement()) {
            // Without the first the mark would not take along the commits of those who do not wait for the disk.
            // Without the last
            // the fingerprint would be planned anew for each question, which takes longer than to read it.
            statement.execute("set synchronous_commit = on; set default_transaction_read_only = off;"
                    + " set statement_timeout = 0; set idle_session_timeout = 0;"
                    + " set plan_cache_mode = force_generic_plan");
        }
        backend = Backend.of(fresh);
        for (Backend each : givenUp) {
            each.end(fresh, Duration.ZERO);
        }
        givenUp.clear();
        return fresh;
    }

    /** A server that is down, or starts, is not asked for a connection by every check that waits for news. */
    private Connection open(Duration timeout) throws SQLException {
        if (pauseNanos > 0 && System.nanoTime() - failed < pauseNanos) {
            throw new SQLException("the server gave no connection a moment ago", refusal);
        }
        try {
            Connection fresh = server.plain(timeout, name);
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
        Connection failed = connection;
        connection = null;
        if (failed != null) {
            Server.abort(failed);
            givenUp.add(backend);
        }
    }

    void close() {
        closed = true;
        Connection kept = connection;
        if (kept != null) {
            Server.abort(kept);
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
