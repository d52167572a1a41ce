package io.github.untaken.jdbc;

/** The databases that differ from standard SQL, or can do more than it says. */
public enum Database {
    H2("", false),
    POSTGRESQL("", false),
    /** MariaDB, too. */
    MYSQL("", true),
    SQL_SERVER("", false),
    ORACLE(" from dual", false),
    DB2(" from sysibm.sysdummy1", false),
    HSQLDB(" from (values (0))", false),
    OTHER("", false);

    private final String fromOneRow;
    private final boolean limits;

    Database(String fromOneRow, boolean limits) {
        this.fromOneRow = fromOneRow;
        this.limits = limits;
    }

    /** What follows the list of a SELECT that reads no table. */
    String fromOneRow() {
        return fromOneRow;
    }

    /**
     * Limits an ordered query to some of its rows. A limit on the statement object would not do: the database would
     * plan without knowing of it, and might sort the whole table for each page.
     */
    String limited(String query, int skipped, int rows) {
        return query
                + (limits
                        ? " limit " + rows + " offset " + skipped
                        : " offset " + skipped + " rows fetch next " + rows + " rows only");
    }
}
