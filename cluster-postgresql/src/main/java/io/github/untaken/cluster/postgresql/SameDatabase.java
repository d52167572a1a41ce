package io.github.untaken.cluster.postgresql;

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
 */
final class SameDatabase {
    /** As {@code untaken-jdbc} names a table of PostgreSQL, fully and for a user who may not ask everything. */
    private static final String NAMES = """
            select concat_ws('/', s.system_identifier, left(pg_walfile_name(pg_current_wal_lsn()), 8), d.oid, r.oid),
              concat_ws('/', d.oid, d.datname, r.oid)
            from pg_control_system() s, pg_catalog.pg_database d, (select to_regclass(?)::oid oid) r
            where d.datname = current_database()
            """;

    private SameDatabase() {}

    /**
     * Why not, or nothing. Of a store that cannot tell its database from another nothing is said.
     *
     * @throws io.github.untaken.spi.StoreException if a store cannot be asked
     */
    static Optional<String> objection(Connection connection, List<Place> places) throws SQLException {
        for (Place place : places) {
            if (place.store() instanceof Identified store && !isIn(connection, place, store)) {
                return Optional.of("the feed's address leads to another database than the one whose "
                        + place.column().table() + " the store of kind " + place.kind()
                        + " reads, or by its search path to another table");
            }
        }
        return Optional.empty();
    }

    private static boolean isIn(Connection connection, Place place, Identified store) throws SQLException {
        String identity = store.present().identity();
        try (PreparedStatement statement = connection.prepareStatement(NAMES)) {
            statement.setString(1, place.column().table());
            try (ResultSet row = statement.executeQuery()) {
                return row.next() && (identity.equals(row.getString(1)) || identity.equals(row.getString(2)));
            }
        }
    }
}
