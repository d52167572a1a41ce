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
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A column as the catalog of MariaDB or MySQL describes it, and its server. Also the ways besides its own collation in which two of its
 * values are equal: by a generated column with a unique index, computed from this one alone, or as an application says.
 *
 * @param text what its values are
 * @param unique what the unique indexes on one column of the table cover
 * @param said which of the ways the application says; null if none
 */
public record MySqlColumn(
        CatalogName name,
        Text text,
        MySqlUniquePrefixes unique,
        List<Way> ways,
        @Nullable Way said,
        Server server) {

    /**
     * Ends a subquery that is to be computed first. MySQL would merge it into the outer query. If that one groups, 9.7 then converts a text
     * to another character set a second time: what is not ASCII is lost, or an error.
     */
    static final String BY_ITSELF = " limit 18446744073709551615";

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
     * Who has it.
     *
     * @param mariaDb whether it is MariaDB, whatever the driver is
     * @param galera whether it is a node of a cluster
     */
    public record Server(boolean mariaDb, boolean galera) {
        private static Server of(Connection connection) throws SQLException {
            return new Server(Database.isMariaDb(connection), isGalera(connection));
        }

        /** A server built without Galera has no such variable. */
        private static boolean isGalera(Connection connection) throws SQLException {
            try (PreparedStatement statement =
                            connection.prepareStatement("show global variables where variable_name = 'wsrep_on'");
                    ResultSet row = statement.executeQuery()) {
                return row.next() && row.getString(2).equalsIgnoreCase("ON");
            }
        }
    }

    public static MySqlColumn of(IdentifierColumn column, Connection connection) throws SQLException {
        CatalogName name = CatalogName.of(column, connection);
        boolean schemas = connection.getMetaData().supportsSchemasInTableDefinitions();
        Server server = Server.of(connection);
        List<MySqlListedColumn> listed = MySqlListedColumn.of(
                schemas ? name.schema() : name.catalog(), name.table(), server.mariaDb(), connection);
        MySqlListedColumn own = listed.stream()
                .filter(each -> each.isCalled(name.column()) && each.text() != null)
                .findFirst()
                .orElseThrow(() -> new SQLException("the catalog has no column " + column + " of texts", "42S22"));
        Text text = Objects.requireNonNull(own.text());
        MySqlUniquePrefixes unique = MySqlUniquePrefixes.of(own.name(), connection);
        List<Way> ways = new ArrayList<>();
        Way said = null;
        for (MySqlListedColumn each : listed) {
            boolean served = unique.cover(each.name());
            boolean isSaid = column.comparedColumn()
                    .filter(other -> each.isCalled(CatalogName.withoutQuotes(other)))
                    .isPresent();
            if ((served || isSaid)
                    && !each.formula().isEmpty()
                    && isComputedOf(own.name(), text, each.formula(), connection)) {
                Way way = new Way(served, each.isExact(), quoted(each.name().column()), each.stored());
                ways.add(way);
                said = isSaid ? way : said;
            }
        }
        if (column.comparedColumn().isPresent() && said == null) {
            throw new StoreException(SaidComparison.missing(column));
        }
        Optional<String> expression =
                column.comparedExpression(quoted(own.name().column()));
        if (expression.isPresent()) {
            said = said(column, own.name(), text, expression.get(), connection);
            ways.add(said);
        }
        return new MySqlColumn(own.name(), text, unique, ways, said, server);
    }

    private static Way said(
            IdentifierColumn column, CatalogName own, Text text, String expression, Connection connection)
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

    private static boolean isComputedOf(CatalogName own, Text text, String formula, Connection connection)
            throws SQLException {
        try (PreparedStatement understood =
                connection.prepareStatement("select " + formula + " from " + asked("null", own, text))) {
            understood.executeQuery().close();
            return true;
        } catch (SQLException e) {
            if ("42S22".equals(e.getSQLState())) {
                return false;
            }
            throw e;
        }
    }

    private static String asked(String value, CatalogName name, Text text) {
        return "(select " + text.of(value) + " as " + quoted(name.column()) + ") untaken_asked";
    }

    String quoted() {
        return quoted(name.column());
    }

    static String quoted(String name) {
        return '`' + name.replace("`", "``") + '`';
    }

    /** What a way makes of a value. */
    String computedOf(String value, Way way) {
        return "(select " + way.formula() + " from " + asked(value, name, text) + ")";
    }

    /**
     * What follows FROM in a query with one row for each of so many texts: its number {@code untaken_place}, from 0, the text itself
     * {@code untaken_text}, and what this column makes of it, under the column's name.
     */
    String numbered(int texts) {
        return "(select untaken_place, untaken_text, " + text.of("untaken_text") + " as " + quoted() + " from ("
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
        String own = quoted();
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
        return unique.cover(name) || ways.stream().anyMatch(Way::unique);
    }

    /** Whether a unique index may refuse a value whichever row holds it. */
    boolean refusesAllRows() {
        return isUnique() || unique.prefixOf(name) > 0 || unique.onExpressions();
    }

    /**
     * Which way stands for all. If the column has no unique index of its own, comparing it would read the whole table, and the column
     * refuses nothing. For the same text the way has the same result, unless that is null or not known exactly.
     */
    Optional<Way> standsForAll() {
        return unique.cover(name)
                ? Optional.empty()
                : ways.stream().filter(way -> way.unique() && way.exact()).findFirst();
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(text().collation());
        if (unique.prefixOf(name) > 0) {
            text.append("; unique by its first ").append(unique.prefixOf(name)).append(" characters");
        }
        ways.stream()
                .filter(Way::unique)
                .forEach(way -> text.append("; unique by ").append(way.rows()));
        return text.toString();
    }
}
