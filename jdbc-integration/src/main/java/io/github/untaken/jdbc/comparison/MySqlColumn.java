package io.github.untaken.jdbc.comparison;

import io.github.untaken.jdbc.column.CatalogName;
import io.github.untaken.jdbc.column.IdentifierColumn;
import io.github.untaken.jdbc.connection.Database;
import io.github.untaken.spi.StoreException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A column as the catalog of MariaDB or MySQL describes it, and its server. Also the ways besides its own collation in which two of its
 * values are equal: by a generated column with a unique index, computed from this one alone, or as an application says.
 *
 * @param text what its values are
 * @param unique whether a unique index has the whole of this column and no other
 * @param prefix how many leading characters a unique index covers; 0 if there is no such index
 * @param said which of the ways the application says; null if none
 * @param onExpressions whether a unique index is on an expression, which is not known here
 * @param mariaDb whether the server is MariaDB, whatever the driver is
 * @param galera whether it is a node of a cluster
 */
public record MySqlColumn(
        String database,
        String table,
        String name,
        Text text,
        boolean unique,
        int prefix,
        List<Way> ways,
        @Nullable Way said,
        boolean onExpressions,
        boolean mariaDb,
        boolean galera) {

    /**
     * Ends a subquery that is to be computed first. MySQL would merge it into the outer query. If that one groups, 9.7 then converts a text
     * to another character set a second time: what is not ASCII is lost, or an error.
     */
    static final String BY_ITSELF = " limit 18446744073709551615";

    private static final String COLUMNS = "select table_schema, table_name, column_name, data_type, character_set_name,"
            + " collation_name, coalesce(character_maximum_length, 0), coalesce(generation_expression, '')"
            + " from information_schema.columns where table_schema = ? and table_name = ?";

    /** Indexes on one column; for those on an expression alone, MySQL has no column name. */
    private static final String INDEXES = "select max(column_name), coalesce(max(sub_part), 0)"
            + " from information_schema.statistics where table_schema = ? and table_name = ? and non_unique = 0"
            + " group by index_name having count(*) = 1";

    /** In place of a column's name; no column is called this. */
    private static final String EXPRESSION = "";

    /**
     * A type of texts.
     *
     * @param collation compares them, also in each index
     * @param length in characters
     */
    record Text(String charset, String collation, long length) {
        public String of(String value) {
            return "convert(" + value + " using " + charset + ") collate " + collation;
        }
    }

    /**
     * What is compared instead of the value.
     *
     * @param unique whether a unique index enforces it
     * @param exact whether a row is sure to hold what the formula says
     * @param rows what is compared of a row
     * @param formula computes the same from a column of this name
     */
    record Way(boolean unique, boolean exact, String rows, String formula) {}

    /**
     * Any column. {@code text} is null if it holds no texts, and {@code formula} is empty if it is not generated.
     *
     * @param length in characters, or in bytes if it holds no texts; 0 if it has none
     */
    private record Listed(
            String database,
            String table,
            String name,
            String type,
            @Nullable Text text,
            long length,
            String formula) {
        boolean isCalled(String other) {
            return name.equalsIgnoreCase(other);
        }

        /**
         * What this column stores of its formula. Where the server is not strict, or told to ignore errors, it truncates what is too long,
         * and then refuses a second value that leaves the same.
         */
        String stored() {
            String cut = "left(" + formula + ", " + length + ")";
            if (text != null) {
                return text.of(type.equals("char") ? "trim(trailing ' ' from " + cut + ")" : cut);
            }
            return switch (type) {
                case "binary" -> "cast(" + formula + " as binary(" + length + "))";
                case "varbinary", "tinyblob", "blob", "mediumblob", "longblob" ->
                    "left(cast(" + formula + " as binary), " + length + ")";
                case "tinyint", "smallint", "mediumint", "int", "bigint", "decimal", "float", "double" ->
                    "(" + formula + ") + 0";
                default -> "(" + formula + ")";
            };
        }

        /** Numbers are rounded, dates corrected, and words missing from a list dropped. */
        boolean isExact() {
            return List.of("char", "varchar", "binary", "varbinary").contains(type);
        }
    }

    public static MySqlColumn of(IdentifierColumn column, Connection connection) throws SQLException {
        CatalogName name = CatalogName.of(column, connection);
        boolean schemas = connection.getMetaData().supportsSchemasInTableDefinitions();
        boolean mariaDb = Database.isMariaDb(connection);
        List<Listed> listed = listed(schemas ? name.schema() : name.catalog(), name.table(), mariaDb, connection);
        Listed own = listed.stream()
                .filter(each -> each.isCalled(name.column()) && each.text() != null)
                .findFirst()
                .orElseThrow(() -> new SQLException("the catalog has no column " + column + " of texts", "42S22"));
        Text text = Objects.requireNonNull(own.text());
        Map<String, Integer> prefixes = uniquePrefixes(own, connection);
        boolean onExpressions = prefixes.remove(EXPRESSION) != null;
        List<Way> ways = new ArrayList<>();
        Way said = null;
        for (Listed each : listed) {
            boolean served = prefixes.getOrDefault(lower(each.name()), -1) == 0;
            boolean isSaid = column.comparedColumn()
                    .filter(other -> each.isCalled(CatalogName.withoutQuotes(other)))
                    .isPresent();
            if ((served || isSaid)
                    && !each.formula().isEmpty()
                    && isComputedOf(own, text, each.formula(), connection)) {
                Way way = new Way(served, each.isExact(), quoted(each.name()), each.stored());
                ways.add(way);
                said = isSaid ? way : said;
            }
        }
        if (column.comparedColumn().isPresent() && said == null) {
            throw new StoreException(SaidComparison.missing(column));
        }
        Optional<String> expression = column.comparedExpression(quoted(own.name()));
        if (expression.isPresent()) {
            said = said(column, own, text, expression.get(), connection);
            ways.add(said);
        }
        int prefix = prefixes.getOrDefault(lower(own.name()), -1);
        return new MySqlColumn(
                own.database(),
                own.table(),
                own.name(),
                text,
                prefix == 0,
                Math.max(0, prefix),
                ways,
                said,
                onExpressions,
                mariaDb,
                isGalera(connection));
    }

    private static List<Listed> listed(@Nullable String database, String table, boolean mariaDb, Connection connection)
            throws SQLException {
        List<Listed> listed = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(COLUMNS)) {
            statement.setString(1, database);
            statement.setString(2, table);
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    String charset = row.getString(5);
                    listed.add(new Listed(
                            row.getString(1),
                            row.getString(2),
                            row.getString(3),
                            lower(row.getString(4)),
                            charset == null ? null : new Text(charset, row.getString(6), row.getLong(7)),
                            row.getLong(7),
                            inBackticks(mariaDb ? row.getString(8) : unescaped(row.getString(8)))));
                }
            }
        }
        return listed;
    }

    /** MySQL's catalog puts a backslash, which is no part of the expression, before each of its quotes and backslashes. */
    private static String unescaped(String formula) {
        return formula.replaceAll("\\\\(.)", "$1");
    }

    /**
     * With names in backticks, which every session understands. To a session in ANSI_QUOTES mode the catalog shows them in double quotes,
     * which another reads as a text.
     */
    private static String inBackticks(String formula) {
        StringBuilder sql = new StringBuilder(formula);
        boolean inText = false;
        for (int i = 0; i < sql.length(); i++) {
            char c = sql.charAt(i);
            if (c == '\'') {
                inText = !inText;
            } else if (c == '\\') {
                i++;
            } else if (c == '"' && !inText) {
                sql.setCharAt(i, '`');
            }
        }
        return sql.toString();
    }

    /** For each column with a unique index of its own, how many characters that covers; 0 if all. One on an expression has no column. */
    private static Map<String, Integer> uniquePrefixes(Listed own, Connection connection) throws SQLException {
        Map<String, Integer> prefixes = new HashMap<>();
        try (PreparedStatement statement = connection.prepareStatement(INDEXES)) {
            statement.setString(1, own.database());
            statement.setString(2, own.table());
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    String name = rows.getString(1);
                    prefixes.merge(name == null ? EXPRESSION : lower(name), rows.getInt(2), Math::min);
                }
            }
        }
        return prefixes;
    }

    private static Way said(IdentifierColumn column, Listed own, Text text, String expression, Connection connection)
            throws SQLException {
        try {
            if (isComputedOf(own, text, expression, connection)) {
                return new Way(false, false, "(" + expression + ")", "(" + expression + ")");
            }
        } catch (SQLException e) {
            if (e.getSQLState() == null || !e.getSQLState().startsWith("42")) {
                throw e;
            }
        }
        throw new StoreException(SaidComparison.refused(column));
    }

    private static boolean isComputedOf(Listed own, Text text, String formula, Connection connection)
            throws SQLException {
        try (PreparedStatement understood =
                connection.prepareStatement("select " + formula + " from " + asked("null", quoted(own.name()), text))) {
            understood.executeQuery().close();
            return true;
        } catch (SQLException e) {
            if ("42S22".equals(e.getSQLState())) {
                return false;
            }
            throw e;
        }
    }

    private static String asked(String value, String name, Text text) {
        return "(select " + text.of(value) + " as " + name + ") untaken_asked";
    }

    /** A server built without Galera has no such variable. */
    private static boolean isGalera(Connection connection) throws SQLException {
        try (PreparedStatement statement =
                        connection.prepareStatement("show global variables where variable_name = 'wsrep_on'");
                ResultSet row = statement.executeQuery()) {
            return row.next() && row.getString(2).equalsIgnoreCase("ON");
        }
    }

    private static String lower(String name) {
        return name.toLowerCase(Locale.ROOT);
    }

    static String quoted(String name) {
        return '`' + name.replace("`", "``") + '`';
    }

    /** What a way makes of a value. */
    String computedOf(String value, Way way) {
        return "(select " + way.formula() + " from " + asked(value, quoted(name), text) + ")";
    }

    /**
     * What follows FROM in a query with one row for each of so many texts: its number {@code untaken_place}, from 0, the text itself
     * {@code untaken_text}, and what this column makes of it, under the column's name.
     */
    String numbered(int texts) {
        return "(select untaken_place, untaken_text, " + text.of("untaken_text") + " as " + quoted(name) + " from ("
                + String.join(
                        " union all ",
                        Collections.nCopies(texts, "select ? untaken_place, convert(? using utf8mb4) untaken_text"))
                + ") untaken_texts" + BY_ITSELF + ") untaken_numbered";
    }

    static void bindNumbered(List<String> texts, PreparedStatement statement) throws SQLException {
        for (int i = 0; i < texts.size(); i++) {
            statement.setInt(2 * i + 1, i);
            statement.setString(2 * i + 2, texts.get(i));
        }
    }

    /**
     * Queries for the place of each text in a JSON array, from 1, and its rank among the sorted texts; one for each way in which two are
     * equal. They leave out what the character set lacks, and what is compared as null.
     */
    List<String> rankings() {
        String own = quoted(name);
        String texts = " from (select untaken_place, untaken_text, " + text.of("untaken_text") + " as " + own
                + " from json_table(?, '$[*]' columns (untaken_place for ordinality, untaken_text varchar(250)"
                + " character set utf8mb4 path '$')) untaken_texts" + BY_ITSELF + ") untaken_numbered where "
                + (holdsAll()
                        ? ""
                        : "cast(convert(" + own + " using utf8mb4) as binary) = cast(untaken_text as binary) and ");
        List<String> rankings = new ArrayList<>();
        rankings.add(RankedPlaces.query(
                own,
                texts + standsForAll().map(way -> way.formula() + " is null").orElse("true")));
        ways.forEach(way -> rankings.add(RankedPlaces.query(way.formula(), texts + way.formula() + " is not null")));
        return rankings;
    }

    /** All that decides how two values compare. */
    String compared() {
        return text.charset() + " " + text.collation() + ways;
    }

    /** Whether equal values are the same text except for trailing blanks, whatever compares them. */
    boolean isExact() {
        return ways.isEmpty() && text.collation().endsWith("_bin");
    }

    /** Whether all of Unicode can be stored. */
    boolean holdsAll() {
        return text.charset().equals("utf8mb4");
    }

    /**
     * A value as this column compares it. A parameter has the connection's character set. If it held what the column cannot, the server
     * would convert all rows instead, and use no index. What cannot be stored is converted to something else here.
     */
    String compared(String value) {
        return holdsAll() ? value : text.of(value);
    }

    /** Whether a unique index covers all rows. */
    boolean isUnique() {
        return unique || ways.stream().anyMatch(Way::unique);
    }

    /** Whether a unique index may refuse a value whichever row holds it. */
    boolean refusesAllRows() {
        return isUnique() || prefix > 0 || onExpressions;
    }

    /**
     * Which way stands for all. If the column has no unique index of its own, comparing it would read the whole table, and the column
     * refuses nothing. For the same text the way has the same result, unless that is null or not known exactly.
     */
    Optional<Way> standsForAll() {
        return unique
                ? Optional.empty()
                : ways.stream().filter(way -> way.unique() && way.exact()).findFirst();
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(text().collation());
        if (prefix > 0) {
            text.append("; unique by its first ").append(prefix).append(" characters");
        }
        ways.stream()
                .filter(Way::unique)
                .forEach(way -> text.append("; unique by ").append(way.rows()));
        return text.toString();
    }
}
