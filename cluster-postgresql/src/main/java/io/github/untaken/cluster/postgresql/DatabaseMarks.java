package io.github.untaken.cluster.postgresql;

import io.github.untaken.feed.SameDatabase;
import io.github.untaken.spi.RegisteredIdentifierStore.DatabaseMark;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.util.List;

/** How moments are marked, as {@code untaken-jdbc} does for a table of PostgreSQL, fully and for a user who may not ask everything. */
final class DatabaseMarks {
    private static final String MARKS = """
            select concat_ws('/', s.system_identifier, left(pg_walfile_name(pg_current_wal_lsn()), 8), d.oid, r.oid),
              (pg_current_wal_lsn() - '0/0'::pg_lsn)::bigint,
              concat_ws('/', d.oid, d.datname, r.oid),
              pg_snapshot_xmax(pg_current_snapshot())::text::bigint
            from pg_control_system() s, pg_catalog.pg_database d, (select to_regclass(?)::oid oid) r
            where d.datname = current_database()
            """;

    private DatabaseMarks() {}

    static SameDatabase.Marks at(Connection connection) {
        return place -> {
            try (PreparedStatement statement = connection.prepareStatement(MARKS)) {
                statement.setString(1, place.column().table());
                try (ResultSet row = statement.executeQuery()) {
                    row.next();
                    return List.of(
                            new DatabaseMark(row.getString(1), row.getLong(2)),
                            new DatabaseMark(row.getString(3), row.getLong(4)));
                }
            }
        };
    }
}
