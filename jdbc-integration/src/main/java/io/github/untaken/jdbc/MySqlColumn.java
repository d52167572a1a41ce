package io.github.untaken.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * A column as the catalog of MariaDB or MySQL describes it, and its server.
 *
 * @param charset of its values
 * @param collation that compares them, also in each index
 * @param unique whether a unique index has the whole of this column and no other
 * @param prefix of how many characters a unique index holds the beginnings; 0 if there is none like that
 * @param mariaDb whether the server is MariaDB, whatever the driver is
 * @param galera whether it is a node of a cluster
 */
record MySqlColumn(
        String database,
        String table,
        String name,
        String charset,
        String collation,
        boolean unique,
        int prefix,
        boolean mariaDb,
        boolean galera) {

    private static final String COLUMN =
            "select table_schema, table_name, column_name, character_set_name, collation_name"
                    + " from information_schema.columns where table_schema = ? and table_name = ? and column_name = ?";

    private static final String INDEXES = "select coalesce(max(sub_part), 0) from information_schema.statistics"
            + " where table_schema = ? and table_name = ? and non_unique = 0 group by index_name"
            + " having count(*) = 1 and max(column_name = ?) = 1 order by 1";

    static MySqlColumn of(IdentifierColumn column, Connection connection) throws SQLException {
        CatalogName name = CatalogName.of(column, connection);
        boolean schemas = connection.getMetaData().supportsSchemasInTableDefinitions();
        try (PreparedStatement statement = connection.prepareStatement(COLUMN)) {
            statement.setString(1, schemas ? name.schema() : name.catalog());
            statement.setString(2, name.table());
            statement.setString(3, name.column());
            try (ResultSet row = statement.executeQuery()) {
                if (!row.next() || row.getString(4) == null) {
                    throw new SQLException("the catalog has no column " + column + " of texts", "42S22");
                }
                return described(row, connection);
            }
        }
    }

    private static MySqlColumn described(ResultSet column, Connection connection) throws SQLException {
        boolean unique = false;
        int prefix = 0;
        try (PreparedStatement statement = connection.prepareStatement(INDEXES)) {
            for (int i = 1; i <= 3; i++) {
                statement.setString(i, column.getString(i));
            }
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    unique |= rows.getInt(1) == 0;
                    prefix = prefix == 0 ? rows.getInt(1) : prefix;
                }
            }
        }
        return new MySqlColumn(
                column.getString(1),
                column.getString(2),
                column.getString(3),
                column.getString(4),
                column.getString(5),
                unique,
                prefix,
                connection.getMetaData().getDatabaseProductVersion().contains("MariaDB"),
                isGalera(connection));
    }

    /** A server that was built without Galera knows no such variable. */
    private static boolean isGalera(Connection connection) throws SQLException {
        try (PreparedStatement statement =
                        connection.prepareStatement("show global variables where variable_name = 'wsrep_on'");
                ResultSet row = statement.executeQuery()) {
            return row.next() && row.getString(2).equalsIgnoreCase("ON");
        }
    }

    /** All of Unicode can be stored. */
    boolean holdsAll() {
        return charset.equals("utf8mb4");
    }

    /**
     * A value as this column compares it. A parameter has the character set of the connection, and if it holds what the column cannot,
     * all rows would be converted instead, without their index. What cannot be stored is converted to something else here.
     */
    String compared(String value) {
        return holdsAll() ? value : "convert(" + value + " using " + charset + ") collate " + collation;
    }

    @Override
    public String toString() {
        return collation + (prefix > 0 ? "; unique by its first " + prefix + " characters" : "");
    }
}
