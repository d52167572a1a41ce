package io.github.untaken.cluster.postgresql;

import io.github.untaken.spi.ChangeFeed;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.replication.LogSequenceNumber;
import org.postgresql.replication.PGReplicationStream;

/**
 * Our place in the server's log, held by the server. A temporary one ends with its connection; a kept one waits for us, and keeps the
 * log until we come. If a later process may resume from it, the server may forget only what is on our disk as well.
 *
 * <p>Used by the thread that reads the log; {@link #applied()}, {@link #covers}, {@link #isCovered} by any.
 */
final class Slot {
    /** The driver waits no longer for the server to begin to send. */
    private static final int BEGIN_SECONDS = 10;

    /** For which a server that was told to stop making a slot may go on. If it says nothing then, the connection has died. */
    private static final Duration FOR_ITS_END = Duration.ofSeconds(10);

    private final String name;
    private final boolean kept;
    private final boolean held;
    private final long start;
    private volatile long applied;
    private volatile long onDisk; // if held: up to where the server may forget
    private volatile boolean covered;

    private Slot(String name, boolean kept, boolean held, long start) {
        this.name = name;
        this.kept = kept;
        this.held = held;
        this.start = start;
        this.applied = start;
        this.onDisk = start;
    }

    /** The slot that an earlier process left, after telling everything up to that position. */
    static Slot left(Position position) {
        Slot slot = new Slot(position.slot(), true, true, position.end());
        slot.covered = true;
        return slot;
    }

    /**
     * Makes a new one. Waits until all transactions under way in the whole server have ended.
     *
     * @param held whether a later process may resume from it
     * @throws SQLException with the state 57014 if that takes longer
     */
    static Slot create(Connection connection, String name, boolean kept, boolean held, Duration timeout)
            throws SQLException {
        int usual = connection.getNetworkTimeout();
        int silence = (int) Math.min(timeout.plus(FOR_ITS_END).toMillis(), Integer.MAX_VALUE);
        connection.setNetworkTimeout(Runnable::run, silence);
        try (Statement statement = connection.createStatement()) {
            statement.setQueryTimeout((int) Math.max(1, timeout.toSeconds()));
            // This grammar has its words in capitals only.
            String temporary = kept ? "" : " TEMPORARY";
            try (ResultSet row = statement.executeQuery(
                    "CREATE_REPLICATION_SLOT " + name + temporary + " LOGICAL pgoutput (SNAPSHOT 'nothing')")) {
                row.next();
                connection.setNetworkTimeout(Runnable::run, usual);
                return new Slot(
                        name,
                        kept,
                        kept && held,
                        LogSequenceNumber.valueOf(row.getString("consistent_point"))
                                .asLong());
            }
        }
    }

    String name() {
        return name;
    }

    /** Whether it outlasts its connection. */
    boolean isKept() {
        return kept;
    }

    /**
     * Reads on from where the server says that we were, not from where we think. If another reader had confirmed more, the server would
     * silently begin later than asked. Replays do no harm. Once it is read, the connection may be silent for any time: a timeout within a
     * message would end the stream.
     */
    PGReplicationStream read(Connection connection, String publication) throws SQLException {
        PGReplicationStream stream = connection
                .unwrap(PGConnection.class)
                .getReplicationAPI()
                .replicationStream()
                .logical()
                .withSlotName(name)
                .withSlotOption("proto_version", 1)
                .withSlotOption("publication_names", '"' + publication + '"')
                .withSlotOption("messages", true)
                .withStatusInterval(BEGIN_SECONDS, TimeUnit.SECONDS)
                .withAutomaticFlush(!held) // confirms what holds nothing for us, once everything before it is confirmed
                .start();
        connection.setNetworkTimeout(Runnable::run, 0);
        return stream;
    }

    /** Everything up to there has been told. The server may forget it or, if the slot is held, what of it is on our disk. */
    void applied(PGReplicationStream stream, long position) {
        LogSequenceNumber place = LogSequenceNumber.valueOf(position);
        stream.setAppliedLSN(place);
        stream.setFlushedLSN(held ? LogSequenceNumber.valueOf(onDisk) : place);
        applied = Math.max(applied, position);
    }

    /** How far everything has been told. */
    long applied() {
        return applied;
    }

