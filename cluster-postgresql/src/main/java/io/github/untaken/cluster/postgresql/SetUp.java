package io.github.untaken.cluster.postgresql;

import io.github.untaken.feed.Place;
import io.github.untaken.feed.UnfollowableException;
import io.github.untaken.spi.GapReason;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What must be in place to follow a log. Checked before each slot; what is missing is reported with the SQL that mends it. */
final class SetUp {
    private static final String SERVER = """
            select current_setting('server_version_num')::int >= 150000, current_setting('wal_level') = 'logical',
              pg_is_in_recovery(), current_setting('server_encoding') <> 'SQL_ASCII',
              (select r.rolreplication or r.rolsuper from pg_catalog.pg_roles r where r.rolname = current_user)
              or exists (select from pg_catalog.pg_roles r where r.rolname = 'rds_replication'
                and pg_has_role(current_user, r.oid, 'member')),
              (select count(*) from pg_catalog.pg_replication_slots s
                where s.active or not starts_with(s.slot_name, ?)) < current_setting('max_replication_slots')::int,
              (select count(*) from pg_catalog.pg_stat_replication) < current_setting('max_wal_senders')::int,
              quote_ident(current_user), current_setting('max_slot_wal_keep_size') <> '-1'
            """;

    private static final String PUBLICATION =
            "select p.pubinsert and p.pubupdate from pg_catalog.pg_publication p where p.pubname = ?";

    /** Each table with rows, what it is, and whether the publication carries the column of its rows. */
    private static final String TABLES = """
            , listed(rel, columns, filtered) as (
              select c.oid, t.attnames, t.rowfilter is not null from pg_catalog.pg_publication_tables t
              join pg_catalog.pg_namespace n on n.nspname = t.schemaname
              join pg_catalog.pg_class c on c.relnamespace = n.oid and c.relname = t.tablename
              where t.pubname = ?)
            select w.tab, w.col, n.rel is not null, a.attnum is not null, c.oid::regclass::text,
              c.relkind in ('r', 'p') and c.relpersistence = 'p',
              (c.relkind = 'p' or exists (select from listed l where b.col = any(l.columns) and not l.filtered
                and (l.rel = b.rel or l.rel in (select pg_partition_ancestors(b.rel)))))
              and (a.attgenerated = '' or current_setting('server_version_num')::int >= 180000),
              (select case when bool_or(l.filtered) then 'filtered' else 'listed' end from listed l
                where l.rel = b.rel or l.rel in (select pg_partition_ancestors(b.rel)) having count(*) > 0),
              a.attnum is null or has_column_privilege(b.rel, a.attnum, 'select'), quote_ident(b.col),
              t.typcategory = 'E', a.attgenerated <> ''
            from unnest(?::text[], ?::text[]) with ordinality w(tab, col, place)
            join named n on n.place = w.place
            left join below b on b.place = n.place
            left join pg_catalog.pg_class c on c.oid = b.rel
            left join pg_catalog.pg_attribute a on a.attrelid = b.rel and a.attname = b.col and not a.attisdropped
            left join pg_catalog.pg_type t on t.oid = a.atttypid
            order by w.place, b.rel
            """;

    /** The search path silently skips a schema that the user may not use. */
    private static final String CLOSED_SCHEMAS = """
            select string_agg('GRANT USAGE ON SCHEMA ' || quote_ident(n.nspname) || ' TO ' || quote_ident(current_user), '; '
              order by n.nspname)
            from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
            where parse_ident(?) = array[c.relname::text] and c.relkind in ('r', 'p')
            and not has_schema_privilege(n.oid, 'usage')
            and n.nspname = any(select btrim(p, ' "') from regexp_split_to_table(current_setting('search_path'), ',') p)
            """;

    private final Connection connection;
    private final FeedSettings settings;
    private final List<Place> places;
    private final String ours;
    private final List<String> missing = new ArrayList<>();
    private boolean isPrimary;
    private String user = "";

    private SetUp(Connection connection, FeedSettings settings, List<Place> places, String ours) {
        this.connection = connection;
        this.settings = settings;
        this.places = places;
        this.ours = ours;
    }

    /**
     * Checks everything, and creates the publication if it is missing and the settings ask for that.
     *
     * @param ours the prefix of the slots that may be taken over
     * @return whether a slot may outlast its connection: something limits what the server keeps for it, or the risk was accepted
     * @throws UnfollowableException with all that is missing
     */
    static boolean demand(Connection connection, FeedSettings settings, List<Place> places, String ours)
            throws SQLException, UnfollowableException {
        SetUp look = new SetUp(connection, settings, places, ours);
        boolean bounded = look.server();
        if (look.isPrimary) {
            look.publication();
        }
        if (!look.missing.isEmpty()) {
            throw new UnfollowableException(
                    GapReason.SET_UP, "PostgreSQL's log cannot be followed: " + String.join("; ", look.missing));
        }
        return bounded || settings.slots().kept();
    }

