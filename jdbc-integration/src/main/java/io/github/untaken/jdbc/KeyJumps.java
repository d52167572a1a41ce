package io.github.untaken.jdbc;

import java.math.BigInteger;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.random.RandomGenerator;

/**
 * Jumps to random places of the primary key and takes the rows that follow. A row after a gap is taken more often than
 * others. Numbers are jumped to range by range, so that a dense range far from the rest has its share.
 */
final class KeyJumps implements ColumnSample {
    private static final int MOST_JUMPS = 16;
    private static final int SPANS = 8;
    private static final String LETTERS = "0123456789abcdefghijklmnopqrstuvwxyz";
    private static final int LENGTH = 6;

    private final IdentifierColumn column;
    private final IdentifierColumn.Key key;
    private final FreshReads reads;

    KeyJumps(IdentifierColumn column, IdentifierColumn.Key key, FreshReads reads) {
        this.column = column;
        this.key = key;
        this.reads = reads;
    }

    @Override
    public List<String> take(int count, RandomGenerator random, Connection connection) throws SQLException {
        Map<Object, String> taken = new HashMap<>();
        KeyLookups keys = new KeyLookups(column, key, reads.database(), connection);
        Object first = keys.first();
        Object last = keys.last();
        if (count > 0 && first != null && last != null) {
            List<KeySplit.Span> spans =
                    key.isNumber() ? new KeySplit(column, key, reads).spans(SPANS, keys) : List.of();
            int jumps = Math.min(count, MOST_JUMPS);
            for (int i = 0; i < jumps; i++) {
                int missing = count - taken.size();
                Object place = spans.isEmpty() ? between(first, last, random) : within(spans, random);
                takeFrom(place, (missing + jumps - i - 1) / (jumps - i), taken, connection);
            }
        }
        return new ArrayList<>(taken.values());
    }

    private void takeFrom(Object place, int rows, Map<Object, String> taken, Connection connection)
            throws SQLException {
        String sql = "select " + column.column() + ", " + key.column() + " from " + column.table() + " where "
                + key.column() + " >= ? order by " + key.column();
        try (PreparedStatement statement =
                connection.prepareStatement(reads.database().limited(sql, 0, rows))) {
            key.bind(statement, 1, place);
            try (ResultSet result = statement.executeQuery()) {
                while (result.next()) {
                    String value = StoredText.of(result);
                    Object id = key.read(result, 2);
                    if (value != null && id != null) {
                        taken.put(id, value);
                    }
                }
            }
        }
    }

    private Object within(List<KeySplit.Span> spans, RandomGenerator random) {
        KeySplit.Span span = spans.get(random.nextInt(spans.size()));
        return key.ofNumber(span.first().add(below(span.width().add(BigInteger.ONE), random)));
    }

    private static Object between(Object first, Object last, RandomGenerator random) {
        return first instanceof UUID from && last instanceof UUID to
                ? between(from, to, random)
                : between(first.toString(), last.toString(), random);
    }

    /** If the database orders them differently, the place is no worse than another. */
    private static UUID between(UUID first, UUID last, RandomGenerator random) {
        BigInteger from = number(first);
        BigInteger place = from.add(below(number(last).subtract(from).abs().add(BigInteger.ONE), random));
        return new UUID(place.shiftRight(Long.SIZE).longValue(), place.longValue());
    }

    private static BigInteger number(UUID id) {
        return unsigned(id.getMostSignificantBits()).shiftLeft(Long.SIZE).add(unsigned(id.getLeastSignificantBits()));
    }

    private static BigInteger unsigned(long bits) {
        return new BigInteger(Long.toUnsignedString(bits));
    }

    private static String between(String first, String last, RandomGenerator random) {
        int same = 0;
        int shorter = Math.min(first.length(), last.length());
        while (same < shorter && first.charAt(same) == last.charAt(same)) {
            same++;
        }
        StringBuilder place = new StringBuilder(first.substring(0, same));
        if (same < shorter) {
            // Nothing follows a place beyond the last key.
            int low = Math.min(first.charAt(same), last.charAt(same));
            int high = Math.max(first.charAt(same), last.charAt(same));
            place.append((char) random.nextInt(low, high + 1));
        }
        for (int i = 0; i < LENGTH; i++) {
            place.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
        }
        return place.toString();
    }

    /** Nearly even, which is even enough. */
    private static BigInteger below(BigInteger bound, RandomGenerator random) {
        byte[] bits = new byte[24];
        random.nextBytes(bits);
        return new BigInteger(1, bits).mod(bound);
    }
}
