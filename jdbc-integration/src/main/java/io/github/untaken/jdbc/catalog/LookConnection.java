package io.github.untaken.jdbc.catalog;

import java.sql.Connection;
import java.sql.SQLException;

/** The connections that looks use, under autocommit and with a network timeout where the driver has one. Thread-safe. */
public interface LookConnection {

    /** What is done over a connection. */
    interface Work<T> {
        T on(Connection connection) throws SQLException;
    }

    /** Runs it over a connection that nobody else uses meanwhile, and ends that connection if it fails. Blocks. */
    <T> T with(Work<T> work) throws SQLException;

    /** Gives the connection back until it is needed again. Never throws. */
    void release();
}
