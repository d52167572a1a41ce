package io.github.untaken.jdbc.comparison;

import io.github.untaken.jdbc.column.IdentifierColumn;
import io.github.untaken.jdbc.column.RowCondition;
import io.github.untaken.jdbc.comparison.PostgreSqlColumn.Way;
import io.github.untaken.jdbc.connection.Database;
import io.github.untaken.jdbc.connection.Lookup;
import io.github.untaken.spi.RegisteredIdentifierStore.ColumnDescription;
import io.github.untaken.spi.RegisteredIdentifierStore.ValuePair;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Two values are equal if the column's own type and collation say so, or a unique index on it by another collation, or one on an expression
 * of it alone: each of these refuses the second.
 *
 * <p>Values are compared as {@code count(distinct ...)} does, by the type's default operator. A plain {@code =} would be looked up along
 * the search path, which may lack that of {@code citext}.
 */
public final class PostgreSqlComparison implements BatchComparison {
    private final IdentifierColumn column;
    private volatile @Nullable Question known;

    public PostgreSqlComparison(IdentifierColumn column) {
        this.column = column;
    }

    @Override
    public void forget() {
        known = null;
    }

    @Override
    public ColumnDescription describe(Connection connection) throws SQLException {
        PostgreSqlEquality equality = PostgreSqlEquality.of(column, connection);
        PostgreSqlColumn described = equality.column();
        refuseHiddenRows(described, connection);
        equality = equality.withoutServed(connection);
        known = question(equality, connection);
        long collation = described.sameness().collation();
        StringBuilder text = new StringBuilder()
                .append(collation == 0 ? "none" : PostgreSqlSameness.collation(collation, connection))
                .append(", of ")
                .append(described.type());
        equality.indexed().stream()
                .filter(Way::computed)
                .forEach(index -> text.append("; unique only by ").append(index.formula()));
        if (equality.indexed().stream().anyMatch(Way::partial)) {
            text.append("; unique only for some rows");
        }
        return new ColumnDescription(
                column.toString(),
                equality.isUnique(),
                text.toString(),
                equality.isExact(connection)
                        ? ""
                        : Database.version(connection) + ", " + equality.comparedBy(connection));
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
            return new Lookup(sql, column.asked(key), parameters, true);
        }

        BatchLookup of(List<String> keys) {
            return BatchLookup.ofArray(
                    sqlForMany, "text", keys.stream().map(column::asked).toList());
        }
    }

    @Override
    public Optional<String> advice(Connection connection) throws SQLException {
        PostgreSqlEquality equality = PostgreSqlEquality.of(column, connection);
        String index = "create unique index on " + column.table() + " (";
        if (column.where() != null && equality.isUniqueForAll()) {
            return Optional.of(RowCondition.leftOut(
                    column, "Drop it, and run: " + index + column.column() + ") where " + column.where()));
        }
        Optional<String> unindexed = equality.unindexed(connection);
        if (unindexed.isPresent()) {
            return Optional.of(column
                    + " has a unique index on some rows and no index on all: rechecking a name outside those rows"
                    + " reads the whole table. Run: create index on " + column.table() + " ("
                    + unindexed.get() + ")");
        }
        if (column.comparedAs() == null) {
            return Optional.empty();
        }
        Optional<Way> unserved = equality.withoutServed(connection).unserved();
        if (unserved.isPresent()) {
            return Optional.of(
                    SaidComparison.unserved(column, index + unserved.get().rows() + ")"));
        }
        return heldEqual(SaidComparison.LETTERS, connection).contains(false)
                ? Optional.of(SaidComparison.foldsNoCase(
                        column, index + "lower(" + column.column() + ")), and say lower({column})"))
                : Optional.empty();
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
            question = question(PostgreSqlEquality.of(column, connection), connection);
            known = question;
        }
        return question;
    }

    /**
     * The array stands in a subquery. Otherwise PostgreSQL would count its values while planning, find a plan for that many cheaper than
     * one for any number, and plan each question anew, which takes longer than answering it.
     */
    private Question question(PostgreSqlEquality equality, Connection connection) throws SQLException {
        PostgreSqlColumn of = equality.column();
        RowLooks looks = equality.looks("?", connection);
        RowLooks looksOfMany = equality.looks("untaken_asked.text", connection);
        return new Question(
                of,
                "select " + answer(of, looks),
                looks.values(),
                "select untaken_asked.place, " + answer(of, looksOfMany)
                        + " from unnest((select cast(? as text[]))) with ordinality untaken_asked(text, place)");
    }

    /** The same row shows whether a replica answered, a transaction was begun by SQL text, or rows are hidden. */
    private static String answer(PostgreSqlColumn of, RowLooks looks) {
        return "case when " + Database.POSTGRESQL_FOLLOWS + " then " + Lookup.NOT_THE_PRIMARY
                + " when current_setting('transaction_isolation') <> 'read committed' then "
                + Lookup.NOT_READ_COMMITTED + " when row_security_active(" + of.table() + "::oid) then "
                + Lookup.ROWS_ARE_HIDDEN + looks.sql() + " else " + Lookup.ABSENT + " end";
    }

    @Override
    public List<List<Integer>> heldEqualAmong(List<String> values, Connection connection) throws SQLException {
        PostgreSqlEquality equality = PostgreSqlEquality.of(column, connection);
        PostgreSqlColumn of = equality.column();
        String sorted =
                " from (select place, " + of.cast("text") + of.sameness().collate(connection)
                        + " as " + of.name()
                        + " from unnest(cast(? as text[])) with ordinality untaken_asked(text, place)) p group by ";
        List<List<Integer>> groups = new ArrayList<>();
        for (String compared : equality.compared(connection)) {
            groups.addAll(PlacesInGroups.read(
                    "select array_agg(place)" + sorted + compared + " having count(*) > 1 and count(" + compared
                            + ") > 1",
                    "text",
                    values,
                    connection));
        }
        return groups;
    }

    @Override
    public List<Boolean> heldEqual(List<ValuePair> pairs, Connection connection) throws SQLException {
        PostgreSqlEquality equality = PostgreSqlEquality.of(column, connection).withoutServed(connection);
        PostgreSqlColumn compared = equality.column();
        known = question(equality, connection);
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
        String value = "(cast(? as integer), " + compared.cast("?")
                + compared.sameness().collate(connection) + ")";
        String sql = "select i, " + equality.ofGroup(connection) + " from (values "
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
}
