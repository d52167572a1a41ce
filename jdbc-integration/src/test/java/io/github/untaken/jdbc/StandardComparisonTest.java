package io.github.untaken.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.jdbc.comparison.StandardComparison;
import io.github.untaken.jdbc.connection.Database;
import io.github.untaken.spi.RegisteredIdentifierStore.ColumnDescription;
import io.github.untaken.spi.RegisteredIdentifierStore.ValuePair;
import io.github.untaken.test.database.Engine;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The comparison for databases nobody has tried: its SQL, on two that are at hand. */
class StandardComparisonTest {

    @ParameterizedTest
    @CsvSource({
        "H2, varchar(20), false",
        "H2, varchar_ignorecase(20), true",
        "POSTGRESQL, varchar(20), false",
        "POSTGRESQL, varchar(20) collate caseless, true"
    })
    void theCollationOfTheColumnDecides(Engine engine, String type, boolean ignoresCase) throws SQLException {
        if (engine == Engine.POSTGRESQL) {
            Extensions.collations();
        }
        try (TestTable table = TestTable.on(engine, type);
                Connection connection = table.connection()) {
            StandardComparison comparison = new StandardComparison(table.column(), Database.OTHER);

            List<ValuePair> pairs = List.of(
                    new ValuePair("alice", "alice"), new ValuePair("alice", "bob"), new ValuePair("alice", "ALICE"));
            assertThat(comparison.heldEqual(pairs, connection)).containsExactly(true, false, ignoresCase);
            assertThat(comparison.describe(connection))
                    .isEqualTo(new ColumnDescription(
                            table.column().toString(), true, "", Database.version(connection) + ", "));
        }
    }
}
