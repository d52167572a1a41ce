package io.github.untaken.jdbc.catalog;

import java.sql.Connection;
import java.sql.SQLException;

/** The connections that looks are made over, under autocommit and with a network time-out where the driver has one. Thread-safe. */
public interface LookConnection {

    /** What is done with it. */
    interface Work<T> {
        T on(Connection connection) throws SQLException;
    }

    /** Does it over a connection that nobody else uses meanwhile, and ends that if it fails. Blocks. */
    <T> T with(Work<T> work) throws SQLException;

    /** Gives it back, until it is needed again. Never throws. */
    void release();
}
