package io.github.untaken.cluster.mysql;

import io.github.untaken.feed.Place;
import io.github.untaken.feed.UnfollowableException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A look at the server and the watched tables: who answers, what is missing, and where in a row of the log the identifiers are. It asks for
 * little. It leaves out what looks at the stores' catalog ask for, which takes tens of milliseconds and decides how statements are judged.
 */
final class Look {
    private static final int NO_SUCH_DATABASE = 1049;
    private static final int NO_SUCH_COLUMN = 1054;
    private static final int NO_SUCH_TABLE = 1146;
    private static final int DENIED_TABLE = 1142;
    private static final int DENIED_COLUMN = 1143;

    private static final String TABLE = "select table_type, engine, create_time from information_schema.tables"
            + " where table_schema = ? and table_name = ?";

    private static final String COLUMNS = "select column_name, ordinal_position, column_type, data_type,"
            + " character_set_name, collation_name, extra, generation_expression from information_schema.columns"
            + " where table_schema = ? and table_name = ? order by ordinal_position";

    /** Found in one line of SHOW CREATE TABLE. MariaDB shows it nowhere else to a user who may only read the table. */
    private static final Pattern CASCADES =
            Pattern.compile("CONSTRAINT [`\"]?(.*?)[`\"]? FOREIGN KEY \\((.*?)\\) REFERENCES .* ON UPDATE CASCADE");

    private final Facts facts;
    private final Connection connection;
    private final List<String> missing;
    private final MessageDigest digest;
    private final List<WatchedColumn> columns = new ArrayList<>();

    private Look(Connection connection) throws SQLException {
        this.connection = connection;
        this.facts = Facts.of(connection);
        if (!facts.isMariaDb()) {
            try (Statement statement = connection.createStatement()) {
                statement.execute("set session information_schema_stats_expiry = 0"); // it keeps old answers
            }
        }
        this.missing = new ArrayList<>(SetUp.missing(facts));
        try {
            this.digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * What was found.
     *
     * @param columns with identifiers
     */
    record Seen(Facts facts, Catalog catalog, List<WatchedColumn> columns) {
        /** @throws UnfollowableException with all that is missing */
        void demandNothing() throws UnfollowableException {
            if (!catalog.missing().isEmpty()) {
                throw new UnfollowableException(catalog.gap());
            }
        }
    }

    /** Looks at everything as it is now. */
    static Seen at(Connection connection, List<Place> places) throws SQLException {
        Look look = new Look(connection);
        for (Place place : places) {
            look.place(place);
        }
        return new Seen(
                look.facts,
                new Catalog(
                        look.facts.identity(),
                        look.facts.started(),
                        HexFormat.of().formatHex(look.digest.digest()),
                        List.copyOf(look.missing)),
                List.copyOf(look.columns));
    }

    /** A table and column by the names that the server itself has for them: only it knows its rules for quotes and case. */
    private record Named(String schema, String table, String column) {}

    private void place(Place place) throws SQLException {
        String table = place.column().table();
        String column = place.column().column();
        Optional<Named> found = named(table, column);
        if (found.isPresent()) {
            Named named = found.get();
            add(place.kind().name(), named.schema(), named.table(), named.column());
            table(named);
            columns(place, named);
            cascades(named, definition(table));
        } else {
            add(place.kind().name(), table, column);
        }
    }

    private Optional<Named> named(String table, String column) throws SQLException {
        String sql = "select " + column + " from " + table + " where 1 = 0";
        try (PreparedStatement statement = connection.prepareStatement(sql);
                ResultSet none = statement.executeQuery()) {
            ResultSetMetaData names = none.getMetaData();
            return Optional.of(new Named(schema(names), names.getTableName(1), names.getColumnName(1)));
        } catch (SQLException e) {
            switch (e.getErrorCode()) {
                case NO_SUCH_DATABASE, NO_SUCH_TABLE -> missing.add("there is no table " + table);
                case NO_SUCH_COLUMN -> missing.add("table " + table + " has no column " + column);
                case DENIED_TABLE, DENIED_COLUMN -> denied(table);
                default -> throw e;
            }
            return Optional.empty();
        }
    }

    /** A user who may read only one column is told nothing of the columns before it, nor of foreign keys. */
    private void denied(String table) throws SQLException {
        demandNot("the user may not read the whole table; run: GRANT SELECT ON " + table + " TO "
                + Ends.user(connection) + ';');
    }

    private String definition(String table) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("show create table " + table)) {
            return row.next() ? row.getString(2) : "";
        } catch (SQLException e) {
            if (e.getErrorCode() != DENIED_TABLE) {
                throw e;
            }
            denied(table);
            return "";
        }
    }

