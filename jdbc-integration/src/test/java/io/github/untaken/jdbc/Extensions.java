package io.github.untaken.jdbc;

import io.github.untaken.test.database.Console;
import io.github.untaken.test.database.Engine;

/** What is added to the tests' PostgreSQL. */
final class Extensions {
    private Extensions() {}

    static void create(String extension) {
        run("create extension if not exists " + extension);
    }

    /** A collation that ignores the case of letters, or their accents too. */
    static void collations() {
        run(
                "create collation if not exists caseless (provider = icu, locale = 'und-u-ks-level2', deterministic = false);"
                        + " create collation if not exists letters"
                        + " (provider = icu, locale = 'und-u-ks-level1', deterministic = false)");
    }

    static void run(String sql) {
        new Console(Engine.POSTGRESQL.database()).sql(sql);
    }
}
