package io.github.untaken.benchmarks.shared;

import java.sql.SQLException;

/** Asks the unique index, each time. */
record IndexNode(Accounts accounts) implements Node {
    @Override
    public boolean isAvailable(String name) {
        return !accounts.has(name);
    }

    @Override
    public void signUp(String name) throws SQLException {
        accounts.insert(name);
    }

    @Override
    public void delete(String name) throws SQLException {
        accounts.delete(name);
    }

    @Override
    public void close() {}
}
