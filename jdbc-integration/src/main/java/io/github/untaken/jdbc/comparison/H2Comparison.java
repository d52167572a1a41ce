package io.github.untaken.jdbc.comparison;

import io.github.untaken.jdbc.column.CatalogName;
import io.github.untaken.jdbc.column.IdentifierColumn;
import io.github.untaken.jdbc.column.RowCondition;
import io.github.untaken.jdbc.comparison.H2Column.Way;
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
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * H2 has one collation for the whole database. Beyond that, the type of a column decides how its values compare, or the type of a column
 * generated from it.
 */
public final class H2Comparison implements BatchComparison {
    /** How many elements, by H2's manual. */
    private static final int MOST_IN_AN_ARRAY = 65_536;

    private final IdentifierColumn column;
    private volatile @Nullable H2Column known;

    public H2Comparison(IdentifierColumn column) {
        this.column = column;
    }

    @Override
    public void forget() {
        known = null;
    }

    @Override
    public ColumnDescription describe(Connection connection) throws SQLException {
        H2Column described = asked(connection);
        StringBuilder text = new StringBuilder(described.type().collation())
                .append(", compared as ")
                .append(described.type().name());
        described.ways().stream()
                .filter(Way::unique)
                .forEach(way -> text.append("; unique by ").append(way.rows()));
        return new ColumnDescription(
                column.toString(),
                described.isUnique(),
                text.toString(),
                described.isExact() ? "" : Database.version(connection) + ", " + text + described.ways());
    }

    @Override
    public Optional<String> advice(Connection connection) throws SQLException {
        H2Column of = of(connection);
        if (column.where() != null && of.isUnique()) {
            return Optional.of(RowCondition.leftOut(column, RowCondition.LIVE));
        }
        Way said = of.said();
        if (said == null) {
            return Optional.empty();
        }
        String index = "create unique index on " + column.table() + " (";
        if (!said.unique() && column.comparedColumn().isPresent()) {
            return Optional.of(SaidComparison.unserved(column, index + said.rows() + ")"));
        }
        String key = CatalogName.quoted(of.name().column() + "_KEY");
        String generated = "alter table " + column.table() + " add column " + key + " varchar("
                + of.type().length() + ") generated always as (";
        if (!said.unique()) {
            return Optional.of(SaidComparison.unserved(
                    column, generated + said.formula() + "); " + index + key + "), and name that column instead"));
        }
        return heldEqual(SaidComparison.LETTERS, connection).contains(false)
                ? Optional.of(SaidComparison.foldsNoCase(
                        column,
                        generated + "lower(" + column.column() + ")); " + index + key
                                + "), and name that column instead"))
                : Optional.empty();
    }

    @Override
    public Lookup lookup(String key, Connection connection) throws SQLException {
        H2Column of = of(connection);
        String value = "cast(? as " + of.type().longEnoughFor(key) + ")";
        return of.ways().isEmpty() && counted(of) == null
                ? new Lookup(found(column.column() + " = " + value), key, 1, false)
                : new Lookup(
                        "select " + answer(of) + " from " + of.computedOf("values (1, " + value + ")"), key, 1, true);
    }

    @Override
    public BatchLookup lookupEach(List<String> keys, Connection connection) throws SQLException {
        H2Column of = of(connection);
        H2Column.Type type = of.type();
        for (String key : keys) {
            type = type.longEnoughFor(key);
        }
        String numbered = "select place, cast(text as " + type
                + ") from unnest(cast(? as varchar array)) with ordinality u(text, place)";
        return BatchLookup.ofArray(
                "select untaken_place, " + answer(of) + " from " + of.computedOf(numbered), "varchar", keys);
    }

