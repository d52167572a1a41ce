package io.github.untaken.cluster.postgresql;

import io.github.untaken.feed.UnfollowableException;
import io.github.untaken.spi.ChangeFeed;
import io.github.untaken.spi.GapReason;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The few slots that all processes of one publication in one database share, numbered from 1. A slot is owned by the connection that
 * holds the advisory lock of its number, and only the connection that reads the log ever takes one. So the lock ends when the server
 * has ended that reader, however the process ended, and the slot is free for the next one at once. Without the lock, two processes
 * that start together could each drop and remake the slot that the other is about to read.
 *
 * <p>Slots belong to the server and locks to a database, so the name of a slot has both the database and the publication in it.
 */
final class SharedSlots {
    /** The prefix of our slots' names. */
    static final String PREFIX = "untaken_";
    /** The suffix of slots that wait for the restart of a process with snapshots. Other processes take them last. */
    static final String FOR_LATER = "_snapshot";

    private static final Pattern NAME =
            Pattern.compile(PREFIX + "[0-9]+_[0-9a-f]{8}_([0-9]{1,2})(?:" + FOR_LATER + ")?");
    private static final String IN_USE = "55006";

    private final int lock; // the first half of the lock's number; the application hopefully uses another
    private final int most;

    SharedSlots(String publication, int most) {
        this.lock = (PREFIX + publication).hashCode();
        this.most = most;
    }

    /** The prefix of these slots' names. */
    String prefix(Connection asked) throws SQLException {
        try (Statement statement = asked.createStatement();
                ResultSet row = statement.executeQuery(
                        "select oid from pg_catalog.pg_database where datname = current_database()")) {
            row.next();
            return PREFIX + row.getLong(1) + '_' + HexFormat.of().toHexDigits(lock) + '_';
        }
    }

    /**
     * Takes a number that nobody owns, for as long as the connection lives, and drops the slot left under it. It prefers, in this
     * order: the one it had before; one whose owner is gone, so that processes that come and go leave only one behind; a new one, if
     * the server has room; and last, of those that wait for a later process, the one furthest behind.
     *
     * @param before the slot that this process has left; empty for none
     * @param forLater whether the slot is to wait for a later process
     * @return the name of the slot to be made
     * @throws UnfollowableException if all are owned
     */
    String claim(Connection reading, String before, boolean forLater) throws SQLException, UnfollowableException {
        String prefix = prefix(reading);
        List<Integer> numbers = new ArrayList<>();
        number(before, prefix).ifPresent(numbers::add);
        numbers.addAll(unread(reading, prefix));
        for (int number : numbers) {
            if (isLocked(reading, number) && isDropped(reading, prefix + number)) {
                return prefix + number + (forLater ? FOR_LATER : "");
            }
        }
        throw new UnfollowableException(
                GapReason.SET_UP,
                "all " + most + " replication slots of this publication are read by other processes; raise the"
                        + " setting slots of every feed");
    }

    /** Takes the number of a slot, to continue reading it; false while another connection owns it. */
    boolean isOwnedBy(Connection reading, String slot) throws SQLException {
        Optional<Integer> number = number(slot, prefix(reading));
        return number.isPresent() && isLocked(reading, number.get());
    }

    private static Optional<Integer> number(String slot, String prefix) {
        Matcher name = NAME.matcher(slot);
        return name.matches() && slot.startsWith(prefix)
                ? Optional.of(Integer.valueOf(name.group(1)))
                : Optional.empty();
    }

    private List<Integer> unread(Connection reading, String prefix) throws SQLException {
        List<Integer> numbers = new ArrayList<>();
        try (PreparedStatement statement = reading.prepareStatement("""
                select n from (select n, s.slot_name, s.active, s.confirmed_flush_lsn, s.slot_name = ? || n as plain
                  from generate_series(1, ?) n left join pg_catalog.pg_replication_slots s on s.slot_name in (? || n, ? || n || ?)) s
                where active is not true and (slot_name is not null or
                  (select count(*) from pg_catalog.pg_replication_slots) < current_setting('max_replication_slots')::int)
                order by case when plain then 0 when plain is null then 1 else 2 end,
                  case when not plain then confirmed_flush_lsn end, n""")) {
            statement.setString(1, prefix);
            statement.setInt(2, most);
            statement.setString(3, prefix);
            statement.setString(4, prefix);
            statement.setString(5, FOR_LATER);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    numbers.add(rows.getInt(1));
                }
            }
        }
        return numbers;
    }

    private boolean isLocked(Connection reading, int number) throws SQLException {
        try (PreparedStatement statement = reading.prepareStatement("select pg_try_advisory_lock(?, ?)")) {
            statement.setInt(1, lock);
            statement.setInt(2, number);
            try (ResultSet row = statement.executeQuery()) {
                return row.next() && row.getBoolean(1);
            }
        }
    }

    /** False if a program that is not ours reads it. */
    private static boolean isDropped(Connection reading, String slot) throws SQLException {
        try {
            Slot.drop(reading, slot);
            Slot.drop(reading, slot + FOR_LATER);
            return true;
        } catch (SQLException e) {
            if (IN_USE.equals(e.getSQLState())) {
                return false;
            }
            throw e;
        }
    }

    /** What the server keeps of its log for all of ours, of whatever publication and database. */
    static ChangeFeed.Readers readers(Connection asked) throws SQLException {
        try (PreparedStatement statement = asked.prepareStatement("""
                select coalesce(max(pg_current_wal_lsn() - restart_lsn), 0)::bigint, count(*) filter (where not active)
                from pg_catalog.pg_replication_slots where starts_with(slot_name, ?)""")) {
            statement.setString(1, PREFIX);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return new ChangeFeed.Readers(row.getLong(1), row.getInt(2));
            }
        }
    }
}
