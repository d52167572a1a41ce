package io.github.untaken.cluster.postgresql;

import io.github.untaken.feed.Place;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;

/**
 * The publication that these tables need: of the identifier columns, and of those that identify a row, which updates must carry.
 *
 * @param sql what creates it
 * @param obstacle why it must not be created like that, with what to do; empty if it may
 */
record NewPublication(String sql, String obstacle) {

    /** For each table or partition: the named table it belongs to, and the columns needed of it. */
    private static final String NEEDED = """
            select n.rel::regclass::text, c.oid::regclass::text, c.relreplident::text,
              (select array_agg(quote_ident(a.attname) order by a.attnum) from pg_catalog.pg_attribute a
                where a.attrelid = c.oid and not a.attisdropped and (a.attname = b.col or a.attnum = any(i.indkey))),
              i.indexrelid is not null
            from below b join named n on n.place = b.place
            join pg_catalog.pg_class c on c.oid = b.rel
            left join pg_catalog.pg_index i on i.indrelid = c.oid
              and case c.relreplident when 'd' then i.indisprimary when 'i' then i.indisreplident else false end
            order by n.place, c.oid
            """;

    static NewPublication of(Connection connection, String name, List<Place> places) throws SQLException {
        Map<String, List<String>> columns = new LinkedHashMap<>();
        String obstacle = "";
        try (PreparedStatement statement = connection.prepareStatement(Catalog.AROUND + NEEDED)) {
            Catalog.bind(statement, 1, places);
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    List<String> needed = columns.computeIfAbsent(row.getString(1), table -> new ArrayList<>());
                    for (Object column : (Object[]) row.getArray(4).getArray()) {
                        if (!needed.contains((String) column)) {
                            needed.add((String) column);
                        }
                    }
                    if (!row.getBoolean(5) && obstacle.isEmpty()) {
                        obstacle = "once published, updates of " + row.getString(2) + " would fail, since nothing"
                                + " identifies its rows; give it a primary key, or run"
                                + " ALTER TABLE " + row.getString(2) + " REPLICA IDENTITY USING INDEX ...;"
                                + ("f".equals(row.getString(3)) ? " (it has REPLICA IDENTITY FULL)" : "");
                    }
                }
            }
        }
        StringJoiner tables = new StringJoiner(", ");
        columns.forEach((table, needed) -> tables.add(table + " (" + String.join(", ", needed) + ")"));
        return new NewPublication(
                "CREATE PUBLICATION \"" + name + "\" FOR TABLE " + tables
                        + " WITH (publish = 'insert, update', publish_via_partition_root = true)",
                obstacle);
    }
}
