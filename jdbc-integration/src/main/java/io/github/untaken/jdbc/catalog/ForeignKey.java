package io.github.untaken.jdbc.catalog;

import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A column that refers to another table.
 *
 * @param onUpdate the catalog's action for when what it refers to is changed
 * @param onDelete or deleted
 */
record ForeignKey(String column, TableName to, String onUpdate, String onDelete) {
    private static final String CASCADE = "CASCADE";
    private static final String DEFAULT = "SET DEFAULT";

    /** Asks the catalog for a table's foreign keys. */
    interface Finder {
        List<ForeignKey> of(TableName table) throws SQLException;
    }

    /**
     * A table whose changes reach the column.
     *
     * @param deletes whether a mere deletion reaches it too
     */
    private record Carrier(TableName table, boolean deletes) {}

    /**
     * For each column of the table that foreign keys change, the names whose writes reach it, through however many tables; and the views
     * over those.
     */
    static Map<String, Set<String>> carriers(TableName table, Definitions views, Finder keys) throws SQLException {
        Map<String, Set<String>> carriers = new HashMap<>();
        for (ForeignKey key : keys.of(table)) {
            if (key.carries(false)) {
                carriers.computeIfAbsent(key.column, column -> new HashSet<>()).addAll(above(key, views, keys));
            }
        }
        return carriers;
    }

    private static Set<String> above(ForeignKey first, Definitions views, Finder keys) throws SQLException {
        Set<Carrier> seen = new HashSet<>();
        Deque<Carrier> next = new ArrayDeque<>(List.of(first.carrier(false)));
        Set<String> names = new HashSet<>();
        while (!next.isEmpty()) {
            Carrier carrier = next.pop();
            if (seen.add(carrier)) {
                names.add(carrier.table.table());
                for (ForeignKey key : keys.of(carrier.table)) {
                    if (key.carries(carrier.deletes)) {
                        next.push(key.carrier(carrier.deletes));
                    }
                }
            }
        }
        names.addAll(views.naming(names).keySet());
        return names;
    }

    private boolean carries(boolean deletes) {
        return onUpdate.equals(CASCADE)
                || onUpdate.equals(DEFAULT)
                || onDelete.equals(DEFAULT)
                || deletes && onDelete.equals(CASCADE);
    }

    private Carrier carrier(boolean deletes) {
        return new Carrier(to, deletes || onDelete.equals(DEFAULT));
    }
}
