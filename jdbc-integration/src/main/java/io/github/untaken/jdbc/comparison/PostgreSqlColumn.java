package io.github.untaken.jdbc.comparison;

import io.github.untaken.jdbc.column.IdentifierColumn;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A column as PostgreSQL's catalog describes it.
 *
 * @param table its oid
 * @param name quoted where needed
 * @param type without its length, since a cast to it would truncate what the column refuses; a domain's base type
 * @param length in characters; negative if unlimited
 */
record PostgreSqlColumn(long table, int number, String name, PostgreSqlSameness sameness, String type, int length) {

    /** The equality operator of an operator class {@code c}. */
    private static final String EQUALITY = "(select format('operator(%I.%s)', n.nspname, o.oprname)"
            + " from pg_catalog.pg_amop a join pg_catalog.pg_operator o on o.oid = a.amopopr"
            + " join pg_catalog.pg_namespace n on n.oid = o.oprnamespace where a.amopfamily = c.opcfamily"
            + " and a.amopstrategy = 3 and a.amoplefttype = c.opcintype and a.amoprighttype = c.opcintype)";

    /** For types that are compared as text, such as varchar. */
    private static final String STANDARD = "'operator(pg_catalog.=)'";

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

    /**
     * Whether something needs a column other than the one asked for.
     *
     * @param what picks its rows in {@code pg_depend d}
     */
    private static String needsOthers(String what) {
        return "exists (select from pg_catalog.pg_depend d where " + what
                + " and d.refclassid = 'pg_catalog.pg_class'::regclass and d.refobjid = i.indrelid"
                + " and d.refobjsubid not in (0, coalesce(g.attnum, 0), ?))";
    }

    private static final String INDEXES =
            "select i.indkey[0] = 0 or g.attnum is not null, pg_get_expr(i.indpred, i.indrelid),"
                    + " i.indcollation[0], coalesce(quote_ident(g.attname), '(' || pg_get_indexdef(i.indexrelid, 1, false) || ')'),"
                    + " coalesce(pg_get_expr(f.adbin, f.adrelid), pg_get_indexdef(i.indexrelid, 1, false)),"
                    + " coalesce(" + EQUALITY + ", " + STANDARD + "), i.indexrelid::bigint"
                    + " from pg_catalog.pg_index i join pg_catalog.pg_opclass c on c.oid = i.indclass[0]"
                    + " left join pg_catalog.pg_attribute g on g.attrelid = i.indrelid and g.attnum = i.indkey[0]"
                    + " and g.attgenerated <> '' and g.attnum <> ?"
                    + " left join pg_catalog.pg_attrdef f on f.adrelid = g.attrelid and f.adnum = g.attnum"
                    + " where i.indrelid = ?::bigint::oid and i.indisunique and i.indisvalid"
                    + " and i.indnkeyatts = 1 and (i.indkey[0] = ? or (i.indkey[0] = 0 or g.attnum is not null)"
                    + " and not exists (select from regexp_matches(i.indexprs::text, ':varattno (-?[0-9]+)', 'g') m"
                    + " where m[1] <> ?::text) and not "
                    + needsOthers("d.classid = 'pg_catalog.pg_attrdef'::regclass and d.objid = f.oid")
                    + " and not "
                    + needsOthers("d.classid = 'pg_catalog.pg_class'::regclass and d.objid = i.indrelid"
                            + " and d.objsubid = g.attnum")
                    + ")";

    /**
     * Whether the column takes part in something that no way covers: an index on several columns, an exclusion constraint, an index of a
     * child.
     */
    private static final String OTHERS = "with own(no) as (select ?::int2 union select g.attnum"
            + " from pg_catalog.pg_attribute g where g.attrelid = ?::bigint::oid and g.attgenerated <> '' and exists ("
            + "select from pg_catalog.pg_depend d where d.refclassid = 'pg_catalog.pg_class'::regclass"
            + " and d.refobjid = g.attrelid and d.refobjsubid = ? and (d.classid = 'pg_catalog.pg_class'::regclass"
            + " and d.objid = g.attrelid and d.objsubid = g.attnum or d.classid = 'pg_catalog.pg_attrdef'::regclass"
            + " and d.objid = (select f.oid from pg_catalog.pg_attrdef f where f.adrelid = g.attrelid and f.adnum = g.attnum))))"
            + " select exists (select from pg_catalog.pg_index i where i.indrelid = ?::bigint::oid"
            + " and (i.indisunique or i.indisexclusion) and i.indexrelid::bigint <> all (?::bigint[])"
            + " and exists (select from own where own.no = any (i.indkey::int2[])"
            + " or i.indexprs::text ~ (':varattno ' || own.no || '[^0-9]')))"
            + " or (select c.relhassubclass from pg_catalog.pg_class c where c.oid = ?::bigint::oid)";

    private static final String GENERATED =
            "select quote_ident(a.attname), pg_get_expr(f.adbin, f.adrelid), a.attcollation, coalesce((select "
                    + EQUALITY + " from pg_catalog.pg_opclass c join pg_catalog.pg_am m on m.oid = c.opcmethod"
                    + " where m.amname = 'btree' and c.opcdefault and c.opcintype = a.atttypid), " + STANDARD + ")"
                    + " from pg_catalog.pg_attribute a join pg_catalog.pg_attrdef f on f.adrelid = a.attrelid and f.adnum = a.attnum"
                    + " where a.attrelid = ?::bigint::oid and a.attname = (parse_ident(?))[1] and a.attgenerated <> ''";

