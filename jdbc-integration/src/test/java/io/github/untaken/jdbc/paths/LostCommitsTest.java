package io.github.untaken.jdbc.paths;

import io.github.untaken.test.database.Engine;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** {@link LostCommits} on H2 and PostgreSQL. */
@Tag("ci")
class LostCommitsTest {

    @ParameterizedTest
    @EnumSource
    void aLostReplyToCommitHidesNoName(Engine engine) {
        LostCommits.hideNoName(EngineTable.on(engine));
    }

    @ParameterizedTest
    @EnumSource
    void aConnectionThatIsKilledWithAnOpenTransactionLeavesNothingHidden(Engine engine) {
        // A pool keeps a killed session of H2, whose error it does not know.
        Pooling pooling = engine == Engine.H2 ? Pooling.NONE : Pooling.HIKARI_INSIDE;
        LostCommits.leaveNothingHidden(EngineTable.on(engine), pooling);
    }
}
