package io.github.untaken.jdbc.scan;

import io.github.untaken.jdbc.column.CatalogName;
import io.github.untaken.jdbc.column.IdentifierColumn;
import io.github.untaken.jdbc.connection.Database;
import io.github.untaken.spi.StoreException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which tables bear the names of some columns, and what parts they have, as far as the database says. Taken before the first row of a scan
 * and after the last: no lock prevents another table from taking the name when a schema is renamed, or a partition with rows of its own
 * from being attached.
 *
 * @param descriptions one for each column, in their order
 */
record TableState(List<String> descriptions) {

    private static final String POSTGRESQL = "with recursive part(id) as (select ?::regclass::oid"
            + " union select i.inhrelid from pg_catalog.pg_inherits i join part p on i.inhparent = p.id)"
            + " select string_agg(concat_ws(':', c.oid, c.relfilenode, c.xmin, n.oid, n.xmin, n.nspname), ',' order by c.oid)"
            + " from part join pg_catalog.pg_class c on c.oid = part.id"
            + " join pg_catalog.pg_namespace n on n.oid = c.relnamespace";

    private static final String H2 = "select db_object_id('TABLE', ?, ?) || db_object_sql('TABLE', ?, ?)";

    /** Shows another definition only after a whole second. */
    private static final String INNODB_CREATED =
            "select create_time from information_schema.tables where table_schema = ? and table_name = ?";

    /** Both products need the right PROCESS, and spell names with other characters in their own ways. */
    private static final String MARIADB_ID =
            "select table_id from information_schema.innodb_sys_tables where name = concat(?, '/', ?)";

    private static final String MYSQL_ID =
            "select table_id from information_schema.innodb_tables where name = concat(?, '/', ?)";

    static TableState of(List<IdentifierColumn> columns, Database database, Connection connection) throws SQLException {
        List<String> descriptions = new ArrayList<>();
        for (IdentifierColumn column : columns) {
            descriptions.add(String.valueOf(
                    switch (database) {
                        case POSTGRESQL -> first(POSTGRESQL, connection, column.table());
                        case H2 -> h2(CatalogName.of(column, connection), connection);
                        case MYSQL -> innoDb(CatalogName.of(column, connection), connection);
                        default -> "";
                    }));
        }
        return new TableState(descriptions);
    }

    /** @throws StoreException if the other one, taken later, is not the same */
    void requireSame(TableState later, String what) {
        if (!equals(later)) {
            throw new StoreException(
                    "the definition of " + what + " changed while it was scanned; the scan starts again later");
        }
    }

    private static @Nullable String h2(CatalogName name, Connection connection) throws SQLException {
        return first(H2, connection, name.schema(), name.table(), name.schema(), name.table());
    }

    private static String innoDb(CatalogName name, Connection connection) throws SQLException {
        String schema = connection.getMetaData().supportsSchemasInTableDefinitions() ? name.schema() : name.catalog();
        StringBuilder state = new StringBuilder().append(first(INNODB_CREATED, connection, schema, name.table()));
        boolean mariaDb = Database.isMariaDb(connection);
        for (String sql : mariaDb ? List.of(MARIADB_ID, MYSQL_ID) : List.of(MYSQL_ID, MARIADB_ID)) {
            try {
                return state.append('/')
                        .append(first(sql, connection, schema, name.table()))
                        .toString();
            } catch (SQLException e) {
                // This product has no such list, or not for this user.
            }
        }
        return state.toString();
    }

    private static @Nullable String first(String sql, Connection connection, @Nullable String... values)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setString(i + 1, values[i]);
            }
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? row.getString(1) : null;
            }
        }
    }
}
