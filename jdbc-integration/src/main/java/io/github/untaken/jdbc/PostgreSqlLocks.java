package io.github.untaken.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;

/** Advisory locks of PostgreSQL, each of two numbers: one that stands for the column, and one for the process. */
final class PostgreSqlLocks implements MarkLocks {
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

    private final Connection connection;
    private final Map<IdentifierColumn, Mark> marks = new HashMap<>();

    PostgreSqlLocks(Connection connection) {
        this.connection = connection;
    }

    private record Mark(int column, int process) {}

    @Override
    public void lock(IdentifierColumn column) throws SQLException {
        int number = number(column);
        Mark mark;
        do {
            mark = new Mark(number, ThreadLocalRandom.current().nextInt());
        } while (!call(LOCK, mark)); // taken by another
        marks.put(column, mark);
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
        try (PreparedStatement statement = connection.prepareStatement(COUNT)) {
            statement.setLong(1, Integer.toUnsignedLong(mark.process()));
            statement.setLong(2, Integer.toUnsignedLong(mark.process()));
            statement.setLong(3, Integer.toUnsignedLong(mark.column()));
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return new Seen(row.getLong(1) > 0, row.getLong(2) > 0 || row.getBoolean(3));
            }
        }
    }

    @Override
    public void unlock(IdentifierColumn column) throws SQLException {
        call(UNLOCK, mark(column));
        marks.remove(column);
    }

    private Mark mark(IdentifierColumn column) {
        return Objects.requireNonNull(marks.get(column));
    }

    private boolean call(String sql, Mark mark) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setInt(1, mark.column());
            statement.setInt(2, mark.process());
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return row.getBoolean(1);
            }
        }
    }
}
