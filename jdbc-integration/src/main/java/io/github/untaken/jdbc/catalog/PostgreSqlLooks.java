package io.github.untaken.jdbc.catalog;

import io.github.untaken.jdbc.connection.Lookup;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * PostgreSQL's catalog has row versions ({@code xmin}), which show what was changed and changed back. A plain user may read all of it.
 * Nothing here calls a function that opens a table, such as {@code pg_get_expr}: it would wait for a migration.
 */
final class PostgreSqlLooks implements Looks {
    /** As in the store's mark, the timeline is that of the current log file. */
    private static final String SERVER = "select concat_ws('/', s.system_identifier,"
            + " left(pg_catalog.pg_walfile_name(pg_catalog.pg_current_wal_lsn()), 8), d.oid, d.datname, " + settings()
            + "), pg_catalog.pg_postmaster_start_time()::text,"
            + " (pg_catalog.pg_current_wal_lsn() - '0/0'::pg_catalog.pg_lsn)::bigint"
            + " from pg_catalog.pg_control_system() s, pg_catalog.pg_database d where d.datname = current_database()";

    private static final String SERVER_FOR_ANYBODY = "select concat_ws('/', d.oid, d.datname, " + settings()
            + "), pg_catalog.pg_postmaster_start_time()::text,"
            + " pg_catalog.pg_snapshot_xmax(pg_catalog.pg_current_snapshot())::text::bigint"
            + " from pg_catalog.pg_database d where d.datname = current_database()"
            + " and not pg_catalog.pg_is_in_recovery()";

    /** PostgreSQL's answer if the user may not ask, or the server does not know, as with some services. */
    private static final Set<String> NOT_TOLD = Set.of("42501", "42883", "0A000");