    /**
     * A way in which two values of the column are equal: by a unique index on it, on an expression of it alone, or on a column generated
     * from it alone; or as an application says.
     *
     * @param computed whether what is compared is computed from the column
     * @param predicate the condition on the rows that the index covers; empty if it covers all
     * @param rows what is compared of a row
     * @param formula computes the same from a column of this name
     * @param index its oid; 0 if there is none
     */
    record Way(
            boolean computed, String predicate, String rows, String formula, PostgreSqlSameness sameness, long index) {
        boolean partial() {
            return !predicate.isEmpty();
        }
    }

    static PostgreSqlColumn of(IdentifierColumn column, Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(COLUMN)) {
            statement.setString(1, column.table());
            statement.setString(2, column.column());
            try (ResultSet row = statement.executeQuery()) {
                if (!row.next()) {
                    throw new SQLException("PostgreSQL has no column " + column, "42703");
                }
                return new PostgreSqlColumn(
                        row.getLong(1),
                        row.getInt(2),
                        row.getString(3),
                        new PostgreSqlSameness(row.getLong(4), row.getString(7)),
                        row.getString(5),
                        row.getInt(6));
            }
        }
    }

    /** Those that a valid unique index enforces. */
    List<Way> uniqueWays(Connection connection) throws SQLException {
        List<Way> ways = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(INDEXES)) {
            statement.setInt(1, number);
            statement.setLong(2, table);
            for (int i = 3; i <= 6; i++) {
                statement.setInt(i, number);
            }
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    boolean computed = rows.getBoolean(1);
                    ways.add(new Way(
                            computed,
                            withoutParameters(Objects.requireNonNullElse(rows.getString(2), "")),
                            computed ? rows.getString(4) : name,
                            computed ? rows.getString(5) : name,
                            new PostgreSqlSameness(rows.getLong(3), rows.getString(6)),
                            rows.getLong(7)));
                }
            }
        }
        return ways;
    }

    /** In a predicate a question mark is an operator, but to the driver it is a parameter unless doubled. */
    private static String withoutParameters(String predicate) {
        StringBuilder sql = new StringBuilder();
        char open = 0;
        for (int i = 0; i < predicate.length(); i++) {
            char c = predicate.charAt(i);
            if (open == 0 ? c == '\'' || c == '"' : c == open) {
                open = open == 0 ? c : 0;
            }
            sql.append(c == '?' && open == 0 ? "??" : c);
        }
        return sql.toString();
    }

    /** Whether a unique index other than these ways may refuse a value of the column, for some rows at least. */
    boolean isInOthers(List<Way> ways, Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(OTHERS)) {
            statement.setInt(1, number);
            statement.setLong(2, table);
            statement.setInt(3, number);
            statement.setLong(4, table);
            statement.setArray(
                    5,
                    connection.createArrayOf(
                            "int8", ways.stream().map(Way::index).toArray()));
            statement.setLong(6, table);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return row.getBoolean(1);
            }
        }
    }

    /** By a generated column; null if the table has no such column. */
    @Nullable Way generated(String column, Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(GENERATED)) {
            statement.setLong(1, table);
            statement.setString(2, column);
            try (ResultSet row = statement.executeQuery()) {
                return row.next()
                        ? new Way(
                                true,
                                "",
                                row.getString(1),
                                row.getString(2),
                                new PostgreSqlSameness(row.getLong(3), row.getString(4)),
                                0)
                        : null;
            }
        }
    }

    /** By an expression over the column. */
    Way computed(String expression, Connection connection) throws SQLException {
        String sql = "select coalesce((select " + EQUALITY
                + " from pg_catalog.pg_opclass c join pg_catalog.pg_am m on m.oid = c.opcmethod where m.amname = 'btree'"
                + " and c.opcdefault and c.opcintype = pg_typeof((" + of("cast(null as text)", expression, connection)
                + "))::oid), " + STANDARD + ")";
        try (PreparedStatement statement = connection.prepareStatement(sql);
                ResultSet row = statement.executeQuery()) {
            row.next();
            return new Way(
                    true, "", "(" + expression + ")", expression, new PostgreSqlSameness(0, row.getString(1)), 0);
        }
    }

    /** A query for what a formula makes of a value, held as the column would hold it. */
    String of(String value, String formula, Connection connection) throws SQLException {
        return "select " + formula + " from (values (" + cast(value) + sameness.collate(connection) + ")) p(" + name
                + ")";
    }

    /** Whether equal values are the same text, so that whatever is computed from them is equal too. */
    boolean isExact(Connection connection) throws SQLException {
        return (type.equals("text") || type.equals("character varying")) && sameness.isDeterministic(connection);
    }

    /** Whether the column can store a value. Beyond its length it drops blanks, and refuses anything else. */
    boolean holds(String value) {
        return fits(value) || value.substring(end(value)).chars().allMatch(c -> c == ' ');
    }

    /** What it stores of a value that fits. */
    String stored(String value) {
        return fits(value) ? value : value.substring(0, end(value));
    }

    private boolean fits(String value) {
        return length < 0 || value.codePointCount(0, value.length()) <= length;
    }

    private int end(String value) {
        return value.offsetByCodePoints(0, length);
    }

    /** What to look for when a key is asked for: its stored form, if it can be stored. */
    String asked(String key) {
        return holds(key) ? stored(key) : key;
    }

    String cast(String value) {
        return "cast(" + value + " as " + type + ")";
    }
}
