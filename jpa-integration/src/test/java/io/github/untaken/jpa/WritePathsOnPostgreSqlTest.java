package io.github.untaken.jpa;

/** Statements are sent in batches. */
class WritePathsOnPostgreSqlTest extends WritePathsContract {
    WritePathsOnPostgreSqlTest() {
        super(Engine.POSTGRESQL, 5);
    }
}
