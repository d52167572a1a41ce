package io.github.untaken.jdbc;

import io.github.untaken.jdbc.PostgreSqlColumn.UniqueIndex;
import io.github.untaken.spi.RegisteredIdentifierStore.ColumnDescription;
import io.github.untaken.spi.RegisteredIdentifierStore.ValuePair;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Two values are equal if the column's own type and collation say so, or a unique index on it by another collation, or
 * one on an expression of it alone: each of them refuses the second.
 *
 * <p>Values are compared as {@code count(distinct ...)} does, by the default operator of the type. The operator
 * {@code =} would be looked up along the search path, where that of {@code citext} may not stand.
 */
final class PostgreSqlComparison implements BatchComparison {
    private final IdentifierColumn column;
    private volatile @Nullable Question known;

    PostgreSqlComparison(IdentifierColumn column) {
        this.column = column;
    }

    @Override
    public ColumnDescription describe(Connection connection) throws SQLException {
        PostgreSqlColumn described = PostgreSqlColumn.of(column, connection);
        refuseHiddenRows(described, connection);
        List<UniqueIndex> indexes = described.uniqueIndexes(connection);
        known = question(described, indexes, connection);
        StringBuilder text = new StringBuilder(
                        described.collation() == 0
                                ? "none"
                                : PostgreSqlColumn.collation(described.collation(), connection)
                                        .toString())
                .append(", of ")
                .append(described.type());
        indexes.stream()
                .filter(UniqueIndex::computed)
                .forEach(index -> text.append("; unique only by ").append(index.expression()));
        if (indexes.stream().anyMatch(UniqueIndex::partial)) {
            text.append("; unique only for some rows");
        }
        boolean unique = indexes.stream().anyMatch(index -> !index.computed() && !index.partial());
        return new ColumnDescription(column.toString(), unique, text.toString());
    }