    private boolean server() throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(SERVER)) {
            statement.setString(1, ours);
            return server(statement);
        }
    }

    private boolean server(PreparedStatement statement) throws SQLException {
        try (ResultSet row = statement.executeQuery()) {
            row.next();
            isPrimary = row.getBoolean(1) && !row.getBoolean(3); // otherwise it does not understand the rest
            user = row.getString(8);
            demand(row.getBoolean(1), "the server is older than PostgreSQL 15");
            demand(
                    row.getBoolean(2),
                    "wal_level is not logical; run: ALTER SYSTEM SET wal_level = logical; and restart the server");
            demand(!row.getBoolean(3), "the server is a standby; the address must lead to the primary");
            demand(
                    row.getBoolean(4),
                    "the database has the encoding SQL_ASCII, which does not say what the bytes of a value mean");
            demand(row.getBoolean(5), "the user may not replicate; run: ALTER ROLE " + user + " REPLICATION;");
            demand(
                    row.getBoolean(6),
                    "all replication slots are taken; drop one that nobody needs (SELECT slot_name, active FROM"
                            + " pg_replication_slots;) or raise max_replication_slots and restart the server");
            demand(row.getBoolean(7), "all senders are taken; raise max_wal_senders and restart the server");
            return row.getBoolean(9);
        }
    }

    private void demand(boolean is, String otherwise) {
        if (!is && !missing.contains(otherwise)) {
            missing.add(otherwise);
        }
    }

    private void publication() throws SQLException {
        boolean exists = false;
        try (PreparedStatement statement = connection.prepareStatement(PUBLICATION)) {
            statement.setString(1, settings.publication());
            try (ResultSet row = statement.executeQuery()) {
                if (row.next()) {
                    exists = true;
                    demand(
                            row.getBoolean(1),
                            "the publication does not carry inserts and updates; run: ALTER PUBLICATION " + name()
                                    + " SET (publish = 'insert, update');");
                }
            }
        }
        tables(exists);
        if (!exists && missing.isEmpty()) {
            NewPublication made = NewPublication.of(connection, settings.publication(), places);
            demand(made.obstacle().isEmpty(), made.obstacle());
            if (made.obstacle().isEmpty() && settings.createPublication()) {
                create(made.sql());
            } else {
                demand(false, "there is no publication " + name() + "; run: " + made.sql() + ";");
            }
        }
    }

    private void create(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            if (!"42501".equals(e.getSQLState())) {
                throw e; // another node may have been quicker: the next attempt finds out
            }
            demand(false, "the user may not create the publication; let the tables' owner run: " + sql + ";");
        }
    }

    private void tables(boolean published) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(Catalog.AROUND + TABLES)) {
            Catalog.bind(statement, 1, places);
            statement.setString(3, settings.publication());
            Catalog.bind(statement, 4, places);
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    table(row, published);
                }
            }
        }
    }

    private @Nullable String closedSchemas(String table) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(CLOSED_SCHEMAS)) {
            statement.setString(1, table);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return row.getString(1);
            }
        }
    }

    private void table(ResultSet row, boolean published) throws SQLException {
        String asked = row.getString(1);
        if (!row.getBoolean(3)) {
            String grants = closedSchemas(asked);
            demand(
                    false,
                    "there is no table " + asked + " on this user's search path"
                            + (grants == null ? "" : ", or it may not use the schema; run: " + grants + ';'));
            return;
        }
        String table = row.getString(5);
        String column = row.getString(10);
        if (!row.getBoolean(4)) {
            demand(false, "table " + table + " has no column " + row.getString(2));
            return;
        }
        demand(
                row.getBoolean(6),
                table + " is a view, or a foreign, unlogged or temporary table, whose rows the log does not hold");
        demand(
                row.getBoolean(9),
                "the user may not read the column; run: GRANT SELECT (" + column + ") ON " + table + " TO " + user
                        + ';');
        demand(
                !row.getBoolean(11),
                "column " + column + " of " + table
                        + " is an enum, whose values can be renamed without a trace in the log");
        if (published && !row.getBoolean(7) && row.getBoolean(12)) {
            demand(
                    false,
                    "column " + column + " of " + table
                            + " is computed by the database; PostgreSQL 18 and newer publish such"
                            + " a column if it is stored, and the publication " + name() + " lists it by its name");
        } else if (published && !row.getBoolean(7)) {
            String present =
                    row.getString(8) == null ? "" : "ALTER PUBLICATION " + name() + " DROP TABLE " + table + "; ";
            demand(
                    false,
                    ("filtered".equals(row.getString(8))
                                    ? "the publication has a row filter for " + table
                                    : "the publication does not carry column " + column + " of " + table)
                            + "; run: " + present + "ALTER PUBLICATION " + name() + " ADD TABLE " + table + ';');
        }
    }

    private String name() {
        return '"' + settings.publication() + '"';
    }
}
