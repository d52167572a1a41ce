package io.github.untaken.jdbc.writer;

import io.github.untaken.IdentifierKind;
import io.github.untaken.jdbc.column.IdentifierColumn;
import io.github.untaken.jdbc.watch.OpenTransactions;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;

/**
 * Advisory locks of PostgreSQL, each of two numbers: one for the column, one for the source. Several sources of one checker, such as
 * entities and a watched data source, hear each other. They are no strangers if they tell of the column's values under the same kinds.
 */
final class PostgreSqlLocks implements MarkLocks {
    private static final String NAME = "select n.nspname, c.relname, a.attname from pg_catalog.pg_attribute a"
            + " join pg_catalog.pg_class c on c.oid = a.attrelid"
            + " join pg_catalog.pg_namespace n on n.oid = c.relnamespace"
            + " where a.attrelid = ?::regclass and a.attname = (parse_ident(?))[1]";

    /** A replica has locks of its own, which tell nothing. */
    private static final String MARKS = "select l.objid::bigint, pg_is_in_recovery() from pg_catalog.pg_locks l"
            + " where l.locktype = 'advisory' and l.objsubid = 2 and l.granted and l.classid::bigint = ?"
            + " and l.database = (select d.oid from pg_catalog.pg_database d where d.datname = current_database())";

    private static final String LOCK = "select pg_try_advisory_lock(?, ?)";
    private static final String UNLOCK = "select pg_advisory_unlock(?, ?)";

    /** The marks of this process, and what each stands for. */
    private static final Map<Mark, MarkedWriter> OF_THIS_PROCESS = new ConcurrentHashMap<>();

    /**
     * Marks whose connection was given up. The server may still hold them: a pool that takes back what is held too long lends the
     * connection to others, locks included. They belong to this process until they are seen to be gone.
     */
    private static final Set<Mark> LEFT = ConcurrentHashMap.newKeySet();

    private final Connection connection;
    private final OpenTransactions writes;
    private final Function<IdentifierColumn, Set<IdentifierKind>> kinds;
    private final Map<IdentifierColumn, Mark> marks = new HashMap<>();

    PostgreSqlLocks(
            Connection connection, OpenTransactions writes, Function<IdentifierColumn, Set<IdentifierKind>> kinds) {
        this.connection = connection;
        this.writes = writes;
        this.kinds = kinds;
    }

    private record Mark(int column, int source) {}

    @Override
    public void lock(IdentifierColumn column) throws SQLException {
        int number = number(column);
        Mark mark;
        do {
            mark = new Mark(number, ThreadLocalRandom.current().nextInt());
        } while (!call(LOCK, mark)); // taken by another
        OF_THIS_PROCESS.put(mark, new MarkedWriter(writes, kinds.apply(column)));
        Mark before = marks.put(column, mark);
        if (before != null) { // it was lost
            OF_THIS_PROCESS.remove(before);
        }
    }

    private int number(IdentifierColumn column) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(NAME)) {
            statement.setString(1, column.table());
            statement.setString(2, column.column());
            try (ResultSet row = statement.executeQuery()) {
                if (!row.next()) {
                    throw new SQLException("PostgreSQL has no column " + column, "42703");
                }
                return MarkLocks.number(row.getString(1) + '\n' + row.getString(2) + '\n' + row.getString(3));
            }
        }
    }

    @Override
    public Seen look(IdentifierColumn column) throws SQLException {
        Mark mark = mark(column);
        MarkedWriter writer = new MarkedWriter(writes, kinds.apply(column));
        Set<Mark> all = new HashSet<>();
        boolean others = false;
        try (PreparedStatement statement = connection.prepareStatement(MARKS)) {
            statement.setLong(1, Integer.toUnsignedLong(mark.column()));
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    Mark seen = new Mark(mark.column(), (int) rows.getLong(1));
                    all.add(seen);
                    others |= !seen.equals(mark) && !isHeardBy(writer, seen) || rows.getBoolean(2);
                }
            }
        }
        forgetLeft(mark.column(), all);
        return new Seen(all.contains(mark), others);
    }

    /** Keeps those still held: whoever holds one of the others from now on is somebody else. */
    private void forgetLeft(int column, Set<Mark> held) {
        for (Mark left : Set.copyOf(LEFT)) {
            MarkedWriter writer = OF_THIS_PROCESS.get(left);
            if (left.column() == column && !held.contains(left) && writer != null && writer.writes() == writes) {
                OF_THIS_PROCESS.remove(left);
                LEFT.remove(left);
            }
        }
    }

    private static boolean isHeardBy(MarkedWriter writer, Mark mark) {
        MarkedWriter theirs = OF_THIS_PROCESS.get(mark);
        return theirs != null && theirs.tellsAllTo(writer);
    }

    @Override
    public void unlock(IdentifierColumn column) throws SQLException {
        call(UNLOCK, mark(column));
        OF_THIS_PROCESS.remove(mark(column));
        forgetLeft(mark(column).column(), Set.of());
        marks.remove(column);
    }

    @Override
    public void lost() {
        LEFT.addAll(marks.values());
    }

    private Mark mark(IdentifierColumn column) {
        return Objects.requireNonNull(marks.get(column));
    }

    private boolean call(String sql, Mark mark) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setInt(1, mark.column());
            statement.setInt(2, mark.source());
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return row.getBoolean(1);
            }
        }
    }
}