    /** A scan would miss them. */
    private static void refuseHiddenRows(PostgreSqlColumn of, Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("select row_security_active(?::bigint::oid)")) {
            statement.setLong(1, of.table());
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                if (row.getBoolean(1)) {
                    throw Lookup.rowsAreHidden();
                }
            }
        }
    }

    /** What to ask for any key, or for many. */
    private record Question(PostgreSqlColumn column, String sql, int parameters, String sqlForMany) {
        Lookup of(String key) {
            return new Lookup(sql, column.asked(key), parameters);
        }

        BatchLookup of(List<String> keys) {
            return new BatchLookup(
                    sqlForMany, "text", keys.stream().map(column::asked).toList());
        }
    }

    @Override
    public Lookup lookup(String key, Connection connection) throws SQLException {
        Question question = question(connection);
        return question.of(key);
    }

    @Override
    public BatchLookup lookupEach(List<String> keys, Connection connection) throws SQLException {
        return question(connection).of(keys);
    }

    private Question question(Connection connection) throws SQLException {
        Question question = known;
        if (question == null) {
            PostgreSqlColumn asked = PostgreSqlColumn.of(column, connection);
            question = question(asked, asked.uniqueIndexes(connection), connection);
            known = question;
        }
        return question;
    }

    /**
     * The array stands in a query of its own: otherwise PostgreSQL would count its values while it plans, find a plan
     * for so many cheaper than one for any number, and plan each question anew, which takes longer than to answer it.
     */
    private Question question(PostgreSqlColumn of, List<UniqueIndex> indexes, Connection connection)
            throws SQLException {
        Set<String> ways = ways(of, of.cast("?"), indexes, connection);
        Set<String> waysOfMany = ways(of, of.cast("untaken_asked.text"), indexes, connection);
        return new Question(
                of,
                "select " + answer(of, ways),
                ways.size(),
                "select untaken_asked.place, " + answer(of, waysOfMany)
                        + " from unnest((select cast(? as text[]))) with ordinality untaken_asked(text, place)");
    }

    /**
     * Each way of being equal is asked for by itself, so that each is found by its own index. The same row tells of a
     * replica, of a transaction that somebody began by a text of SQL, and of hidden rows.
     */
    private String answer(PostgreSqlColumn of, Set<String> ways) {
        StringBuilder sql = new StringBuilder("case when pg_is_in_recovery() then " + Lookup.NOT_THE_PRIMARY
                + " when current_setting('transaction_isolation') <> 'read committed' then "
                + Lookup.NOT_READ_COMMITTED + " when row_security_active(" + of.table() + "::oid) then "
                + Lookup.ROWS_ARE_HIDDEN);
        for (String way : ways) {
            sql.append(" when exists (select from ")
                    .append(column.table())
                    .append(" where ")
                    .append(way)
                    .append(") then ")
                    .append(Lookup.FOUND);
        }
        return sql.append(" else ").append(Lookup.ABSENT).append(" end").toString();
    }

    private static Set<String> ways(PostgreSqlColumn of, String value, List<UniqueIndex> indexes, Connection connection)
            throws SQLException {
        Set<String> ways = new LinkedHashSet<>();
        ways.add(of.name() + " " + of.operator() + " " + value);
        for (UniqueIndex index : indexes) {
            String collate = index.collation() == 0 || index.collation() == of.collation() && !index.computed()
                    ? " "
                    : " collate "
                            + PostgreSqlColumn.collation(index.collation(), connection)
                                    .sql() + " ";
            ways.add(
                    index.computed()
                            ? "(" + index.expression() + ")" + collate + index.operator() + " (select "
                                    + index.expression() + " from (values (" + value + ")) p(" + of.name()
                                    + "))"
                            : of.name() + collate + index.operator() + " " + value);
        }
        return ways;
    }

    @Override
    public List<Boolean> heldEqual(List<ValuePair> pairs, Connection connection) throws SQLException {
        PostgreSqlColumn compared = PostgreSqlColumn.of(column, connection);
        List<UniqueIndex> indexes = compared.uniqueIndexes(connection);
        known = question(compared, indexes, connection);
        List<Boolean> equal = new ArrayList<>(Collections.nCopies(pairs.size(), false));
        List<Integer> storable = new ArrayList<>();
        for (int i = 0; i < pairs.size(); i++) {
            if (compared.holds(pairs.get(i).left())
                    && compared.holds(pairs.get(i).right())) {
                storable.add(i);
            }
        }
        if (storable.isEmpty()) {
            return equal;
        }
        String value = "(cast(? as integer), cast(? as " + compared.type() + "))";
        String sql = "select i, " + equality(compared, indexes, connection) + " from (values "
                + String.join(", ", Collections.nCopies(2 * storable.size(), value)) + ") p(i, " + compared.name()
                + ") group by i";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            int index = 1;
            for (int i : storable) {
                for (String text : List.of(pairs.get(i).left(), pairs.get(i).right())) {
                    statement.setInt(index++, i);
                    statement.setString(index++, compared.stored(text));
                }
            }
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    equal.set(rows.getInt(1), rows.getBoolean(2));
                }
            }
        }
        return equal;
    }

    private static String equality(PostgreSqlColumn compared, List<UniqueIndex> indexes, Connection connection)
            throws SQLException {
        List<String> ways = new ArrayList<>();
        ways.add(sameness(compared.name(), compared.collation(), connection));
        for (UniqueIndex index : indexes) {
            String way = sameness(index.expression(), index.collation(), connection);
            if (!ways.contains(way)) {
                ways.add(way);
            }
        }
        return String.join(" or ", ways);
    }

    private static String sameness(String expression, long collation, Connection connection) throws SQLException {
        String collated = collation == 0
                ? expression
                : "(" + expression + ") collate "
                        + PostgreSqlColumn.collation(collation, connection).sql();
        return "count(distinct " + collated + ") = 1";
    }
}