    /** Whether a later process may resume from it. */
    boolean isHeld() {
        return held;
    }

    /** Whether something on our disk needs what the server keeps for it. */
    boolean isCovered() {
        return covered;
    }

    /**
     * The files now on our disk cover the log up to these positions. Others, of another slot or from before this one, count for nothing.
     */
    void covers(List<Position> positions) {
        OptionalLong lowest = positions.stream()
                .filter(position -> position.slot().equals(name) && position.end() >= start)
                .mapToLong(Position::end)
                .min();
        onDisk = Math.max(onDisk, lowest.orElse(applied));
        covered = lowest.isPresent();
    }

    /** The stream has ended. The driver may have confirmed more than we did, where the log held nothing for us. */
    void left(PGReplicationStream stream) {
        applied = Math.max(applied, stream.getLastFlushedLSN().asLong());
    }

    /** Whether the server still has it, with all of the log that we have not read. */
    boolean isThere(Connection asked) throws SQLException {
        try (PreparedStatement statement = asked.prepareStatement("select wal_status <> 'lost'"
                + " from pg_catalog.pg_replication_slots where slot_name = ? and plugin = 'pgoutput'"
                + " and database = current_database()")) {
            statement.setString(1, name);
            try (ResultSet row = statement.executeQuery()) {
                return row.next() && row.getBoolean(1);
            }
        }
    }

    /**
     * Whether the server sends everything that we have not told, now that it has begun to send on a connection. It does not if somebody
     * else has read from the slot meanwhile, or if the server was set back to an older state.
     *
     * @param reader the process that serves the connection
     */
    boolean isContinuedBy(Connection asked, int reader) throws SQLException {
        try (PreparedStatement statement = asked.prepareStatement(
                "select active_pid = ? and confirmed_flush_lsn <= ?::pg_lsn and pg_current_wal_flush_lsn() >= ?::pg_lsn"
                        + " from pg_catalog.pg_replication_slots where slot_name = ?")) {
            String position = LogSequenceNumber.valueOf(applied).asString();
            statement.setInt(1, reader);
            statement.setString(2, position);
            statement.setString(3, position);
            statement.setString(4, name);
            try (ResultSet row = statement.executeQuery()) {
                return row.next() && row.getBoolean(1);
            }
        }
    }

    /** Drops it if it is there; fails if somebody reads it. */
    static void drop(Connection asked, String name) throws SQLException {
        try (PreparedStatement statement = asked.prepareStatement("select pg_drop_replication_slot(slot_name)"
                + " from pg_catalog.pg_replication_slots where slot_name = ?")) {
            statement.setString(1, name);
            statement.execute();
        }
    }

    /** How much of the log a slot of that name has before it; null if there is none, or the server keeps nothing for it any more. */
    static ChangeFeed.@Nullable Backlog backlog(Connection asked, String name) throws SQLException {
        try (PreparedStatement statement =
                asked.prepareStatement("select (pg_current_wal_lsn() - confirmed_flush_lsn)::bigint,"
                        + " (pg_current_wal_lsn() - restart_lsn)::bigint"
                        + " from pg_catalog.pg_replication_slots where slot_name = ?")) {
            statement.setString(1, name);
            try (ResultSet row = statement.executeQuery()) {
                if (!row.next()) {
                    return null;
                }
                ChangeFeed.Backlog backlog = new ChangeFeed.Backlog(row.getLong(1), row.getLong(2));
                return row.wasNull() ? null : backlog;
            }
        }
    }

    /** Describes the oldest open transaction, for people. A new slot waits for it. */
    static String oldestTransaction(Connection asked) throws SQLException {
        try (Statement statement = asked.createStatement();
                ResultSet row = statement.executeQuery("""
                        select coalesce('of process ' || l.pid, 'prepared as ' || quote_literal(p.gid), 'of an unknown session')
                        from pg_catalog.pg_locks l left join pg_catalog.pg_prepared_xacts p on p.transaction = l.transactionid
                        where l.locktype = 'transactionid' and l.mode = 'ExclusiveLock' and l.granted
                        order by age(l.transactionid) desc limit 1""")) {
            return row.next() ? row.getString(1) : "of an unknown session";
        }
    }
}
