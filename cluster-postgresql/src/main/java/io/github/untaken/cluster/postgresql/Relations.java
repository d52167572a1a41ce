package io.github.untaken.cluster.postgresql;

import io.github.untaken.IdentifierKind;
import io.github.untaken.feed.UnfollowableException;
import io.github.untaken.spi.GapReason;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The tables of one stream, as it describes them: which of the columns that it sends hold identifiers. */
final class Relations {
    private final Map<Integer, List<WatchedColumn>> watched;
    private final Map<Integer, Shape> shapes = new HashMap<>();

    /**
     * What a row is made of.
     *
     * @param columns for each column that is sent, what it holds; mostly nothing of ours
     * @param sendsOldKeys whether an update that alters the primary key sends something of the old row
     */
    record Shape(List<Held> columns, boolean sendsOldKeys) {}

    /**
     * What a column holds.
     *
     * @param kinds it holds identifiers of
     * @param padded whether with blanks at their end that are no part of them
     */
    record Held(List<IdentifierKind> kinds, boolean padded) {}

    /** @param watched by the oid of the table, its partition, or the table that it is a partition of */
    Relations(Map<Integer, List<WatchedColumn>> watched) {
        this.watched = watched;
    }

    /** @throws UnfollowableException if a column with identifiers is not among those sent */
    void described(int oid, String table, List<String> columns, boolean sendsOldKeys) throws UnfollowableException {
        List<WatchedColumn> wanted = watched.getOrDefault(oid, List.of());
        for (WatchedColumn column : wanted) {
            if (!columns.contains(column.name())) {
                throw new UnfollowableException(
                        GapReason.ALTERED,
                        "PostgreSQL's log lacks column " + column.name() + " of " + table
                                + ": it was renamed, dropped, or taken out of the publication; put it back (ALTER"
                                + " PUBLICATION ... SET TABLE ...)");
            }
        }
        List<Held> shape = new ArrayList<>();
        for (String name : columns) {
            List<WatchedColumn> held =
                    wanted.stream().filter(column -> column.name().equals(name)).toList();
            shape.add(new Held(
                    held.stream().map(WatchedColumn::kind).toList(),
                    held.stream().anyMatch(WatchedColumn::padded)));
        }
        shapes.put(oid, new Shape(shape, sendsOldKeys));
    }

    /** @throws UnfollowableException if the stream has not described the table */
    Shape of(int oid) throws UnfollowableException {
        Shape shape = shapes.get(oid);
        if (shape == null) {
            throw new UnfollowableException(
                    GapReason.CONTENT, "PostgreSQL's log holds rows of a table that it has not described");
        }
        return shape;
    }
}
