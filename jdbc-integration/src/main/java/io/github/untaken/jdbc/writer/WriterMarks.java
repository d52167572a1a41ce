package io.github.untaken.jdbc.writer;

import io.github.untaken.IdentifierKind;
import io.github.untaken.jdbc.column.IdentifierColumn;
import io.github.untaken.jdbc.connection.Connections;
import io.github.untaken.jdbc.connection.SpareConnections;
import io.github.untaken.jdbc.watch.OpenTransactions;
import io.github.untaken.spi.RegisteredIdentifierStore.Exclusive.Standing;
import io.github.untaken.spi.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Tells other processes on a database that this process writes a column, and finds out whether it is the only one.
 *
 * <p>Each process has a lock of its own beside those of the others. A single lock that only the first can hold would not do: its holder
 * would not learn that somebody else writes too. The locks belong to a connection kept for them alone, and the database drops them with it.
 * A pooler that gives each transaction another server connection does no harm: the locks differ, so none is taken for another's.
 *
 * <p>Thread-safe; one connection serves all its columns. Only {@link #mark} waits for a new connection, and it holds no lock meanwhile.
 */
public final class WriterMarks {
    private static final int ANSWER_MILLIS = 800;

    private final Connections connections;
    private final SpareConnections spare;
    private final OpenTransactions writes;
    private final Function<IdentifierColumn, Set<IdentifierKind>> kinds;
    private final Set<IdentifierColumn> marked = new HashSet<>(); // guarded by this, as all below
    private @Nullable Kept kept;
    private boolean closed;

    private record Kept(Connection connection, MarkLocks locks, boolean autoCommit, boolean readOnly, int timeout) {}

    /**
     * Marks nothing yet, and opens no connection.
     *
     * @param writes what the marks stand for; the marks of a source that the same checker hears do not count as others', where the database
     *     can tell
     * @param kinds the kinds under which a column's writes are told; a source that tells them under others counts as another
     */
    @SuppressWarnings("exports") // only untaken-jpa makes one, and it sees that package
    public WriterMarks(
            Connections connections, OpenTransactions writes, Function<IdentifierColumn, Set<IdentifierKind>> kinds) {
        this.connections = connections;
        this.spare = new SpareConnections(connections);
        this.writes = writes;
        this.kinds = kinds;
    }

    /** What the mark of a column stands for. */
    public MarkedWriter writer(IdentifierColumn column) {
        return new MarkedWriter(writes, kinds.apply(column));
    }

    /** How the mark stands. Asks on the connection that holds it, and opens none. */
    public synchronized Standing standing(IdentifierColumn column) {
        if (kept == null || !marked.contains(column)) {
            return Standing.UNKNOWN;
        }
        try {
            MarkLocks.Seen seen = kept.locks().look(column);
            if (!seen.own()) {
                marked.remove(column);
            }
            if (seen.others()) {
                return Standing.BESIDE_OTHERS;
            }
            return seen.own() ? Standing.ALONE : Standing.UNKNOWN;
        } catch (SQLException | RuntimeException e) {
            abandon();
            return Standing.UNKNOWN;
        }
    }

    /**
     * Marks the column unless it is marked. May wait for a connection.
     *
     * @throws StoreException if the database cannot be asked, or the pool has no connection to spare
     */
    public void mark(IdentifierColumn column) {
        try {
            lock(column, isConnected() ? null : open());
        } catch (StoreException e) {
            throw e; // says more than the one below
        } catch (SQLException | RuntimeException e) {
            throw new StoreException("this process cannot be marked as a writer of " + column, e);
        }
    }

    private synchronized boolean isConnected() {
        return kept != null;
    }

    private synchronized void lock(IdentifierColumn column, @Nullable Kept opened) throws SQLException {
        if (opened != null && (kept != null || closed)) {
            giveBack(opened);
        } else if (opened != null) {
            kept = opened;
        }
        if (kept == null || marked.contains(column)) {
            return;
        }
        try {
            kept.locks().lock(column);
            marked.add(column);
        } catch (SQLException | RuntimeException e) {
            abandon();
            throw e;
        }
    }

    /** Removes the mark, and gives the connection back with the last one. Never throws. */
    public synchronized void leave(IdentifierColumn column) {
        if (kept == null || !marked.remove(column)) {
            return;
        }
        try {
            kept.locks().unlock(column);
            if (marked.isEmpty()) {
                Kept last = kept;
                kept = null;
                giveBack(last);
            }
        } catch (SQLException | RuntimeException e) {
            abandon();
        }
    }

    /**
     * Removes all marks and gives the connection back; no mark is made afterwards. For the end of the pool that the connection is from.
     * Never throws; may wait for one answer of the database.
     */
    public synchronized void leaveAll() {
        closed = true;
        Set.copyOf(marked).forEach(this::leave);
        abandon();
    }

    private Kept open() throws SQLException {
        Connection connection = spare.open();
        try {
            int timeout = connection.getNetworkTimeout();
            connection.setNetworkTimeout(Runnable::run, ANSWER_MILLIS); // before anything that may get no answer
            boolean autoCommit = connection.getAutoCommit();
            if (!autoCommit) {
                connection.rollback();
            }
            Kept opened = new Kept(
                    connection, MarkLocks.on(connection, writes, kinds), autoCommit, connection.isReadOnly(), timeout);
            if (opened.readOnly()) {
                connection.setReadOnly(false); // it may lead to a replica
            }
            // A transaction left open would keep the database from cleaning up.
            connection.setAutoCommit(true);
            return opened;
        } catch (SQLException | RuntimeException e) {
            end(connection);
            throw e;
        }
    }

    private void giveBack(Kept returned) throws SQLException {
        Connection connection = returned.connection();
        try {
            connection.setNetworkTimeout(Runnable::run, returned.timeout());
            if (returned.readOnly()) {
                connection.setReadOnly(true);
            }
            connection.setAutoCommit(returned.autoCommit());
        } catch (SQLException | RuntimeException e) {
            end(connection); // nobody else knows of it any more
            return;
        }
        connections.close(connection);
    }

    private void abandon() {
        Kept abandoned = kept;
        kept = null;
        marked.clear();
        if (abandoned != null) {
            end(abandoned.connection());
            abandoned.locks().lost();
        }
    }

    /** Ends a connection that does not answer as it should: the pool must not lend it out with a mark on it. */
    private void end(Connection connection) {
        quietly(() -> connection.abort(Runnable::run));
        quietly(() -> connections.close(connection));
    }

    private interface Step {
        void run() throws SQLException;
    }

    private static void quietly(Step step) {
        try {
            step.run();
        } catch (SQLException | RuntimeException e) {
            // it is being thrown away anyway
        }
    }
}
