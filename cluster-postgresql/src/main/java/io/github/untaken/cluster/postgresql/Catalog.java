package io.github.untaken.cluster.postgresql;

import io.github.untaken.feed.Gap;
import io.github.untaken.feed.Place;
import io.github.untaken.spi.GapReason;
import io.github.untaken.spi.RegisteredIdentifierStore.TableColumn;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Which server and database answer, and what decides there whether the log reports a row. As long as neither changes, a silent log
 * means that nobody has written.
 *
 * @param identity of system, timeline and database: a restored or promoted server has another timeline. Also when the server started,
 *     and when its statistics did, which start anew after a crash. Since then it may lack commits that did not wait for its disk, so a
 *     row that was seen deleted is back; or its files were replaced by older ones
 * @param standby whether it is one
 * @param fingerprint of the publication, the tables under their names, their columns, partitions and parents. It is made of the row
 *     versions in the catalog, so it changes even if something was altered and put back: between two questions a partition may have
 *     been detached and filled, or a table unlogged. Changes that only look like that, such as a new index or a truncation, cost a
 *     scan
 */
record Catalog(String identity, boolean standby, String fingerprint) {

    /**
     * The named tables, below them their partitions and children, above them the tables they are partitions of. Each step looks up one
     * table in an index. Written as joins, it read the whole of a catalog of a thousand tables for each question.
     */
    static final String AROUND = """
            with recursive named(place, rel, col) as (
              select w.place, to_regclass(w.tab)::oid, (parse_ident(w.col))[1]
              from unnest(?::text[], ?::text[]) with ordinality w(tab, col, place)),
            below(place, rel, col) as (
              select place, rel, col from named where rel is not null
              union select b.place, i.inhrelid, b.col from below b cross join lateral (
                select h.inhrelid from pg_catalog.pg_class c join pg_catalog.pg_inherits h on h.inhparent = c.oid
                where c.oid = b.rel and c.relhassubclass offset 0) i),
            above(place, rel, col) as (
              select place, rel, col from named where rel is not null
              union select a.place, i.inhparent, a.col from above a cross join lateral (
                select h.inhparent from pg_catalog.pg_class c join pg_catalog.pg_inherits h on h.inhrelid = c.oid
                where c.oid = a.rel and c.relispartition offset 0) i),
            around(place, rel, col) as (select * from below union select * from above)
            """;

    /** A crash resets all of the server's statistics, but a person usually resets only one part. So the older of two resets counts. */
    private static final String STATE = """
            select %s concat_ws('/', s.system_identifier, case when not pg_is_in_recovery()
                then left(pg_walfile_name(pg_current_wal_lsn()), 8) end, d.oid,
                extract(epoch from pg_postmaster_start_time()), extract(epoch from least(
                  pg_stat_get_bgwriter_stat_reset_time(), (select a.stats_reset from pg_catalog.pg_stat_archiver a)))),
              pg_is_in_recovery(),
              encode(sha256(convert_to(concat_ws('|',
                (select concat_ws(':', p.oid, p.xmin) from pg_catalog.pg_publication p where p.pubname = x.publication),
                (select string_agg(concat_ws(':', r.oid, r.xmin), ',' order by r.oid) from pg_catalog.pg_publication_rel r
                  where r.prrelid in (select rel from around)
                  and r.prpubid = (select p.oid from pg_catalog.pg_publication p where p.pubname = x.publication)),
                (select string_agg(concat_ws(':', n.oid, n.xmin), ',' order by n.oid)
                  from pg_catalog.pg_publication_namespace n
                  where n.pnpubid = (select p.oid from pg_catalog.pg_publication p where p.pubname = x.publication)),
                (select string_agg(concat_ws(':', place, coalesce(rel, 0)), ',' order by place) from named),
                (select string_agg(concat_ws(':', e.rel, e.col,
                    (select c.xmin from pg_catalog.pg_class c where c.oid = e.rel),
                    (select concat_ws(':', a.attnum, a.xmin) from pg_catalog.pg_attribute a
                      where a.attrelid = e.rel and a.attname = e.col and not a.attisdropped),
                    (select string_agg(concat_ws(':', i.inhparent, i.xmin), ';' order by i.inhparent)
                      from pg_catalog.pg_inherits i where i.inhrelid = e.rel)), ',' order by e.rel, e.col)
                  from (select distinct rel, col from around) e)
              ), 'UTF8')), 'hex')
            from (select ?::text publication) x, pg_control_system() s, pg_catalog.pg_database d
            where d.datname = current_database()
            """;

