package io.github.untaken.innodb;

import io.github.untaken.jdbc.paths.WritePaths;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** With MariaDB's driver and with MySQL's. */
@ParameterizedClass
@MethodSource("paths")
class WritePathsTest extends WritePaths {

    static Stream<Path<Driver>> paths() {
        return Path.each(Driver.values());
    }

    WritePathsTest(Path<Driver> path) {
        super(path, DriverTable::on);
    }
}
