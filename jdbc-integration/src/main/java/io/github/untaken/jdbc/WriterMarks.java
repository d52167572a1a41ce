package io.github.untaken.jdbc;

import io.github.untaken.spi.StoreException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Tells the other processes on a PostgreSQL database that this process writes a column, and finds out whether it is the
 * only one.
 *
 * <p>Each process has an advisory lock of its own beside those of the others, under a number that stands for the
 * column. A single lock that only the first can hold would not do: its holder would not learn that somebody else writes
 * too. The locks belong to a connection that is kept for them alone, and PostgreSQL drops them with it. A pooler that
 * gives each transaction another server connection does no harm: the locks differ, so none is taken for another's.
 *
 * <p>Thread-safe; one connection serves all its columns. Nothing waits for a new connection but {@link #mark}, which
 * holds no lock meanwhile.
 */
public final class WriterMarks {
    private static final int ANSWER_MILLIS = 800;

    private static final String NAME = "select n.nspname, c.relname, a.attname from pg_catalog.pg_attribute a"
            + " join pg_catalog.pg_class c on c.oid = a.attrelid"
            + " join pg_catalog.pg_namespace n on n.oid = c.relnamespace"
            + " where a.attrelid = ?::regclass and a.attname = (parse_ident(?))[1]";

    /** A replica has locks of its own, which tell nothing. */
    private static final String COUNT = "select count(*) filter (where l.objid::bigint = ?),"
            + " count(*) filter (where l.objid::bigint <> ?), pg_is_in_recovery() from pg_catalog.pg_locks l"
            + " where l.locktype = 'advisory' and l.objsubid = 2 and l.granted and l.classid::bigint = ?"
            + " and l.database = (select d.oid from pg_catalog.pg_database d where d.datname = current_database())";

    private static final String LOCK = "select pg_try_advisory_lock(?, ?)";
    private static final String UNLOCK = "select pg_advisory_unlock(?, ?)";

    private final Connections connections;
    private final Map<IdentifierColumn, Integer> numbers = new HashMap<>(); // guarded by this, as all below
    private final Set<IdentifierColumn> marked = new HashSet<>();
    private int own = ThreadLocalRandom.current().nextInt();
    private @Nullable Kept kept;
    private boolean closed;

    private record Kept(Connection connection, boolean autoCommit, boolean readOnly, int timeout) {}

    private record Marks(long own, long others, boolean replica) {}

    /** Marks nothing yet, and opens no connection. */
    public WriterMarks(Connections connections) {
        this.connections = connections;
    }

    /** Whether the mark stands and there is no other. Asks on the connection that holds it, and opens none. */
    synchronized boolean standsAlone(IdentifierColumn column) {
        if (kept == null || !marked.contains(column)) {
            return false;
        }
        try {
            Marks marks = marks(kept.connection(), number(kept.connection(), column));
            if (marks.own() == 0) {
                marked.remove(column);
            }
            return marks.own() > 0 && marks.others() == 0 && !marks.replica();
        } catch (SQLException | RuntimeException e) {
            abandon();
            return false;
        }
    }

    /**
     * Marks the column unless it is marked. May wait for a connection.
     *
     * @throws StoreException if the database cannot be asked
     */
    void mark(IdentifierColumn column) {
        try {
            lock(column, isConnected() ? null : open());
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
            Connection connection = kept.connection();
            int number = number(connection, column);
            while (!call(connection, LOCK, number, own)) {
                own = ThreadLocalRandom.current().nextInt(); // taken by another
                marked.clear();
            }
            marked.add(column);
        } catch (SQLException | RuntimeException e) {
            abandon();
            throw e;
        }
    }

    private int number(Connection connection, IdentifierColumn column) throws SQLException {
        Integer known = numbers.get(column);
        if (known != null) {
            return known;
        }
        try (PreparedStatement statement = connection.prepareStatement(NAME)) {
            statement.setString(1, column.table());
            statement.setString(2, column.column());
            try (ResultSet row = statement.executeQuery()) {
                if (!row.next()) {
                    throw new SQLException("PostgreSQL has no column " + column, "42703");
                }
                int number = hash(row.getString(1) + '\n' + row.getString(2) + '\n' + row.getString(3));
                numbers.put(column, number);
                return number;
            }
        }
    }

    /**
     * The same in every process. It is next to impossible that a lock of the application has this number, and it would
     * do no harm.
     */
    private static int hash(String name) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256")
                    .digest(("io.github.untaken writer\n" + name).getBytes(StandardCharsets.UTF_8));
            return (digest[0] & 0xff) << 24 | (digest[1] & 0xff) << 16 | (digest[2] & 0xff) << 8 | digest[3] & 0xff;
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    private Marks marks(Connection connection, int number) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(COUNT)) {
            statement.setLong(1, Integer.toUnsignedLong(own));
            statement.setLong(2, Integer.toUnsignedLong(own));
            statement.setLong(3, Integer.toUnsignedLong(number));
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return new Marks(row.getLong(1), row.getLong(2), row.getBoolean(3));
            }
        }
    }

    private static boolean call(Connection connection, String sql, int number, int own) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setInt(1, number);
            statement.setInt(2, own);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return row.getBoolean(1);
            }
        }
    }

    /** Takes the mark away, and gives the connection back with the last one. Never throws. */
    synchronized void leave(IdentifierColumn column) {
        if (kept == null || !marked.remove(column)) {
            return;
        }
        try {
            call(kept.connection(), UNLOCK, number(kept.connection(), column), own);
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
     * Takes all marks away and gives the connection back; no mark is made afterwards. For the end of the pool that the
     * connection is from. Never throws; may wait for one answer of the database.
     */
    public synchronized void leaveAll() {
        closed = true;
        Set.copyOf(marked).forEach(this::leave);
        abandon();
    }

    private Kept open() throws SQLException {
        Connection connection = connections.open();
        try {
            boolean autoCommit = connection.getAutoCommit();
            if (!autoCommit) {
                connection.rollback();
            }
            Kept opened = new Kept(connection, autoCommit, connection.isReadOnly(), connection.getNetworkTimeout());
            if (opened.readOnly()) {
                connection.setReadOnly(false); // it may lead to a replica
            }
            // A transaction left open would keep the database from cleaning up.
            connection.setAutoCommit(true);
            connection.setNetworkTimeout(Runnable::run, ANSWER_MILLIS);
            return opened;
        } catch (SQLException | RuntimeException e) {
            end(connection);
            throw e;
        }
    }

    private void giveBack(Kept returned) throws SQLException {
        Connection connection = returned.connection();
        connection.setNetworkTimeout(Runnable::run, returned.timeout());
        if (returned.readOnly()) {
            connection.setReadOnly(true);
        }
        connection.setAutoCommit(returned.autoCommit());
        connections.close(connection);
    }

    private void abandon() {
        Kept abandoned = kept;
        kept = null;
        marked.clear();
        if (abandoned != null) {
            end(abandoned.connection());
        }
    }

    /** Ends a connection that does not answer as it should: the pool must not hand it to somebody with a mark on it. */
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
            // it is being thrown away in any case
        }
    }
}
