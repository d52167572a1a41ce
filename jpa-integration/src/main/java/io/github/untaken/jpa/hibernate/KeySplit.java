package io.github.untaken.jpa.hibernate;

import java.math.BigInteger;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a table into ranges of its primary key that together hold every row, also one that comes later.
 *
 * <p>Whole numbers are halved: always the widest range that is left, after both its ends were moved to stored keys. So a
 * gap costs one cut, however wide, and a single key far away does not leave all the others in one range. Each cut is two
 * look-ups in the index. Of other types only the database knows the order: it is walked once, without reading rows, and cut
 * into equal numbers of keys.
 */
final class KeySplit {
    /** Numbers come unevenly: more ranges than threads, and the threads end together. */
    private static final int RANGES_FOR_EACH = 4;

    /** No database is read by more threads than this to its profit. */
    private static final int MOST_THREADS = 32;

    private final IdentifierColumn column;
    private final IdentifierColumn.Key key;
    private final FreshReads reads;

    KeySplit(IdentifierColumn column, IdentifierColumn.Key key, FreshReads reads) {
        this.column = column;
        this.key = key;
        this.reads = reads;
    }

    List<KeyRange> ranges(int wanted) {
        if (wanted == 1) {
            return List.of(KeyRange.ALL);
        }
        int most = Math.min(wanted, MOST_THREADS);
        return between(reads.run(
                column.table(),
                null,
                (connection, session) -> key.isNumber()
                        ? halved(RANGES_FOR_EACH * most, connection, session)
                        : equalShares(new Keys(connection, session), most)));
    }

    private static List<KeyRange> between(List<Object> cuts) {
        List<KeyRange> ranges = new ArrayList<>();
        Object from = null;
        for (Object cut : cuts) {
            ranges.add(new KeyRange(from, cut));
            from = cut;
        }
        ranges.add(new KeyRange(from, null));
        return ranges;
    }

    /** Stored keys, and all between them. */
    record Span(BigInteger first, BigInteger last) {
        BigInteger width() {
            return last.subtract(first);
        }
    }

    /** Ranges of a numeric key that hold all present rows, as narrow as so many can be; none if there are no rows. */
    List<Span> spans(int wanted, Connection connection, SharedSessionContractImplementor session) throws SQLException {
        Keys keys = new Keys(connection, session);
        PriorityQueue<Span> widestFirst =
                new PriorityQueue<>(Comparator.comparing(Span::width).reversed());
        BigInteger first = keys.number("min", "");
        BigInteger last = keys.number("max", "");
        if (first != null && last != null) {
            widestFirst.add(new Span(first, last));
        }
        while (!widestFirst.isEmpty() && widestFirst.size() < wanted) {
            Span widest = widestFirst.remove();
            BigInteger middle = widest.last().subtract(widest.width().shiftRight(1));
            BigInteger below = keys.number("max", " where " + key.column() + " < ?", middle);
            BigInteger above = keys.number("min", " where " + key.column() + " >= ?", middle);
            if (widest.width().signum() == 0 || below == null || above == null) {
                widestFirst.add(widest); // one key, or rows deleted meanwhile: as narrow as it gets
                break;
            }
            widestFirst.add(new Span(widest.first(), below.max(widest.first())));
            widestFirst.add(new Span(above, widest.last().max(above)));
        }
        return List.copyOf(widestFirst);
    }

    /** What is between two spans belongs to the lower one. */
    private List<Object> halved(int wanted, Connection connection, SharedSessionContractImplementor session)
            throws SQLException {
        return spans(wanted, connection, session).stream()
                .map(Span::first)
                .sorted()
                .distinct()
                .skip(1)
                .map(key::ofNumber)
                .toList();
    }

    private List<Object> equalShares(Keys keys, int wanted) throws SQLException {
        List<Object> cuts = new ArrayList<>();
        long share = keys.count() / wanted;
        if (share > 0) {
            Object cut = keys.keyAfter(null, share);
            while (cut != null && cuts.size() < wanted - 1) {
                cuts.add(cut);
                cut = keys.keyAfter(cut, share);
            }
        }
        return cuts;
    }

    /** Looks into the index of the primary key. */
    private final class Keys {
        private final Connection connection;
        private final SharedSessionContractImplementor session;

        Keys(Connection connection, SharedSessionContractImplementor session) {
            this.connection = connection;
            this.session = session;
        }

        @Nullable BigInteger number(String function, String where, BigInteger... bounds) throws SQLException {
            String sql = "select " + function + "(" + key.column() + ") from " + column.table() + where;
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                for (int i = 0; i < bounds.length; i++) {
                    key.bind(statement, i + 1, key.ofNumber(bounds[i]), session);
                }
                try (ResultSet row = statement.executeQuery()) {
                    row.next();
                    Object number = key.read(row, 1, session);
                    return number == null ? null : new BigInteger(number.toString());
                }
            }
        }

        long count() throws SQLException {
            try (PreparedStatement statement = connection.prepareStatement("select count(*) from " + column.table());
                    ResultSet row = statement.executeQuery()) {
                row.next();
                return row.getLong(1);
            }
        }

        /** The key that so many others precede, from the given one on; null if there are no more than those. */
        @Nullable Object keyAfter(@Nullable Object from, long others) throws SQLException {
            String sql = "select " + key.column() + " from " + column.table()
                    + (from == null ? "" : " where " + key.column() + " >= ?") + " order by " + key.column();
            PageLimit limit = new PageLimit(reads.factory(), Math.toIntExact(others), 1);
            try (PreparedStatement statement = connection.prepareStatement(limit.applyTo(sql, from == null ? 0 : 1))) {
                int index = limit.bindFirst(statement);
                if (from != null) {
                    key.bind(statement, index++, from, session);
                }
                limit.bindLast(statement, index);
                try (ResultSet row = statement.executeQuery()) {
                    return row.next() ? key.read(row, 1, session) : null;
                }
            }
        }
    }
}
