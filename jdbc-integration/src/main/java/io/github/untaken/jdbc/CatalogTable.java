package io.github.untaken.jdbc;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Finds what an application names in the catalog of its database. A name without quotes means what the catalog has under it in any
 * case, if that is one; a table without a schema is looked for in that of the connection.
 */
final class CatalogTable {
    /** Of the types of JDBC, those whose values may be texts; a domain may be one of anything. */
    private static final Set<Integer> TEXTS = Set.of(
            Types.CHAR,
            Types.VARCHAR,
            Types.LONGVARCHAR,
            Types.NCHAR,
            Types.NVARCHAR,
            Types.LONGNVARCHAR,
            Types.DISTINCT);

    private static final Map<Integer, KeyType> KEYS = Map.of(
            Types.SMALLINT, KeyType.SHORT,
            Types.INTEGER, KeyType.INTEGER,
            Types.BIGINT, KeyType.LONG,
            Types.VARCHAR, KeyType.TEXT);

    /** A number without a scale, which may have any, says that it has thousands of digits. */
    private static final int MOST_DIGITS = 100;

    /** One table. Where the database has catalogs instead of schemas, the schema is null. */
    private record Table(@Nullable String catalog, @Nullable String schema, String name, String type) {
        boolean holdsRows() {
            return type.contains("TABLE") || type.contains("VIEW");
        }

        boolean isBare() {
            return type.contains("TABLE") && !type.contains("FOREIGN");
        }
    }

    private record Column(String name, int type, String typeName, int size, int digits) {
        boolean holdsText() {
            return TEXTS.contains(type) || typeName.equals("citext") || typeName.endsWith("\"citext\"");
        }
    }

    private final IdentifierTable wanted;
    private final Connection connection;
    private final DatabaseMetaData database;

    private CatalogTable(IdentifierTable wanted, Connection connection) throws SQLException {
        this.wanted = wanted;
        this.connection = connection;
        this.database = connection.getMetaData();
    }

    /**
     * The column as it is in the catalog, each name in quotes, with the table's schema, so that it means the same on each
     * connection.
     *
     * @throws IllegalStateException if it is not there, or holds no text
     */
    static IdentifierColumn column(IdentifierTable wanted, Connection connection) throws SQLException {
        return new CatalogTable(wanted, connection).column();
    }

    private IdentifierColumn column() throws SQLException {
        Table table = table();
        if (!table.isBare()) {
            throw refused("is a " + table.type().toLowerCase(Locale.ROOT) + " and no table: name the table behind it,"
                    + " where the unique index is");
        }
        List<Column> columns = columns(table);
        Column column = meant(columns, Column::name, wanted.column());
        if (column == null) {
            throw refused("does not exist: the table has the columns "
                    + columns.stream().map(Column::name).collect(Collectors.joining(", ")));
        }
        if (!column.holdsText()) {
            throw refused("is of type " + column.typeName() + " and does not hold the text itself: keep the"
                    + " normalised identifier in a column of type varchar");
        }
        return new IdentifierColumn(expression(table), quoted(column.name()), key(table, columns), wanted.comparedAs());
    }

    private Table table() throws SQLException {
        List<String> parts = CatalogName.parts(wanted.table());
        String name = parts.get(parts.size() - 1);
        String room = parts.size() > 1 ? parts.get(parts.size() - 2) : null;
        boolean schemas = database.supportsSchemasInTableDefinitions();
        List<Table> called = new ArrayList<>();
        try (ResultSet rows = database.getTables(connection.getCatalog(), null, "%", null)) {
            while (rows.next()) {
                Table table = new Table(
                        rows.getString("TABLE_CAT"),
                        rows.getString("TABLE_SCHEM"),
                        rows.getString("TABLE_NAME"),
                        rows.getString("TABLE_TYPE"));
                if (table.name().equalsIgnoreCase(CatalogName.withoutQuotes(name)) && table.holdsRows()) {
                    called.add(table);
                }
            }
        }
        String here = schemas ? connection.getSchema() : connection.getCatalog();
        Function<Table, @Nullable String> roomOf = schemas ? Table::schema : Table::catalog;
        List<Table> there = new ArrayList<>(called);
        there.removeIf(table -> room == null
                ? here != null && !here.equals(roomOf.apply(table))
                : !CatalogName.withoutQuotes(room).equalsIgnoreCase(roomOf.apply(table)));
        Table table = meant(there, Table::name, name);
        if (table == null) {
            throw refused("does not exist: there is no such table in " + (room == null ? here : room)
                    + (called.isEmpty()
                            ? ""
                            : ", but there is one in "
                                    + called.stream().map(roomOf).distinct().collect(Collectors.joining(", "))
                                    + ": name that before a dot"));
        }
        return table;
    }

