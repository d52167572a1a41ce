package io.github.untaken.jdbc.statement;

import io.github.untaken.IdentifierKind;
import io.github.untaken.jdbc.column.IdentifierColumn;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The tables that hold identifiers, as the mapping or the application names them. Immutable. */
public final class WatchedTables {
    private static final String OPENING = "\"`[";
    private static final String CLOSING = "\"`]";

    private final Map<String, Map<IdentifierColumn, Set<IdentifierKind>>> tables =
            new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    private final Set<IdentifierKind> kinds;

    /** @param columns where the identifiers of each kind are */
    public WatchedTables(Map<IdentifierKind, Set<IdentifierColumn>> columns) {
        kinds = Set.copyOf(columns.keySet());
        columns.forEach((kind, theirs) ->
                theirs.forEach(column -> tables.computeIfAbsent(bareName(column.table()), any -> new HashMap<>())
                        .computeIfAbsent(column, any -> new HashSet<>())
                        .add(kind)));
    }

    /** The last part of a name as the mapping spells it, without schema and quotes. */
    public static String bareName(String expression) {
        StringBuilder name = new StringBuilder();
        int quote = -1;
        for (int i = 0; i < expression.length(); i++) {
            char c = expression.charAt(i);
            if (quote >= 0 && c == CLOSING.charAt(quote)) {
                if (i + 1 < expression.length() && expression.charAt(i + 1) == c) {
                    name.append(c);
                    i++;
                } else {
                    quote = -1;
                }
            } else if (quote >= 0) {
                name.append(c);
            } else if (c == '.') {
                name.setLength(0);
            } else {
                quote = OPENING.indexOf(c);
                if (quote < 0) {
                    name.append(c);
                }
            }
        }
        return name.toString().strip();
    }

    /** All kinds kept in these tables. */
    public Set<IdentifierKind> kinds() {
        return kinds;
    }

    boolean isEmpty() {
        return kinds.isEmpty();
    }

    /** The identifier columns of a table, given its bare name in any case, each with its kinds. Not to be changed. */
    Map<IdentifierColumn, Set<IdentifierKind>> columnsOf(String bareName) {
        return tables.getOrDefault(bareName, Map.of());
    }

    /** The kinds kept in a table, given its bare name in any case. */
    Set<IdentifierKind> kindsIn(String bareName) {
        Set<IdentifierKind> found = new HashSet<>();
        columnsOf(bareName).values().forEach(found::addAll);
        return found;
    }

    /** The bare names of the tables, as the mapping spells them. */
    public Set<String> names() {
        return tables.keySet();
    }

    /** The tables as the mapping spells them, with their schemas. */
    public Set<String> tables() {
        Set<String> all = new HashSet<>();
        tables.values().forEach(columns -> columns.keySet().forEach(column -> all.add(column.table())));
        return all;
    }
}
