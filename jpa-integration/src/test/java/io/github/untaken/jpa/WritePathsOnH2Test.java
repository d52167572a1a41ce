package io.github.untaken.jpa;

import io.github.untaken.test.database.Engine;

/** Statements are sent one by one. */
class WritePathsOnH2Test extends WritePathsContract {
    WritePathsOnH2Test() {
        super(Engine.H2, 0);
    }
}