    /** The one of exactly that name, or, if that is not quoted, the only one of that name in another case. */
    private <T> @Nullable T meant(List<T> all, Function<T, String> name, String wantedName) {
        String bare = CatalogName.withoutQuotes(wantedName);
        List<T> found =
                all.stream().filter(each -> name.apply(each).equals(bare)).toList();
        if (found.isEmpty() && !CatalogName.isQuoted(wantedName)) {
            found = all.stream()
                    .filter(each -> name.apply(each).equalsIgnoreCase(bare))
                    .toList();
        }
        if (found.size() > 1) {
            throw refused("is not the only one: the catalog has "
                    + found.stream().map(name).collect(Collectors.joining(", ")) + "; write the one that is meant in"
                    + " quotes, with its schema");
        }
        return found.isEmpty() ? null : found.get(0);
    }

    private List<Column> columns(Table table) throws SQLException {
        List<Column> columns = new ArrayList<>();
        try (ResultSet rows =
                database.getColumns(table.catalog(), literally(table.schema()), literally(table.name()), null)) {
            while (rows.next()) {
                columns.add(new Column(
                        rows.getString("COLUMN_NAME"),
                        rows.getInt("DATA_TYPE"),
                        rows.getString("TYPE_NAME"),
                        rows.getInt("COLUMN_SIZE"),
                        rows.getInt("DECIMAL_DIGITS")));
            }
        }
        return columns;
    }

    private IdentifierColumn.@Nullable Key key(Table table, List<Column> columns) throws SQLException {
        List<String> key = new ArrayList<>(1);
        try (ResultSet rows = database.getPrimaryKeys(table.catalog(), table.schema(), table.name())) {
            while (rows.next()) {
                key.add(rows.getString("COLUMN_NAME"));
            }
        }
        if (key.size() != 1) {
            return null;
        }
        Column column = columns.stream()
                .filter(each -> each.name().equals(key.get(0)))
                .findFirst()
                .orElseThrow();
        KeyType type = keyType(column);
        return type == null ? null : new IdentifierColumn.Key(quoted(column.name()), type);
    }

    /** Null for what may not come back exactly. */
    private static @Nullable KeyType keyType(Column column) {
        if (column.typeName().equalsIgnoreCase("uuid")) {
            return KeyType.UUID;
        }
        if (column.typeName().toLowerCase(Locale.ROOT).contains("unsigned")) {
            return column.type() == Types.BIGINT ? KeyType.BIG_INTEGER : KeyType.LONG;
        }
        if (column.type() == Types.DECIMAL || column.type() == Types.NUMERIC) {
            boolean whole = column.digits() == 0 && column.size() <= MOST_DIGITS;
            return whole ? KeyType.BIG_INTEGER : null;
        }
        return KEYS.get(column.type());
    }

    private String expression(Table table) throws SQLException {
        String room = database.supportsSchemasInTableDefinitions() ? table.schema() : table.catalog();
        return (room == null ? "" : quoted(room) + '.') + quoted(table.name());
    }

    private String quoted(String name) throws SQLException {
        String quote = database.getIdentifierQuoteString().strip();
        return quote + (quote.isEmpty() ? name : name.replace(quote, quote + quote)) + quote;
    }

    private @Nullable String literally(@Nullable String name) throws SQLException {
        if (name == null) {
            return null;
        }
        String escape = database.getSearchStringEscape();
        return name.replace(escape, escape + escape).replace("_", escape + "_").replace("%", escape + "%");
    }

    private IllegalStateException refused(String why) {
        return new IllegalStateException(
                wanted + " is said to hold the identifiers of the kind " + wanted.kind() + ", but " + why);
    }
}