    /** Drivers differ in what they call it. */
    private static String schema(ResultSetMetaData names) throws SQLException {
        String catalog = names.getCatalogName(1);
        return catalog.isEmpty() ? names.getSchemaName(1) : catalog;
    }

    private void table(Named named) throws SQLException {
        try (PreparedStatement statement = about(TABLE, named);
                ResultSet row = statement.executeQuery()) {
            if (!row.next() || !"BASE TABLE".equals(row.getString(1))) {
                missing.add(named.table() + " is a view, a sequence, or a temporary or system-versioned table,"
                        + " whose rows the log does not hold");
                return;
            }
            if (!SetUp.ENGINES.contains(row.getString(2))) {
                missing.add(named.table() + " is of engine " + row.getString(2)
                        + ", whose rows the log may hold under another table; use InnoDB");
            }
            add(row.getString(1), row.getString(2), row.getString(3));
        }
    }

    private void columns(Place place, Named named) throws SQLException {
        try (PreparedStatement statement = about(COLUMNS, named);
                ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                for (int i = 1; i <= 8; i++) {
                    add(rows.getString(i));
                }
                String type = rows.getString(4).toLowerCase(Locale.ROOT);
                String name = rows.getString(1);
                String whole = rows.getString(3).toLowerCase(Locale.ROOT);
                if (!SetUp.READABLE.contains(type) || whole.contains("compressed")) {
                    demandNot("column " + name + " of " + named.table() + " is of type " + whole
                            + ", which this version cannot skip in the log");
                }
                if (name.equalsIgnoreCase(named.column())) {
                    column(place, named, rows, type);
                }
            }
        }
    }

    private void column(Place place, Named named, ResultSet row, String type) throws SQLException {
        String name = row.getString(1);
        @Nullable String characters = row.getString(5);
        String extra = row.getString(7).toUpperCase(Locale.ROOT);
        boolean computed = extra.contains("GENERATED") && !extra.contains("DEFAULT_GENERATED");
        Optional<ColumnText> text = characters == null || !SetUp.TEXTS.contains(type)
                ? Optional.empty()
                : ColumnText.in(characters, connection);
        if (text.isEmpty()) {
            demandNot("column " + name + " of " + named.table() + " is of type " + type
                    + (characters == null ? "" : " and character set " + characters)
                    + ", whose text in the log this version cannot read; make it a VARCHAR in utf8mb4");
            return;
        }
        if (extra.contains("VIRTUAL")) {
            demandNot("column " + name + " of " + named.table()
                    + " is computed and not stored, so the log may not hold it; make it STORED");
        }
        columns.add(new WatchedColumn(
                place.kind(),
                new WatchedColumn.Table(named.schema(), named.table()),
                name,
                row.getInt(2) - 1,
                computed,
                type.equals("char") ? text.get().withoutBlanks() : text.get()));
    }

    /** If the column is computed, any foreign key of the table may write what it is computed from. */
    private void cascades(Named named, String definition) {
        if (facts.logsCascades()) {
            return;
        }
        boolean computed =
                columns.stream().anyMatch(column -> column.table().name().equals(named.table()) && column.computed());
        Pattern name = Pattern.compile(
                "(?<![\\w$])" + Pattern.quote(named.column().replace("`", "``")) + "(?![\\w$])",
                Pattern.CASE_INSENSITIVE);
        Matcher key = CASCADES.matcher(definition);
        while (key.find()) {
            if (computed || name.matcher(key.group(2)).find()) {
                demandNot("foreign key " + key.group(1) + " of " + named.table()
                        + " writes the column ON UPDATE CASCADE, which the log does not show; define it with ON"
                        + " UPDATE RESTRICT");
            }
        }
    }

    private void demandNot(String sentence) {
        if (!missing.contains(sentence)) {
            missing.add(sentence);
        }
    }

    private PreparedStatement about(String sql, Named named) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        try {
            statement.setString(1, named.schema());
            statement.setString(2, named.table());
            return statement;
        } catch (SQLException e) {
            statement.close();
            throw e;
        }
    }

    private void add(@Nullable String... values) {
        for (@Nullable String value : values) {
            digest.update(String.valueOf(value).getBytes(StandardCharsets.UTF_8));
            digest.update((byte) 0);
        }
    }
}
