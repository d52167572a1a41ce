package io.github.untaken.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * A column as the catalog of PostgreSQL describes it.
 *
 * @param table its oid
 * @param name quoted where that is needed
 * @param collation its oid; 0 if there is none
 * @param type without its length, since a cast to it would shorten what the column refuses; domains are seen through
 * @param length in characters; negative if there is no limit
 * @param operator that tells equal values, with its schema: the search path may not find it
 */
record PostgreSqlColumn(long table, int number, String name, long collation, String type, int length, String operator) {

    /** The operator by which an operator class {@code c} tells equal values. */
    private static final String EQUALITY = "(select format('operator(%I.%s)', n.nspname, o.oprname)"
            + " from pg_catalog.pg_amop a join pg_catalog.pg_operator o on o.oid = a.amopopr"
            + " join pg_catalog.pg_namespace n on n.oid = o.oprnamespace where a.amopfamily = c.opcfamily"
            + " and a.amopstrategy = 3 and a.amoplefttype = c.opcintype and a.amoprighttype = c.opcintype)";

    /** Of types that are compared as text, such as varchar. */
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

    private static final String INDEXES = "select i.indkey[0] = 0, i.indpred is not null, i.indcollation[0],"
            + " pg_get_indexdef(i.indexrelid, 1, false), coalesce(" + EQUALITY + ", " + STANDARD + ")"
            + " from pg_catalog.pg_index i join pg_catalog.pg_opclass c on c.oid = i.indclass[0]"
            + " where i.indrelid = ?::bigint::oid and i.indisunique and i.indisvalid"
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

    /**
     * A unique index on the column, or on an expression of it alone.
     *
     * @param computed whether it is on an expression
     * @param partial whether it holds some rows only
     * @param collation its oid; 0 if there is none
     * @param expression the column itself, or what is computed of it
     */
    record UniqueIndex(boolean computed, boolean partial, long collation, String expression, String operator) {}

    /** @param sql its name, with its schema */
    record Collation(String sql, String text, boolean deterministic) {
        @Override
        public String toString() {
            return deterministic ? text : text + " (nondeterministic)";
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
                        row.getLong(4),
                        row.getString(5),
                        row.getInt(6),
                        row.getString(7));
            }
        }
    }

    List<UniqueIndex> uniqueIndexes(Connection connection) throws SQLException {
        List<UniqueIndex> indexes = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(INDEXES)) {
            statement.setLong(1, table);
            statement.setInt(2, number);
            statement.setInt(3, number);
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

    static Collation collation(long oid, Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(COLLATION)) {
            statement.setLong(1, oid);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return new Collation(row.getString(1), row.getString(2), row.getBoolean(3));
            }
        }
    }

    /** Whether the column can store a value. It drops blanks beyond its length, and refuses anything else there. */
    boolean holds(String value) {
        return fits(value) || value.substring(end(value)).chars().allMatch(c -> c == ' ');
    }

    /** What it stores of a value that it holds. */
    String stored(String value) {
        return fits(value) ? value : value.substring(0, end(value));
    }

    private boolean fits(String value) {
        return length < 0 || value.codePointCount(0, value.length()) <= length;
    }

    private int end(String value) {
        return value.offsetByCodePoints(0, length);
    }

    /** What to look for where a key is asked for: as it would be stored, if it could be. */
    String asked(String key) {
        return holds(key) ? stored(key) : key;
    }

    String cast(String value) {
        return "cast(" + value + " as " + type + ")";
    }
}
