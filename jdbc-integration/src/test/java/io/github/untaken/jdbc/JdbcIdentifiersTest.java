package io.github.untaken.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.IdentifierKind;
import io.github.untaken.KindState;
import io.github.untaken.Verdict.DecidedBy;
import io.github.untaken.Verdict.Status;
import io.github.untaken.spi.RegisteredIdentifierStore;
import io.github.untaken.spi.RegisteredIdentifierStore.Presence;
import io.github.untaken.spi.StoreException;
import io.github.untaken.test.database.Engine;
import io.github.untaken.testkit.Eventually;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The door for plain JDBC: it finds in the catalog what an application names. */
class JdbcIdentifiersTest {
    private static final IdentifierKind USERNAME = IdentifierKind.USERNAME;

    private static List<String> scanned(RegisteredIdentifierStore store) {
        List<String> values = new ArrayList<>();
        store.scan(values::add);
        return values;
    }

    private static String columnOf(TestTable table, String name, String column) {
        RegisteredIdentifierStore store = JdbcIdentifiers.of(
                        table.dataSource(), IdentifierTable.of(name, column, USERNAME))
                .stores()
                .get(USERNAME)
                .get(0);
        return ((RegisteredIdentifierStore.InColumn) store).column().column();
    }

    @ParameterizedTest
    @EnumSource
    void aTableAndAColumnAreAllAnApplicationNames(Engine engine) {
        try (TestTable table = TestTable.on(engine, "varchar(40)")) {
            table.sql("insert into TABLE (username) values ('alice'), ('bob')");
            JdbcIdentifiers identifiers = JdbcIdentifiers.table(table.dataSource(), table.name(), "username");
            try (AvailabilityChecker checker = AvailabilityChecker.builder()
                    .source(identifiers)
                    .recheckTimeout(Duration.ofMinutes(1))
                    .singleWriter(false)
                    .build()) {
                Eventually.holds("ready", () -> checker.state(USERNAME) == KindState.READY);
                assertThat(checker.check(USERNAME, "alice").status()).isEqualTo(Status.TAKEN);
                assertThat(checker.check(USERNAME, "carol").decidedBy()).isEqualTo(DecidedBy.FILTER);
                assertThat(checker.stats(USERNAME).memory().entries()).isEqualTo(2);
            }
        }
    }

