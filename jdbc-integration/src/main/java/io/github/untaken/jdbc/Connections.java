package io.github.untaken.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * Where connections come from and go back to: a pool, or whatever an application has instead of a data source. They lead to
 * the primary unless they are read-only, and take part in nobody's transaction. Thread-safe.
 */
public interface Connections {

    /** A connection in whatever state its last borrower left it. */
    Connection open() throws SQLException;

    void close(Connection connection) throws SQLException;
}
