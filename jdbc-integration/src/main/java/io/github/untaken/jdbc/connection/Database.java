package io.github.untaken.jdbc.connection;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Locale;

/** The databases that differ from standard SQL, or do more than it asks. */
public enum Database {
    H2("", false),
    POSTGRESQL("", false),
    /** MariaDB too. */
    MYSQL("", true),
    SQL_SERVER("", false),
    ORACLE(" from dual", false),
    DB2(" from sysibm.sysdummy1", false),
    HSQLDB(" from (values (0))", false),
    OTHER("", false);

    /** Whether the server only follows another, as far as it says so. */
    public static final String POSTGRESQL_FOLLOWS = "pg_is_in_recovery()";

    /** The same, judged by the global variables. */
    public static final String MYSQL_FOLLOWS = "concat(@@global.read_only) not in ('0', 'OFF') or @@innodb_read_only";

    private final String fromOneRow;
    private final boolean limits;

    Database(String fromOneRow, boolean limits) {
        this.fromOneRow = fromOneRow;
        this.limits = limits;
    }

    /** By the driver's name for the product. */
    public static Database named(String product) {
        String name = product.toLowerCase(Locale.ROOT);
        if (name.equals("h2")) {
            return H2;
        }
        if (name.equals("postgresql")) {
            return POSTGRESQL;
        }
        if (name.equals("mysql") || name.equals("mariadb")) {
            return MYSQL;
        }
        if (name.equals("oracle")) {
            return ORACLE;
        }
        if (name.equals("microsoft sql server")) {
            return SQL_SERVER;
        }
        if (name.startsWith("db2")) {
            return DB2;
        }
        return name.startsWith("hsql") ? HSQLDB : OTHER;
    }

    /** The server's product and version, as the driver reports them. */
    public static String version(Connection connection) throws SQLException {
        DatabaseMetaData server = connection.getMetaData();
        return server.getDatabaseProductName() + " " + server.getDatabaseProductVersion();
    }

    /** Which of the two {@link #MYSQL} products it is. Not certain if the server reports another name, as a proxy does. */
    public static boolean isMariaDb(Connection connection) throws SQLException {
        return connection.getMetaData().getDatabaseProductVersion().contains("MariaDB");
    }

    /** What follows the list of a SELECT that reads no table. */
    public String fromOneRow() {
        return fromOneRow;
    }

    /** Whether the server only follows another, as far as it says so. */
    public boolean isReplica(Connection connection) throws SQLException {
        if (this != POSTGRESQL && this != MYSQL) {
            return false;
        }
        String sql = this == POSTGRESQL ? POSTGRESQL_FOLLOWS : MYSQL_FOLLOWS;
        try (PreparedStatement statement = connection.prepareStatement("select " + sql);
                ResultSet row = statement.executeQuery()) {
            row.next();
            return row.getBoolean(1);
        }
    }

    /**
     * Limits an ordered query to some of its rows. A limit on the statement object would not do: the database would plan without it, and
     * might sort the whole table for each page.
     */
    public String limited(String query, int skipped, int rows) {
        return query
                + (limits
                        ? " limit " + rows + " offset " + skipped
                        : " offset " + skipped + " rows fetch next " + rows + " rows only");
    }

    /**
     * Whether a fetch size keeps the driver from reading all rows into memory at once. MySQL's driver ignores any but {@code
     * Integer.MIN_VALUE}.
     */
    public boolean streams(Connection connection) throws SQLException {
        return this != MYSQL || !connection.getMetaData().getDriverName().startsWith("MySQL");
    }
}
