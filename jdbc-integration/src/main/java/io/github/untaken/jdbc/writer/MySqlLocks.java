package io.github.untaken.jdbc.writer;

import io.github.untaken.jdbc.column.CatalogName;
import io.github.untaken.jdbc.column.IdentifierColumn;
import io.github.untaken.jdbc.comparison.MySqlColumn;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * {@code GET_LOCK} of MariaDB and MySQL. A name has one holder, and listing held names takes a special right. So each column has a few
 * names; a process takes the first free one, and looks whether the others are free. They belong to one server: a Galera cluster shares
 * none, so others may be anywhere.
 */
final class MySqlLocks implements MarkLocks {
    /** How many processes can be marked at a time. One more has no mark, and asks the database, as all of them do. */
    private static final int PLACES = 16;

    private final Connection connection;
    private final Map<IdentifierColumn, Mark> marks = new HashMap<>();

    MySqlLocks(Connection connection) {
        this.connection = connection;
    }

    /** One place of a column. */
    private record Mark(String name, boolean inCluster, String look) {}

    @Override
    public void lock(IdentifierColumn column) throws SQLException {
        MySqlColumn described = MySqlColumn.of(column, connection);
        CatalogName name = described.name();
        String prefix = "io.github.untaken/"
                + Integer.toHexString(MarkLocks.number(name.catalog() + '\n' + name.table() + '\n' + name.column()))
                + '/';
        for (int own = 0; own < PLACES; own++) {
            if (call("select get_lock(?, 0)", prefix + own)) {
                marks.put(column, new Mark(prefix + own, described.server().galera(), look(prefix, own)));
                return;
            }
        }
        throw new SQLException(PLACES + " other processes are marked already", "53000");
    }

    private static String look(String prefix, int own) {
        String others = IntStream.range(0, PLACES)
                .filter(place -> place != own)
                .mapToObj(place -> "is_used_lock('" + prefix + place + "')")
                .collect(Collectors.joining(", "));
        return "select is_used_lock('" + prefix + own + "') = connection_id(), coalesce(" + others
                + ") is not null or concat(@@global.read_only) not in ('0', 'OFF')";
    }

    @Override
    public Seen look(IdentifierColumn column) throws SQLException {
        Mark mark = mark(column);
        try (PreparedStatement statement = connection.prepareStatement(mark.look());
                ResultSet row = statement.executeQuery()) {
            row.next();
            return new Seen(row.getBoolean(1), row.getBoolean(2) || mark.inCluster());
        }
    }

    @Override
    public void unlock(IdentifierColumn column) throws SQLException {
        call("select release_lock(?)", mark(column).name());
        marks.remove(column);
    }

    private Mark mark(IdentifierColumn column) {
        return Objects.requireNonNull(marks.get(column));
    }

    private boolean call(String sql, String name) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, name);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return row.getInt(1) == 1;
            }
        }
    }
}
