package io.github.untaken.jpa;

import io.github.untaken.test.database.Engine;
import org.junit.jupiter.api.Tag;

/** Statements are sent in batches. */
@Tag("ci")
class WritePathsOnPostgreSqlTest extends WritePathsContract {
    WritePathsOnPostgreSqlTest() {
        super(Engine.POSTGRESQL, 5);
    }
}
