package io.github.untaken.jdbc.paths;

import io.github.untaken.test.database.Engine;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** On H2 and PostgreSQL; MariaDB has a module of its own. */
@ParameterizedClass
@MethodSource("paths")
@Tag("ci")
class WritePathsTest extends WritePaths {

    static Stream<Path<Engine>> paths() {
        return Path.each(Engine.values());
    }

    WritePathsTest(Path<Engine> path) {
        super(path, EngineTable::on);
    }
}