    /**
     * The tables up and down the inheritance; then, level by level, the views over those and the tables whose rules write them; the tables
     * whose changes foreign keys carry into one of these, and those with a rule for DELETE that names one; and the routines that name any
     * of them.
     */
    private static final String PARTS = """
            with recursive root(no, oid) as (
              select r.no, to_regclass(r.name)::oid from unnest(?::text[]) with ordinality r(name, no)),
            up(no, oid) as (
              select no, oid from root where oid is not null
              union select u.no, i.inhparent from up u join pg_catalog.pg_inherits i on i.inhrelid = u.oid),
            kin(no, oid) as (
              select no, oid from up
              union select k.no, i.inhrelid from kin k join pg_catalog.pg_inherits i on i.inhparent = k.oid),
            seen(no, oid) as (
              select no, oid from kin
              union select s.no, w.ev_class from seen s
                join pg_catalog.pg_depend d on d.refclassid = 'pg_catalog.pg_class'::regclass and d.refobjid = s.oid
                  and d.classid = 'pg_catalog.pg_rewrite'::regclass
                join pg_catalog.pg_rewrite w on w.oid = d.objid
                join pg_catalog.pg_class v on v.oid = w.ev_class and v.relkind <> 'm'),
            car(no, att, oid, deletes) as (
              select k.no, a.attname::text, o.confrelid, o.confdeltype = 'd' from kin k
                join pg_catalog.pg_constraint o on o.conrelid = k.oid and o.contype = 'f'
                  and (o.confupdtype in ('c', 'd') or o.confdeltype = 'd')
                join pg_catalog.pg_attribute a on a.attrelid = o.conrelid and a.attnum = any(o.conkey)
              union select s.no, a.attname::text, w.ev_class, true from seen s join root b on b.no = s.no
                join pg_catalog.pg_attribute a on a.attrelid = b.oid and a.attnum > 0
                join pg_catalog.pg_depend d on d.refclassid = 'pg_catalog.pg_class'::regclass and d.refobjid = s.oid
                  and d.classid = 'pg_catalog.pg_rewrite'::regclass
                join pg_catalog.pg_rewrite w on w.oid = d.objid and w.ev_type = '4'
              union select r.no, r.att, n.oid, n.deletes from car r, lateral (
                select o.confrelid, r.deletes or o.confdeltype = 'd' from pg_catalog.pg_constraint o
                  where o.conrelid = r.oid and o.contype = 'f' and (o.confupdtype in ('c', 'd')
                    or o.confdeltype = 'd' or r.deletes and o.confdeltype = 'c')
                union all select i.inhparent, r.deletes from pg_catalog.pg_inherits i where i.inhrelid = r.oid
                union all select i.inhrelid, r.deletes from pg_catalog.pg_inherits i where i.inhparent = r.oid
                union all select w.ev_class, r.deletes from pg_catalog.pg_depend d
                  join pg_catalog.pg_rewrite w on w.oid = d.objid
                  where d.refclassid = 'pg_catalog.pg_class'::regclass and d.refobjid = r.oid
                    and d.classid = 'pg_catalog.pg_rewrite'::regclass) n(oid, deletes)),
            way(no, oid) as (
              select no, oid from seen union select no, oid from car),
            name(no, name) as (
              select distinct w.no, lower(r.relname) from way w join root o on o.no = w.no
                join pg_catalog.pg_class b on b.oid = o.oid join pg_catalog.pg_class r on r.oid = w.oid
                where r.oid = b.oid or strpos(lower(r.relname), lower(b.relname)) = 0),
            typ(rel, att, oid) as (
              select a.attrelid, a.attnum, a.atttypid from (select distinct oid from seen) s
                join pg_catalog.pg_attribute a on a.attrelid = s.oid
                where a.attnum > 0 and a.atttypid >= 16384
              union select t.rel, t.att, p.typbasetype from typ t
                join pg_catalog.pg_type p on p.oid = t.oid where p.typtype = 'd')
            select s.no, c.oid::text, c.relname::text,
              coalesce((select bool_and(a.xmin = i.xmin) from pg_catalog.pg_inherits i
                join pg_catalog.pg_attribute a on a.attrelid = i.inhrelid where i.inhrelid = c.oid and a.attnum = -1), false),
              md5(concat_ws('|', c.relkind, c.relname, n.oid, n.nspname, c.relrowsecurity, c.relforcerowsecurity,
                (select string_agg(concat_ws(':', a.attnum, a.attname, a.atttypid, a.atttypmod, a.attnotnull, a.attgenerated,
                  a.attidentity, a.attcollation, l.xmin, d.oid, d.xmin), ',' order by a.attnum)
                  from pg_catalog.pg_attribute a
                  left join pg_catalog.pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
                  left join pg_catalog.pg_collation l on l.oid = a.attcollation
                  where a.attrelid = c.oid and a.attnum > 0), '|',
                (select string_agg(concat_ws(':', t.att, p.oid, p.xmin), ',' order by t.att, p.oid)
                  from typ t join pg_catalog.pg_type p on p.oid = t.oid where t.rel = c.oid), '|',
                (select string_agg(distinct concat_ws(':', i.indkey, i.indclass, i.indcollation, i.indisvalid,
                  md5(i.indexprs::text), md5(i.indpred::text)), ',')
                  from pg_catalog.pg_index i where i.indrelid = c.oid and i.indisunique), '|',
                (select string_agg(concat_ws(':', t.oid, t.xmin, f.xmin), ',' order by t.oid)
                  from pg_catalog.pg_trigger t join pg_catalog.pg_proc f on f.oid = t.tgfoid where t.tgrelid = c.oid), '|',
                (select string_agg(concat_ws(':', w.oid, w.xmin), ',' order by w.oid)
                  from pg_catalog.pg_rewrite w where w.ev_class = c.oid), '|',
                (select string_agg(concat_ws(':', o.oid, o.xmin), ',' order by o.oid)
                  from pg_catalog.pg_constraint o where o.conrelid = c.oid), '|',
                (select string_agg(concat_ws(':', p.oid, p.xmin), ',' order by p.oid)
                  from pg_catalog.pg_policy p where p.polrelid = c.oid))),
              array[c.xmin::text, n.xmin::text] || array(select a.xmin::text
                from pg_catalog.pg_attribute a where a.attrelid = c.oid and a.attnum > 0 order by a.attnum),
              array[md5(concat_ws('|', c.relacl, c.relowner, c.reloptions, c.relfilenode, c.reltablespace, c.relhassubclass)),
                md5(concat_ws('|', n.nspacl, n.nspowner))] || array(
                select md5(concat_ws('|', a.attacl, a.attstattarget, a.attoptions, a.attstorage))
                from pg_catalog.pg_attribute a where a.attrelid = c.oid and a.attnum > 0 order by a.attnum),
              c.relfilenode::text, c.reltuples <= 0 and c.relkind = 'r',
              c.oid = root.oid,
              array(select a.attname::text from pg_catalog.pg_attribute a
                where c.oid = root.oid and a.attrelid = c.oid and a.attnum > 0 and a.attgenerated = ''
                and (a.atthasdef or a.attidentity <> '' or exists (select from typ t
                  join pg_catalog.pg_type p on p.oid = t.oid
                  where t.rel = c.oid and t.att = a.attnum and p.typdefault is not null))),
              array(select a.attname::text from pg_catalog.pg_attribute a
                where c.oid = root.oid and a.attrelid = c.oid and a.attnum > 0 and a.attgenerated <> ''),
              array(with recursive namer(oid, version, name, writes) as (
                  select f.oid, f.xmin::text, f.proname::text,
                    f.prosrc !~* ? or f.prosrc ~* ?
                  from pg_catalog.pg_proc f, lower(f.prosrc) text where c.oid = root.oid and f.oid >= 16384
                    and (exists (select from name y where y.no = s.no and strpos(text, y.name) > 0)
                    or f.prosrc ~* ?
                    or exists (select from pg_catalog.pg_depend d where d.classid = 'pg_catalog.pg_proc'::regclass
                      and d.objid = f.oid and d.refclassid = 'pg_catalog.pg_class'::regclass
                      and d.refobjid in (select y.oid from way y where y.no = s.no)))
                  union select f.oid, f.xmin::text, f.proname::text, true from namer r
                    join pg_catalog.pg_proc f on f.oid >= 16384 and (f.prosrc ~* ('(^|[^a-z0-9_])'
                      || regexp_replace(r.name, '([^[:alnum:]_])', '\\\\\\1', 'g') || '([^a-z0-9_]|$)')
                      or exists (select from pg_catalog.pg_depend d where d.classid = 'pg_catalog.pg_proc'::regclass
                        and d.objid = f.oid and d.refclassid = 'pg_catalog.pg_proc'::regclass and d.refobjid = r.oid))
                    where r.writes)
                select concat_ws(':', oid, version, case when writes then name end) from namer),
              array(select array[r.att, p.relname::text] from car r join pg_catalog.pg_class p on p.oid = r.oid
                where c.oid = root.oid and r.no = s.no)
            from seen s join root on root.no = s.no
              join pg_catalog.pg_class c on c.oid = s.oid join pg_catalog.pg_namespace n on n.oid = c.relnamespace""";

