package io.github.untaken.jdbc.paths;

import io.github.untaken.test.database.Engine;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** {@link WatchedSoak} on H2 and PostgreSQL ({@code -Dsoak.seconds}, default 4). */
@Tag("nightly")
class WatchedSoakTest {

    @ParameterizedTest
    @EnumSource
    void noNameThatIsAcknowledgedIsAvailable(Engine engine) throws Exception {
        WatchedSoak.play(
                engine.name(), EngineTable.on(engine), Duration.ofSeconds(Integer.getInteger("soak.seconds", 4)));
    }
}
