package io.github.untaken.jdbc;

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
 * Two values are equal if the column's own type and collation say so, or a unique index on it by another collation, or one
 * on an expression of it alone: each of them refuses the second.
 *
 * <p>Values are compared as {@code count(distinct ...)} does, by the default operator of the type. The operator {@code =}
 * would be looked up along the search path, where that of {@code citext} may not stand.
 */
final class PostgreSqlComparison implements BatchComparison {

    /** The operator by which an operator class {@code c} tells equal values, with its schema: the search path may not find it. */
    private static final String EQUALITY = "(select format('operator(%I.%s)', n.nspname, o.oprname)"
            + " from pg_catalog.pg_amop a join pg_catalog.pg_operator o on o.oid = a.amopopr"
            + " join pg_catalog.pg_namespace n on n.oid = o.oprnamespace where a.amopfamily = c.opcfamily"
            + " and a.amopstrategy = 3 and a.amoplefttype = c.opcintype and a.amoprighttype = c.opcintype)";

    /** Of types that are compared as text, such as varchar. */
    private static final String STANDARD = "'operator(pg_catalog.=)'";

    /** The type without its length, since a cast to it would shorten what the column refuses; domains are seen through. */
    private static final String COLUMN = "with recursive c as (select a.attrelid, a.attnum, a.attname, a.attcollation,"
            + " a.atttypid as type, a.atttypmod as typmod from pg_catalog.pg_attribute a"
            + " where a.attrelid = ?::regclass and a.attname = (parse_ident(?))[1] and not a.attisdropped"
            + " union all select c.attrelid, c.attnum, c.attname, c.attcollation, t.typbasetype,"
            + " case when t.typtypmod < 0 then c.typmod else t.typtypmod end"
            + " from c join pg_catalog.pg_type t on t.oid = c.type where t.typtype = 'd')"
            + " select c.attrelid, c.attnum, quote_ident(c.attname), c.attcollation,"
            + " format_type(t.oid, -1), case when t.typname in ('varchar', 'bpchar') and c.typmod > 4"
            + " then c.typmod - 4 else -1 end,"
            + " coalesce((select " + EQUALITY
            + " from pg_catalog.pg_opclass c join pg_catalog.pg_am m on m.oid = c.opcmethod"
            + " where m.amname = 'btree' and c.opcdefault and c.opcintype = t.oid), " + STANDARD + ")"
            + " from c join pg_catalog.pg_type t on t.oid = c.type where t.typtype <> 'd'";

    private static final String INDEXES = "select i.indkey[0] = 0, i.indpred is not null, i.indcollation[0],"
            + " pg_get_indexdef(i.indexrelid, 1, false), coalesce(" + EQUALITY + ", " + STANDARD + ")"
            + " from pg_catalog.pg_index i join pg_catalog.pg_opclass c on c.oid = i.indclass[0] where i.indrelid = ?::bigint::oid and i.indisunique and i.indisvalid"
            + " and i.indnkeyatts = 1 and (i.indkey[0] = ? or i.indkey[0] = 0 and i.indpred is null and not exists ("
            + "select from pg_catalog.pg_depend d where d.classid = 'pg_catalog.pg_class'::regclass"
            + " and d.objid = i.indexrelid and d.refclassid = 'pg_catalog.pg_class'::regclass"
            + " and d.refobjid = i.indrelid and d.refobjsubid not in (0, ?)))";

    private static final String COLLATION = "select quote_ident(n.nspname) || '.' || quote_ident(c.collname),"
            + " case c.collprovider when 'd' then 'default, ' || coalesce(to_jsonb(d) ->> 'datlocale',"
            + " to_jsonb(d) ->> 'daticulocale', d.datcollate)"
            + " else c.collname end, c.collisdeterministic"
            + " from pg_catalog.pg_collation c join pg_catalog.pg_namespace n on n.oid = c.collnamespace"
            + " cross join pg_catalog.pg_database d where c.oid = ?::bigint::oid and d.datname = current_database()";

    private final IdentifierColumn column;
    private volatile @Nullable Question known;

    PostgreSqlComparison(IdentifierColumn column) {
        this.column = column;
    }

    /** @param length in characters; negative if there is no limit */
    private record Column(
            long table, int number, String name, long collation, String type, int length, String operator) {

        /** What the column makes of a value: blanks beyond its length are dropped, anything else there is refused. */
        boolean holds(String value) {
            return length < 0 || value.codePointCount(0, value.length()) <= length || isBlankBeyond(value);
        }

        private boolean isBlankBeyond(String value) {
            int end = value.offsetByCodePoints(0, length);
            return value.substring(end).chars().allMatch(c -> c == ' ');
        }

        String cast(String value) {
            return "cast(" + value + " as " + type + ")";
        }

        String asked(String key) {
            return holds(key) ? stored(key) : key;
        }

        String stored(String value) {
            boolean fits = length < 0 || value.codePointCount(0, value.length()) <= length;
            return fits ? value : value.substring(0, value.offsetByCodePoints(0, length));
        }
    }