    /** Bound as a parameter: a text with these words counts as a write where the connection is watched for somebody else. */
    private static final String READS = "(^|[^a-z_])(select|from|return)([^a-z_]|$)";

    /** Writes, or defines what writes, which only the next look would show. */
    private static final String WRITES =
            "(^|[^a-z_])(insert|update|merge|copy|execute|alter|trigger|rule|view)([^a-z_]|$)";

    private static final String EXECUTES = "(^|[^a-z_])execute([^a-z_]|$)";

    private volatile boolean tellsItsHistory = true;

    /** What decides which table a name without a schema means on the next connection. */
    private static String settings() {
        return "(select string_agg(concat_ws(':', r.setrole, x), ',' order by r.setrole, x)"
                + " from pg_catalog.pg_db_role_setting r, unnest(r.setconfig) x where x like 'search_path=%'"
                + " and r.setdatabase in (0, d.oid)"
                + " and r.setrole in (0, (select u.oid from pg_catalog.pg_roles u where u.rolname = session_user)))";
    }

    @Override
    public Fingerprint look(List<String> tables, Connection connection) throws SQLException {
        SeenServer server = server(connection);
        Map<String, SeenTable> seen = tables(tables, connection);
        return new Fingerprint(server, seen);
    }

    private SeenServer server(Connection connection) throws SQLException {
        if (tellsItsHistory) {
            try {
                return server(SERVER, connection);
            } catch (SQLException e) {
                if (!NOT_TOLD.contains(String.valueOf(e.getSQLState()))) {
                    throw e;
                }
                tellsItsHistory = false;
            }
        }
        return server(SERVER_FOR_ANYBODY, connection);
    }