    private static final String LOOK = AROUND + STATE.formatted("");

    /** In a transaction: the server acknowledges it once it is on its own disk and on that of a synchronous standby. */
    private static final String COMMITTED_MARK =
            AROUND + STATE.formatted("pg_logical_emit_message(true, '" + Marks.PREFIX + "', ?::text)::text,");

    /**
     * Only written and flushed, which takes no transaction id. With synchronous standbys it is committed all the same: a primary that
     * has lost them because one was promoted must not answer.
     */
    private static final String FLUSHED_MARK = AROUND
            + STATE.formatted("pg_logical_emit_message(current_setting('synchronous_standby_names') <> '', '"
                    + Marks.PREFIX + "', ?::text, true)::text,");

    private static final int FLUSHES_MARKS = 17;

    private static final String COLUMNS = AROUND + """
            , based(rel, col, type) as (
              select a.attrelid, a.attname, a.atttypid from pg_catalog.pg_attribute a
              where (a.attrelid, a.attname) in (select rel, col from around) and not a.attisdropped
              union select b.rel, b.col, t.typbasetype from based b
              join pg_catalog.pg_type t on t.oid = b.type where t.typtype = 'd')
            select distinct rel::bigint, place, col, exists (select from based b
              where b.rel = around.rel and b.col = around.col and b.type = 'pg_catalog.bpchar'::regtype)
            from around
            """;

    /** The catalog as it is now. */
    static Catalog look(Connection connection, String publication, List<Place> places) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(LOOK)) {
            bind(statement, 1, places);
            statement.setString(3, publication);
            return read(statement, 1);
        }
    }

    /** Puts a mark into the log and returns the catalog at that moment. One statement does both, so its answer proves both. */
    static Catalog mark(Connection connection, String publication, List<Place> places, String mark)
            throws SQLException {
        boolean flushes = connection.getMetaData().getDatabaseMajorVersion() >= FLUSHES_MARKS;
        try (PreparedStatement statement = connection.prepareStatement(flushes ? FLUSHED_MARK : COMMITTED_MARK)) {
            bind(statement, 1, places);
            statement.setString(3, mark);
            statement.setString(4, publication);
            return read(statement, 2);
        }
    }

    private static Catalog read(PreparedStatement statement, int first) throws SQLException {
        try (ResultSet row = statement.executeQuery()) {
            row.next();
            return new Catalog(row.getString(first), row.getBoolean(first + 1), row.getString(first + 2));
        }
    }

    /** The oids under which the log may report rows of these places, and the columns. */
    static Map<Integer, List<WatchedColumn>> columns(Connection connection, List<Place> places) throws SQLException {
        Map<Integer, List<WatchedColumn>> columns = new HashMap<>();
        try (PreparedStatement statement = connection.prepareStatement(COLUMNS)) {
            bind(statement, 1, places);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    Place place = places.get(rows.getInt(2) - 1);
                    columns.computeIfAbsent((int) rows.getLong(1), oid -> new ArrayList<>())
                            .add(new WatchedColumn(place.kind(), rows.getString(3), rows.getBoolean(4)));
                }
            }
        }
        return columns;
    }

    /** Two parameters; those of {@link #AROUND} are the first. */
    static void bind(PreparedStatement statement, int first, List<Place> places) throws SQLException {
        Connection connection = statement.getConnection();
        List<TableColumn> columns = places.stream().map(Place::column).toList();
        statement.setArray(
                first,
                connection.createArrayOf(
                        "text", columns.stream().map(TableColumn::table).toArray()));
        statement.setArray(
                first + 1,
                connection.createArrayOf(
                        "text", columns.stream().map(TableColumn::column).toArray()));
    }

    /** Why a log that was followed under this catalog may not report every row now. */
    Optional<Gap> differs(Catalog now) {
        @Nullable Gap gap = null;
        if (now.standby()) {
            gap = new Gap(GapReason.SERVER, "the server that answers is a standby");
        } else if (!identity.equals(now.identity())) {
            gap = new Gap(
                    GapReason.SERVER,
                    "another server or database answers, or it has been restarted, restored or promoted");
        } else if (!fingerprint.equals(now.fingerprint())) {
            gap = new Gap(
                    GapReason.ALTERED, "the publication, a table, its column or its partitions have been altered");
        }
        return Optional.ofNullable(gap);
    }
}
