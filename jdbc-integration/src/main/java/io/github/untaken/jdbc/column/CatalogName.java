package io.github.untaken.jdbc.column;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A column under its names in the database's catalog. {@link IdentifierColumn} spells them as the mapping does; here they are folded unless
 * quoted, and a missing schema is that of the connection.
 */
public record CatalogName(
        @Nullable String catalog, @Nullable String schema, String table, String column) {
    private static final String OPENING = "\"`[";
    private static final String CLOSING = "\"`]";

    public static CatalogName of(IdentifierColumn column, Connection connection) throws SQLException {
        DatabaseMetaData database = connection.getMetaData();
        List<String> table = new ArrayList<>();
        for (String part : parts(column.table())) {
            table.add(folded(part, database));
        }
        int last = table.size() - 1;
        String schema = connection.getSchema();
        String catalog = connection.getCatalog();
        if (last > 0 && database.supportsSchemasInTableDefinitions()) {
            schema = table.get(last - 1);
            catalog = last > 1 ? table.get(last - 2) : catalog;
        } else if (last > 0) {
            catalog = table.get(last - 1);
        }
        return new CatalogName(catalog, schema, table.get(last), folded(column.column(), database));
    }

    /** The parts of a name between its dots, with their quotes. */
    public static List<String> parts(String name) {
        List<String> parts = new ArrayList<>();
        int from = 0;
        int quote = -1;
        for (int i = 0; i < name.length(); i++) {
            if (quote >= 0) {
                quote = name.charAt(i) == CLOSING.charAt(quote) ? -1 : quote;
            } else if (name.charAt(i) == '.') {
                parts.add(name.substring(from, i));
                from = i + 1;
            } else {
                quote = OPENING.indexOf(name.charAt(i));
            }
        }
        parts.add(name.substring(from));
        return parts;
    }

    static boolean isQuoted(String name) {
        return OPENING.indexOf(name.charAt(0)) >= 0;
    }

    /** Another column of the same table. */
    public CatalogName sibling(String other) {
        return new CatalogName(catalog, schema, table, other);
    }

    /** In the quotes of standard SQL. */
    public static String quoted(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }

    /** The pattern by which the database's catalog finds this name and no other. */
    public static @Nullable String literally(@Nullable String name, DatabaseMetaData database) throws SQLException {
        if (name == null) {
            return null;
        }
        String escape = database.getSearchStringEscape();
        return name.replace(escape, escape + escape).replace("_", escape + "_").replace("%", escape + "%");
    }

    /** The name itself. */
    public static String withoutQuotes(String name) {
        int quote = OPENING.indexOf(name.charAt(0));
        if (quote < 0) {
            return name;
        }
        String closing = CLOSING.substring(quote, quote + 1);
        return name.substring(1, name.length() - 1).replace(closing + closing, closing);
    }

    private static String folded(String name, DatabaseMetaData database) throws SQLException {
        if (isQuoted(name)) {
            return withoutQuotes(name);
        }
        if (database.storesUpperCaseIdentifiers()) {
            return name.toUpperCase(Locale.ROOT);
        }
        return database.storesLowerCaseIdentifiers() ? name.toLowerCase(Locale.ROOT) : name;
    }
}
