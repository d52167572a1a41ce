package io.github.untaken.jdbc.paths;

import java.util.List;

/** What a sign-up site does to the names of one table, within a transaction that somebody else ends. */
public interface Names {

    /** Some of it. What it throws rolls its transaction back. */
    interface Steps {
        void on(Names names);
    }

    void insert(String name);

    /** As one batch. */
    void insertAll(List<String> names);

    void rename(String name, String to);

    void delete(String name);

    /** Within a savepoint; what the steps throw rolls back to it and goes no further. */
    void nested(Steps steps);

    /** In a transaction of its own, on another connection. */
    void apart(Steps steps);
}
