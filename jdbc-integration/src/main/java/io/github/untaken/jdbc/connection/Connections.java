package io.github.untaken.jdbc.connection;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * Where connections come from and go back to: a pool, or whatever else an application has. They lead to the primary unless they are
 * read-only, and join no transaction. Thread-safe.
 */
public interface Connections {

    /**
     * Lends a connection, in whatever state its last borrower left it. Blocks until there is one.
     *
     * @throws SQLException if there is none
     */
    Connection open() throws SQLException;

    /** Takes back what {@link #open} has lent. */
    void close(Connection connection) throws SQLException;
}