    /** As tests of applications have H2 in place of MySQL or PostgreSQL: names keep their case, or become small. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "DATABASE_TO_UPPER=FALSE",
                "MODE=MySQL;DATABASE_TO_UPPER=FALSE;CASE_INSENSITIVE_IDENTIFIERS=TRUE",
                "MODE=PostgreSQL;DATABASE_TO_LOWER=TRUE;DEFAULT_NULL_ORDERING=HIGH"
            })
    void memoryAnswersWhateverH2MakesOfTheCaseOfNames(String settings) throws SQLException {
        UrlDataSource database = new UrlDataSource("jdbc:h2:mem:case;" + settings);
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("create table users (username varchar(40) unique)");
            statement.execute("insert into users values ('alice')");
            try (AvailabilityChecker checker = AvailabilityChecker.builder()
                    .source(JdbcIdentifiers.table(database, "users", "username"))
                    .recheckTimeout(Duration.ofMinutes(1))
                    .singleWriter(false)
                    .build()) {
                Eventually.holds("ready", () -> checker.state(USERNAME) == KindState.READY);
                assertThat(checker.check(USERNAME, "alice").status()).isEqualTo(Status.TAKEN);
                assertThat(checker.check(USERNAME, "carol").decidedBy()).isEqualTo(DecidedBy.FILTER);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void namesAreFoundInWhateverCaseTheCatalogHasThem(Engine engine) {
        try (TestTable table = TestTable.on(engine, "varchar(40)")) {
            String upper = table.name().toUpperCase(Locale.ROOT);
            String lower = table.name().toLowerCase(Locale.ROOT);
            assertThat(columnOf(table, upper, "UserName")).isEqualToIgnoringCase("\"username\"");
            assertThat(columnOf(table, lower, "USERNAME")).isEqualToIgnoringCase("\"username\"");
        }
    }

    @ParameterizedTest
    @EnumSource
    void namesThatDifferInCaseOnlyAreToldApartByQuotes(Engine engine) {
        try (TestTable table = TestTable.on(engine, "varchar(40)")) {
            table.sql("alter table TABLE add \"UserName\" varchar(40)");
            assertThat(columnOf(table, table.name(), "\"UserName\"")).isEqualTo("\"UserName\"");
            assertThat(columnOf(table, table.name(), "UserName")).isEqualTo("\"UserName\"");
            assertThatThrownBy(() -> columnOf(table, table.name(), "uSERNAME"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("is ambiguous")
                    .hasMessageContaining("UserName");
        }
    }

    @ParameterizedTest
    @EnumSource
    void aTableOfAnotherSchemaIsNamedWithIt(Engine engine) {
        try (TestTable table = TestTable.on(engine, "varchar(40)")) {
            String schema = "s" + table.name();
            table.sql("create schema " + schema, "create table " + schema + ".members (name varchar(40) primary key)");
            try {
                assertThatThrownBy(() -> columnOf(table, "members", "name"))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("there is no such table")
                        .hasMessageContainingAll("there is one in", "write it as schema.table");
                table.sql("insert into " + schema + ".members values ('alice')");
                RegisteredIdentifierStore store = JdbcIdentifiers.of(
                                table.dataSource(), IdentifierTable.of(schema + ".members", "name", USERNAME))
                        .stores()
                        .get(USERNAME)
                        .get(0);
                assertThat(store.exists("alice", Duration.ofMinutes(1))).isEqualTo(Presence.COUNTED);
                assertThat(scanned(store)).containsExactly("alice");
            } finally {
                table.sql("drop schema " + schema + " cascade");
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatTheCatalogDoesNotHaveIsRefused(Engine engine) {
        try (TestTable table = TestTable.on(engine, "varchar(40)")) {
            assertThatThrownBy(() -> columnOf(table, "nowhere", "username"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("nowhere.username")
                    .hasMessageContaining("there is no such table in ");
            assertThatThrownBy(() -> columnOf(table, table.name(), "user_name"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining(table.name() + ".user_name")
                    .hasMessageMatching("(?is).*the table has the columns id, username");
            assertThatThrownBy(() -> columnOf(table, table.name(), "id"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("does not hold the text itself");
        }
    }

    @ParameterizedTest
    @EnumSource
    void aViewIsNotATable(Engine engine) {
        try (TestTable table = TestTable.on(engine, "varchar(40)")) {
            table.sql("create view v_TABLE as select * from TABLE");
            assertThatThrownBy(() -> columnOf(table, "v_" + table.name(), "username"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("is a view, not a table");
        }
    }

    @ParameterizedTest
    @EnumSource
    void severalColumnsOfOneKindAreOneSet(Engine engine) {
        try (TestTable one = TestTable.on(engine, "varchar(40)")) {
            one.sql("alter table TABLE add nick varchar(40) unique");
            JdbcIdentifiers identifiers = JdbcIdentifiers.of(
                    one.dataSource(),
                    IdentifierTable.of(one.name(), "username"),
                    IdentifierTable.of(one.name(), "nick", USERNAME));
            List<RegisteredIdentifierStore> stores = identifiers.stores().get(USERNAME);
            assertThat(stores).hasSize(2);
            assertThat(identifiers.stores()).as("the same at each call").isSameAs(identifiers.stores());
        }
    }

    @Test
    void aKindIsCalledLikeItsColumn() {
        assertThat(IdentifierTable.of("users", "UserName").kind()).isEqualTo(USERNAME);
        assertThat(IdentifierTable.of("users", "\"user_name\"").kind()).isEqualTo(IdentifierKind.of("user-name"));
        assertThatThrownBy(() -> IdentifierTable.of("users", "_")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> IdentifierTable.of("", "name")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aColumnThatIsCalledOtherwiseLeadsToTheKindOfUserNames() {
        try (TestTable table = TestTable.on(Engine.H2, "varchar(40)")) {
            table.sql("alter table TABLE add user_name varchar(40) unique");
            var unnamed = AvailabilityChecker.builder()
                    .source(JdbcIdentifiers.table(table.dataSource(), table.name(), "user_name"));
            assertThatThrownBy(unnamed::build)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("kind 'user-name'")
                    .hasMessageContaining("IdentifierTable.of(table, column, IdentifierKind.USERNAME)");
            IdentifierTable named = IdentifierTable.of(table.name(), "user_name", USERNAME);
            try (AvailabilityChecker checker = AvailabilityChecker.builder()
                    .source(JdbcIdentifiers.of(table.dataSource(), named))
                    .recheckTimeout(Duration.ofMinutes(1))
                    .build()) {
                assertThat(checker.check(USERNAME, "admin").status()).isEqualTo(Status.RESERVED);
            }
        }
    }

    @Test
    void aDatabaseThatDoesNotAnswerIsNoMissingTable() {
        try (TestTable table = TestTable.on(Engine.H2, "varchar(40)")) {
            JdbcIdentifiers identifiers =
                    JdbcIdentifiers.table(new UrlDataSource("jdbc:nothing:"), table.name(), "username");
            assertThatThrownBy(identifiers::stores).isInstanceOf(StoreException.class);
        }
    }
}
