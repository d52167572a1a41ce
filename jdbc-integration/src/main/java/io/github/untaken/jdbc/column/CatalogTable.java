package io.github.untaken.jdbc.column;

import io.github.untaken.jdbc.IdentifierTable;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Finds the table and column an application names in the database's catalog. An unquoted name matches in any case, if only one does; a
 * table without a schema is looked for in that of the connection.
 */
public final class CatalogTable {
    /** One table. Where the database has catalogs instead of schemas, the schema is null. */
    private record Table(@Nullable String catalog, @Nullable String schema, String name, String type) {
        boolean holdsRows() {
            return type.contains("TABLE") || type.contains("VIEW");
        }

        boolean isBare() {
            return type.contains("TABLE") && !type.contains("FOREIGN");
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
     * The column as the catalog has it: each name quoted, with the table's schema, so that it means the same on every connection.
     *
     * @throws IllegalStateException if it is not there, or holds no text
     */
    public static IdentifierColumn column(IdentifierTable wanted, Connection connection) throws SQLException {
        return new CatalogTable(wanted, connection).column();
    }

    private IdentifierColumn column() throws SQLException {
        Table table = table();
        if (!table.isBare()) {
            throw refused("is a " + table.type().toLowerCase(Locale.ROOT) + ", not a table: name the table behind"
                    + " it, which has the unique index");
        }
        List<String> columns = columns(table);
        String name = meant(columns, Function.identity(), wanted.column());
        if (name == null) {
            throw refused("does not exist: the table has the columns " + String.join(", ", columns));
        }
        IdentifierColumn column =
                new IdentifierColumn(expression(table), quoted(name), wanted.comparedAs(), wanted.where());
        String type = TextType.otherThanText(column, connection);
        if (type != null) {
            throw refused(TextType.refusal(type).strip());
        }
        Optional<String> refusal = RowCondition.refusal(column, connection);
        if (refusal.isPresent()) {
            throw refused(refusal.get());
        }
        return column;
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
                                    + ": write it as schema.table"));
        }
        return table;
    }

    /** The one of exactly that name. If that is unquoted and there is none, the only one of that name in another case. */
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
            throw refused("is ambiguous: the catalog has "
                    + found.stream().map(name).collect(Collectors.joining(", ")) + "; write the right one in"
                    + " quotes, with its schema");
        }
        return found.isEmpty() ? null : found.get(0);
    }

    private List<String> columns(Table table) throws SQLException {
        List<String> columns = new ArrayList<>();
        try (ResultSet rows = database.getColumns(
                table.catalog(),
                CatalogName.literally(table.schema(), database),
                CatalogName.literally(table.name(), database),
                null)) {
            while (rows.next()) {
                columns.add(rows.getString("COLUMN_NAME"));
            }
        }
        return columns;
    }

    private String expression(Table table) throws SQLException {
        String room = database.supportsSchemasInTableDefinitions() ? table.schema() : table.catalog();
        return (room == null ? "" : quoted(room) + '.') + quoted(table.name());
    }

    private String quoted(String name) throws SQLException {
        String quote = database.getIdentifierQuoteString().strip();
        return quote + (quote.isEmpty() ? name : name.replace(quote, quote + quote)) + quote;
    }

    private IllegalStateException refused(String why) {
        return new IllegalStateException(
                wanted + " cannot hold the identifiers of kind " + wanted.kind() + ": it " + why);
    }
}
