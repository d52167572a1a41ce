package io.github.untaken.cluster.postgresql;

import io.github.untaken.IdentifierKind;
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
     * @param columns for each column that is sent, the kinds it holds identifiers of; mostly none
     */
    record Shape(List<List<IdentifierKind>> columns) {}

    /** @param watched by the oid of the table, its partition, or the table that it is a partition of */
    Relations(Map<Integer, List<WatchedColumn>> watched) {
        this.watched = watched;
    }

    /** @throws UnfollowableException if a column with identifiers is not among those sent */
    void described(int oid, String table, List<String> columns) throws UnfollowableException {
        List<WatchedColumn> wanted = watched.getOrDefault(oid, List.of());
        for (WatchedColumn column : wanted) {
            if (!columns.contains(column.name())) {
                throw new UnfollowableException("PostgreSQL's log does not tell of column " + column.name() + " of "
                        + table + "; has it been renamed, dropped, or taken out of the publication?");
            }
        }
        List<List<IdentifierKind>> shape = new ArrayList<>();
        for (String name : columns) {
            shape.add(wanted.stream()
                    .filter(column -> column.name().equals(name))
                    .map(WatchedColumn::kind)
                    .toList());
        }
        shapes.put(oid, new Shape(shape));
    }

    /** @throws UnfollowableException if the stream has not described the table */
    Shape of(int oid) throws UnfollowableException {
        Shape shape = shapes.get(oid);
        if (shape == null) {
            throw new UnfollowableException("PostgreSQL's log tells of a table that it has not described");
        }
        return shape;
    }
}
