package io.github.untaken.jdbc.paths;

import io.github.untaken.test.database.Engine;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** {@link StepsByChance} on H2 and PostgreSQL. */
@Tag("ci")
class PoolsTest {

    static Stream<Arguments> pools() {
        return Arrays.stream(Engine.values())
                .flatMap(engine -> Arrays.stream(Pooling.values()).map(pooling -> Arguments.of(engine, pooling)));
    }

    @ParameterizedTest
    @MethodSource("pools")
    void nothingCommittedIsEverAvailable(Engine engine, Pooling pooling) {
        StepsByChance.play(EngineTable.on(engine), pooling);
    }
}
