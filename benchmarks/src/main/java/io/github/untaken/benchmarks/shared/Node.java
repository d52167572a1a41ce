package io.github.untaken.benchmarks.shared;

import java.sql.SQLException;

/** One node of an application whose sign-up form asks for names. */
interface Node extends AutoCloseable {
    boolean isAvailable(String name);

    void signUp(String name) throws SQLException;

    void delete(String name) throws SQLException;

    @Override
    void close();
}
