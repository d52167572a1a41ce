package io.github.untaken.jpa;

import org.junit.jupiter.api.Tag;

/** Statements are sent in batches. */
@Tag("ci")
class WritePathsOnPostgreSqlTest extends WritePathsContract {
    WritePathsOnPostgreSqlTest() {
        super(Engine.POSTGRESQL, 5);
    }
}
