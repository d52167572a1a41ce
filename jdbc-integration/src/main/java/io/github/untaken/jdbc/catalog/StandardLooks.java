package io.github.untaken.jdbc.catalog;

import io.github.untaken.jdbc.column.CatalogName;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What every driver can report: columns and unique indexes. */
final class StandardLooks implements Looks {
    private final TableName.Finder names;

    StandardLooks(TableName.Finder names) {
        this.names = names;
    }

    @Override
    public Fingerprint look(List<String> tables, Connection connection) throws SQLException {
        Map<String, SeenTable> seen = new HashMap<>();
        for (String table : tables) {
            seen.put(table, table(names.of(table, connection), connection.getMetaData()));
        }
        return new Fingerprint(
                new SeenServer(String.valueOf(connection.getMetaData().getURL()), "", 0), Map.copyOf(seen));
    }

    private static SeenTable table(TableName name, DatabaseMetaData database) throws SQLException {
        Digest decides = new Digest();
        Map<String, Set<String>> filled = new HashMap<>();
        Set<String> computed = new HashSet<>();
        boolean there = false;
        try (ResultSet rows = database.getColumns(
                name.catalog(),
                CatalogName.literally(name.schema(), database),
                CatalogName.literally(name.table(), database),
                null)) {
            while (rows.next()) {
                there = true;
                String column = rows.getString("COLUMN_NAME");
                String value = rows.getString("COLUMN_DEF");
                boolean fills = value != null && !value.strip().equalsIgnoreCase("null")
                        || rows.getInt("DATA_TYPE") == Types.DISTINCT; // a domain may have a default too
                boolean computes = "YES".equals(rows.getString("IS_GENERATEDCOLUMN"));
                decides.add(String.join(
                        "\u0000",
                        column,
                        rows.getString("TYPE_NAME"),
                        rows.getString("COLUMN_SIZE"),
                        value,
                        rows.getString("IS_NULLABLE"),
                        String.valueOf(computes)));
                if (computes) {
                    computed.add(column);
                } else if (fills) {
                    filled.put(column, Set.of());
                }
            }
        }
        if (!there) {
            return SeenTable.NONE;
        }
        try (ResultSet rows = database.getIndexInfo(name.catalog(), name.schema(), name.table(), true, true)) {
            while (rows.next()) {
                decides.add(rows.getString("INDEX_NAME")
                        + '\u0000'
                        + rows.getString("ORDINAL_POSITION")
                        + '\u0000'
                        + rows.getString("COLUMN_NAME"));
            }
        }
        return new SeenTable(
                Map.of("table", Part.of("table", name.table(), "")),
                decides.toString(),
                Map.of(),
                Set.of(),
                filled,
                computed);
    }
}
