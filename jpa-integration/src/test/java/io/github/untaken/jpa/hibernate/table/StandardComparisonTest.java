package io.github.untaken.jpa.hibernate.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.jpa.Engine;
import io.github.untaken.jpa.TestDatabase;
import io.github.untaken.jpa.entities.Account;
import io.github.untaken.spi.IdentifierKind;
import io.github.untaken.spi.RegisteredIdentifierStore.ColumnDescription;
import io.github.untaken.spi.RegisteredIdentifierStore.ValuePair;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.hibernate.dialect.Dialect;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The comparison for databases nobody has tried: its SQL, on two that are at hand. */
class StandardComparisonTest {

    @ParameterizedTest
    @CsvSource({
        "H2, varchar(20), false",
        "H2, varchar_ignorecase(20), true",
        "POSTGRESQL, type varchar(20), false",
        "POSTGRESQL, type varchar(20) collate blind, true"
    })
    void theCollationOfTheColumnDecides(Engine engine, String type, boolean ignoresCase) throws SQLException {
        try (TestDatabase database = TestDatabase.on(engine, Map.of(), Account.class);
                Connection connection = database.connection()) {
            if (type.contains("blind")) {
                database.sql(
                        "create collation blind (provider = icu, locale = 'und-u-ks-level2', deterministic = false)");
            }
            database.sql("alter table Account alter column username " + type);
            SessionFactoryImplementor factory = database.sessions().unwrap(SessionFactoryImplementor.class);
            Dialect dialect = factory.getJdbcServices().getDialect();
            IdentifierColumn column = MappedColumns.of(factory)
                    .get(IdentifierKind.USERNAME)
                    .iterator()
                    .next();
            StandardComparison comparison = new StandardComparison(column, dialect);

            List<ValuePair> pairs = List.of(
                    new ValuePair("alice", "alice"), new ValuePair("alice", "bob"), new ValuePair("alice", "ALICE"));
            assertThat(comparison.heldEqual(pairs, connection)).containsExactly(true, false, ignoresCase);
            assertThat(comparison.describe(connection)).isEqualTo(new ColumnDescription("Account.username", true, ""));
        }
    }
}