    private static SeenServer server(String sql, Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql);
                ResultSet row = statement.executeQuery()) {
            if (!row.next()) {
                throw Lookup.notThePrimary();
            }
            return new SeenServer(row.getString(1), row.getString(2), row.getLong(3));
        }
    }

    private static Map<String, SeenTable> tables(List<String> tables, Connection connection) throws SQLException {
        List<Map<String, Part>> parts = new ArrayList<>();
        tables.forEach(table -> parts.add(new HashMap<>()));
        Map<String, SeenTable> seen = new HashMap<>();
        tables.forEach(table -> seen.put(table, SeenTable.NONE));
        try (PreparedStatement statement = connection.prepareStatement(PARTS)) {
            statement.setArray(1, connection.createArrayOf("text", tables.toArray()));
            statement.setString(2, READS);
            statement.setString(3, WRITES);
            statement.setString(4, EXECUTES);
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    int table = row.getInt(1) - 1;
                    Part part = part(row);
                    parts.get(table).put(part.id(), part);
                    if (row.getBoolean(10)) {
                        seen.put(
                                tables.get(table),
                                new SeenTable(
                                        parts.get(table),
                                        String.join(",", texts(row.getArray(13))),
                                        carriers(row.getArray(14)),
                                        routines(texts(row.getArray(13))),
                                        filled(row.getArray(11)),
                                        texts(row.getArray(12))));
                    }
                }
            }
        }
        return Map.copyOf(seen);
    }

    private static Part part(ResultSet row) throws SQLException {
        String[] versions = (String[]) row.getArray(6).getArray();
        String[] excuses = (String[]) row.getArray(7).getArray();
        return new Part(
                row.getString(2),
                row.getString(3),
                row.getBoolean(4),
                row.getString(5),
                IntStream.range(0, versions.length)
                        .mapToObj(i -> new Part.Entry(versions[i], excuses[i]))
                        .toList(),
                new Part.Storage(row.getString(8), row.getBoolean(9)));
    }

    /** What each default is stays unknown: reading one would open the table. */
    private static Map<String, Set<String>> filled(Array columns) throws SQLException {
        return texts(columns).stream().collect(Collectors.toMap(column -> column, column -> Set.of()));
    }

    /** The third part of each that has three. */
    private static Set<String> routines(Set<String> seen) {
        return seen.stream()
                .map(each -> each.split(":", 3))
                .filter(parts -> parts.length == 3)
                .map(parts -> parts[2])
                .collect(Collectors.toSet());
    }

    private static Map<String, Set<String>> carriers(Array array) throws SQLException {
        Map<String, Set<String>> carriers = new HashMap<>();
        for (Object pair : (Object[]) array.getArray()) {
            String[] names = (String[]) pair;
            carriers.computeIfAbsent(names[0], column -> new HashSet<>()).add(names[1]);
        }
        return carriers;
    }

    private static Set<String> texts(Array array) throws SQLException {
        return new TreeSet<>(Arrays.asList((String[]) array.getArray()));
    }
}
