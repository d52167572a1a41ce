package io.github.untaken.cluster.postgresql;

import io.github.untaken.spi.GapReason;
import io.github.untaken.spi.RegisteredIdentifierStore.DatabaseMark;
import io.github.untaken.spi.RegisteredIdentifierStore.Identified;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/**
 * Whether the stores read the tables whose log is followed. The addresses are given apart, so one may lead elsewhere: to a copy, to
 * another database of the server, by the search path to another schema. Then the log would be silent about what the stores hold.
 *
 * <p>A copy of a server's files has all its names. But it goes on by itself, so its place in the log is not between two that are read
 * here, one before it and one after it.
 */
final class SameDatabase {
    /** As {@code untaken-jdbc} marks a moment of a table of PostgreSQL, fully and for a user who may not ask everything. */
    private static final String MARKS = """
            select concat_ws('/', s.system_identifier, left(pg_walfile_name(pg_current_wal_lsn()), 8), d.oid, r.oid),
              (pg_current_wal_lsn() - '0/0'::pg_lsn)::bigint,
              concat_ws('/', d.oid, d.datname, r.oid),
              pg_snapshot_xmax(pg_current_snapshot())::text::bigint
            from pg_control_system() s, pg_catalog.pg_database d, (select to_regclass(?)::oid oid) r
            where d.datname = current_database()
            """;

    private SameDatabase() {}

    /**
     * Why not, or nothing. Of a store that cannot tell its database from another nothing is said.
     *
     * @throws io.github.untaken.spi.StoreException if a store cannot be asked
     */
    static Optional<Gap> objection(Connection connection, List<Place> places) throws SQLException {
        for (Place place : places) {
            if (place.store() instanceof Identified store && !isIn(connection, place, store)) {
                return Optional.of(new Gap(
                        GapReason.STORE,
                        "the feed's address leads to another database than the one whose "
                                + place.column().table() + " the store of kind " + place.kind()
                                + " reads, or by its search path to another table"));
            }
        }
        return Optional.empty();
    }

    private static boolean isIn(Connection connection, Place place, Identified store) throws SQLException {
        List<DatabaseMark> before = marks(connection, place);
        DatabaseMark there = store.present();
        List<DatabaseMark> after = marks(connection, place);
        for (int i = 0; i < before.size(); i++) {
            if (there.follows(before.get(i)) && after.get(i).follows(there)) {
                return true;
            }
        }
        return false;
    }

    private static List<DatabaseMark> marks(Connection connection, Place place) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(MARKS)) {
            statement.setString(1, place.column().table());
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return List.of(
                        new DatabaseMark(row.getString(1), row.getLong(2)),
                        new DatabaseMark(row.getString(3), row.getLong(4)));
            }
        }
    }
}
