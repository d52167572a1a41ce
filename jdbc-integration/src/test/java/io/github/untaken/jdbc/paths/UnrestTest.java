package io.github.untaken.jdbc.paths;

import io.github.untaken.test.database.Engine;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** {@link Unrest} on H2 and PostgreSQL, for {@code -Dunrest.seconds} each (default 12). */
@Tag("ci")
class UnrestTest {

    @ParameterizedTest
    @EnumSource
    void nothingIsUnknownWhileTheDatabaseAnswers(Engine engine) throws Exception {
        new Unrest(engine, Duration.ofSeconds(Integer.getInteger("unrest.seconds", 12))).play();
    }
}
