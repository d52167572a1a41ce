package io.github.untaken.jdbc;

import java.math.BigInteger;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a table into ranges of its primary key that together hold every row, even one that comes later.
 *
 * <p>Whole numbers are halved: always the widest range that is left, after both its ends were moved to stored keys. So
 * a gap costs one cut, however wide it is, and a single key far away does not leave all the others in one range. Each
 * cut is two look-ups in the index. Only the database knows the order of other types: their index is walked once,
 * without reading rows, and cut into equal numbers of keys.
 */
final class KeySplit {
    /** Numbers are spread unevenly: with more ranges than threads, the threads end together. */
    private static final int RANGES_FOR_EACH = 4;

    /** More threads than this make no scan faster. */
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
        return between(reads.run(column.table(), connection -> {
            KeyLookups keys = new KeyLookups(column, key, reads.database(), connection);
            return key.isNumber() ? halved(RANGES_FOR_EACH * most, keys) : equalShares(most, keys);
        }));
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

    /** Two stored keys and all that lies between them. */
    record Span(BigInteger first, BigInteger last) {
        BigInteger width() {
            return last.subtract(first);
        }
    }

    /**
     * Up to {@code wanted} ranges of a numeric key that together hold all present rows, as narrow as that allows; none
     * if there are no rows.
     */
    List<Span> spans(int wanted, KeyLookups keys) throws SQLException {
        PriorityQueue<Span> widestFirst =
                new PriorityQueue<>(Comparator.comparing(Span::width).reversed());
        BigInteger first = number(keys.first());
        BigInteger last = number(keys.last());
        if (first != null && last != null) {
            widestFirst.add(new Span(first, last));
        }
        while (!widestFirst.isEmpty() && widestFirst.size() < wanted) {
            Span widest = widestFirst.remove();
            Object middle = key.ofNumber(widest.last().subtract(widest.width().shiftRight(1)));
            BigInteger below = number(keys.lastBelow(middle));
            BigInteger above = number(keys.firstFrom(middle));
            if (widest.width().signum() == 0 || below == null || above == null) {
                widestFirst.add(widest); // one key, or rows deleted meanwhile: as narrow as it gets
                break;
            }
            widestFirst.add(new Span(widest.first(), below.max(widest.first())));
            widestFirst.add(new Span(above, widest.last().max(above)));
        }
        return List.copyOf(widestFirst);
    }

    private static @Nullable BigInteger number(@Nullable Object key) {
        return key == null ? null : new BigInteger(key.toString());
    }

    /** What is between two spans belongs to the lower one. */
    private List<Object> halved(int wanted, KeyLookups keys) throws SQLException {
        return spans(wanted, keys).stream()
                .map(Span::first)
                .sorted()
                .distinct()
                .skip(1)
                .map(key::ofNumber)
                .toList();
    }

    private List<Object> equalShares(int wanted, KeyLookups keys) throws SQLException {
        List<Object> cuts = new ArrayList<>();
        int share = Math.toIntExact(keys.count() / wanted);
        if (share > 0) {
            Object cut = keys.firstAfter(null, share);
            while (cut != null && cuts.size() < wanted - 1) {
                cuts.add(cut);
                cut = keys.firstAfter(cut, share);
            }
        }
        return cuts;
    }
}