    /** @param expression the column itself, or what is computed of it */
    private record UniqueIndex(boolean computed, boolean partial, long collation, String expression, String operator) {}

    private record Collation(String sql, String text, boolean deterministic) {
        @Override
        public String toString() {
            return deterministic ? text : text + " (nondeterministic)";
        }
    }

    @Override
    public ColumnDescription describe(Connection connection) throws SQLException {
        Column described = column(connection);
        refuseHiddenRows(described, connection);
        List<UniqueIndex> indexes = indexes(described, connection);
        known = question(described, indexes, connection);
        StringBuilder text = new StringBuilder(
                        described.collation() == 0
                                ? "none"
                                : collation(described.collation(), connection).toString())
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

    /** Or a scan would miss them. */
    private static void refuseHiddenRows(Column of, Connection connection) throws SQLException {
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
    private record Question(Column column, String sql, int parameters, String sqlForMany) {
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
            Column asked = column(connection);
            question = question(asked, indexes(asked, connection), connection);
            known = question;
        }
        return question;
    }

    private Question question(Column of, List<UniqueIndex> indexes, Connection connection) throws SQLException {
        Set<String> ways = ways(of, of.cast("?"), indexes, connection);
        Set<String> waysOfMany = ways(of, of.cast("untaken_asked.text"), indexes, connection);
        return new Question(
                of,
                "select " + answer(of, ways),
                ways.size(),
                "select untaken_asked.place, " + answer(of, waysOfMany)
                        + " from unnest(cast(? as text[])) with ordinality untaken_asked(text, place)");
    }

    /**
     * Each way of being equal is asked by itself, so that each is found by its own index. The same row tells a replica, a transaction
     * that somebody began by a text of SQL, and hidden rows.
     */
    private String answer(Column of, Set<String> ways) {
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

    private static Set<String> ways(Column of, String value, List<UniqueIndex> indexes, Connection connection)
            throws SQLException {
        Set<String> ways = new LinkedHashSet<>();
        ways.add(of.name() + " " + of.operator() + " " + value);
        for (UniqueIndex index : indexes) {
            String collate = index.collation() == 0 || index.collation() == of.collation() && !index.computed()
                    ? " "
                    : " collate " + collation(index.collation(), connection).sql() + " ";
            ways.add(
                    index.computed()
                            ? "(" + index.expression() + ")" + collate + index.operator() + " (select "
                                    + index.expression() + " from (values (" + value + ")) p(" + of.name()
                                    + "))"
                            : of.name() + collate + index.operator() + " " + value);
        }
        return ways;
    }

    private Column column(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(COLUMN)) {
            statement.setString(1, column.table());
            statement.setString(2, column.column());
            try (ResultSet row = statement.executeQuery()) {
                if (!row.next()) {
                    throw new SQLException("PostgreSQL has no column " + column, "42703");
                }
                return new Column(
                        row.getLong(1),
                        row.getInt(2),
                        row.getString(3),
                        row.getLong(4),
                        row.getString(5),
                        row.getInt(6),
                        row.getString(7));
            }
        }
    }

    private static List<UniqueIndex> indexes(Column of, Connection connection) throws SQLException {
        List<UniqueIndex> indexes = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(INDEXES)) {
            statement.setLong(1, of.table());
            statement.setInt(2, of.number());
            statement.setInt(3, of.number());
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    indexes.add(new UniqueIndex(
                            rows.getBoolean(1),
                            rows.getBoolean(2),
                            rows.getLong(3),
                            rows.getString(4),
                            rows.getString(5)));
                }
            }
        }
        return indexes;
    }

    private static Collation collation(long oid, Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(COLLATION)) {
            statement.setLong(1, oid);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return new Collation(row.getString(1), row.getString(2), row.getBoolean(3));
            }
        }
    }

    @Override
    public List<Boolean> heldEqual(List<ValuePair> pairs, Connection connection) throws SQLException {
        Column compared = column(connection);
        List<UniqueIndex> indexes = indexes(compared, connection);
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

    private static String equality(Column compared, List<UniqueIndex> indexes, Connection connection)
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
                        + collation(collation, connection).sql();
        return "count(distinct " + collated + ") = 1";
    }
}