    /** Each way is asked for separately, so that its own index finds it. */
    private String answer(H2Column of) {
        StringBuilder sql = new StringBuilder("case");
        String counted = counted(of);
        if (counted != null) {
            List<String> conditions = new ArrayList<>(List.of(column.column() + " = untaken_value"));
            for (int i = 0; i < of.ways().size(); i++) {
                conditions.add(of.ways().get(i).rows() + " = untaken_way" + i);
            }
            conditions.forEach(condition -> sql.append(when(condition + " and (" + counted + ")")));
            conditions.forEach(
                    condition -> sql.append(" when exists (" + found(condition) + ") then " + Lookup.UNCOUNTED));
            return sql.append(" else ").append(Lookup.ABSENT).append(" end").toString();
        }
        String plain = when(column.column() + " = untaken_value");
        OptionalInt stands = of.standsForAll();
        if (stands.isEmpty()) {
            sql.append(plain);
        }
        for (int i = 0; i < of.ways().size(); i++) {
            sql.append(when(of.ways().get(i).rows() + " = untaken_way" + i));
        }
        if (stands.isPresent()) {
            sql.append(" when untaken_way")
                    .append(stands.getAsInt())
                    .append(" is not null then ")
                    .append(Lookup.ABSENT)
                    .append(plain);
        }
        return sql.append(" else ").append(Lookup.ABSENT).append(" end").toString();
    }

    /** Which rows count; null if all do, since a unique index refuses what any row holds. */
    private @Nullable String counted(H2Column of) {
        return of.isUnique() ? null : column.where();
    }

    private String when(String condition) {
        return " when exists (" + found(condition) + ") then " + Lookup.FOUND;
    }

    private String found(String condition) {
        return "select " + Lookup.FOUND + " from " + column.table() + " where " + condition;
    }

    private H2Column of(Connection connection) throws SQLException {
        H2Column of = known;
        return of != null ? of : asked(connection);
    }

    private H2Column asked(Connection connection) throws SQLException {
        RowCondition.tryOut(column, connection);
        H2Column asked = H2Column.of(column, connection);
        known = asked;
        return asked;
    }

    @Override
    public List<List<Integer>> heldEqualAmong(List<String> values, Connection connection) throws SQLException {
        H2Column of = asked(connection);
        H2Column.Type type = of.type();
        for (String value : values) {
            type = type.longEnoughFor(value);
        }
        List<String> arrays = new ArrayList<>();
        List<Object[]> parts = new ArrayList<>();
        for (int from = 0; from < values.size(); from += MOST_IN_AN_ARRAY) {
            arrays.add("select place + " + from + ", cast(text as " + type
                    + ") from unnest(cast(? as varchar array)) with ordinality u(text, place)");
            parts.add(values.subList(from, Math.min(values.size(), from + MOST_IN_AN_ARRAY))
                    .toArray());
        }
        String numbered = of.computedOf(String.join(" union all ", arrays));
        List<String> compared = new ArrayList<>(List.of("untaken_value"));
        IntStream.range(0, of.ways().size()).forEach(i -> compared.add("untaken_way" + i));
        List<List<Integer>> groups = new ArrayList<>();
        for (String each : compared) {
            String sql = RankedPlaces.query(each, " from " + numbered + " where " + each + " is not null");
            groups.addAll(RankedPlaces.read(sql, values.size(), connection, statement -> {
                for (int i = 0; i < parts.size(); i++) {
                    statement.setArray(i + 1, connection.createArrayOf("varchar", parts.get(i)));
                }
            }));
        }
        return groups;
    }

    @Override
    public List<Boolean> heldEqual(List<ValuePair> pairs, Connection connection) throws SQLException {
        H2Column of = asked(connection);
        H2Column.Type type = of.type();
        List<Boolean> equal = new ArrayList<>(Collections.nCopies(pairs.size(), false));
        // The cast would truncate what the column refuses.
        List<Integer> storable = new ArrayList<>();
        for (int i = 0; i < pairs.size(); i++) {
            if (type.holds(pairs.get(i).left()) && type.holds(pairs.get(i).right())) {
                storable.add(i);
            }
        }
        if (storable.isEmpty()) {
            return equal;
        }
        String value = "(cast(? as integer), cast(? as " + type + "))";
        String values = "values " + String.join(", ", Collections.nCopies(2 * storable.size(), value));
        StringBuilder sql = new StringBuilder("select untaken_place, count(distinct untaken_value) = 1");
        for (int i = 0; i < of.ways().size(); i++) {
            String way = "untaken_way" + i;
            sql.append(" or count(distinct " + way + ") = 1 and count(" + way + ") = 2");
        }
        sql.append(" from ").append(of.computedOf(values)).append(" group by untaken_place");
        try (PreparedStatement statement = connection.prepareStatement(sql.toString())) {
            int index = 1;
            for (int i : storable) {
                for (String text : List.of(pairs.get(i).left(), pairs.get(i).right())) {
                    statement.setInt(index++, i);
                    statement.setString(index++, text);
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
