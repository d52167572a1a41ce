package io.github.untaken.jpa;

import static io.github.untaken.jpa.CheckedDatabase.USERNAME;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.IdentifierKind;
import io.github.untaken.KindState;
import io.github.untaken.Verdict.Status;
import io.github.untaken.jpa.entities.Account;
import io.github.untaken.test.database.Engine;
import io.github.untaken.testkit.Eventually;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.hibernate.Session;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Memory belongs to a table, not to its name: another one may take that. */
class AnotherTableTest {

    /** New connections, which have the settings of the database as they are now. */
    private static final class NewConnections extends ProxiedDataSource {
        private final String url;

        NewConnections(String url) {
            this.url = url;
        }

        @Override
        public Connection getConnection() throws SQLException {
            return DriverManager.getConnection(url);
        }
    }

    private static AvailabilityChecker checker(TestDatabase database) {
        AvailabilityChecker checker = AvailabilityChecker.builder()
                .source(JpaIdentifiers.of(database.factory()))
                .normalizer(IdentifierKind.PHONE, new Literal())
                .recheckTimeout(Duration.ofMinutes(1))
                .catalogInterval(Duration.ofMillis(100))
                .singleWriter(false)
                .build();
        awaitReady(checker);
        assertThat(checker.check(USERNAME, "zedd").status()).isEqualTo(Status.AVAILABLE);
        return checker;
    }

    private static void awaitReady(AvailabilityChecker checker) {
        Eventually.holds("ready", () -> checker.state(USERNAME) == KindState.READY);
    }

    private static void sql(Session session, String... statements) {
        for (String each : statements) {
            session.createNativeMutationQuery(each).executeUpdate();
        }
    }

    private static void importZedd(TestDatabase database, String schema, String like) {
        database.sql(
                "create schema " + schema,
                "create table " + schema + ".account as select * from " + like + " where 1 = 0",
                "insert into " + schema + ".account (id, username) values (-1, 'zedd')");
    }

    /** Blue and green. */
    @ParameterizedTest
    @EnumSource
    void schemasThatChangePlacesAreHeardOfThroughHibernate(Engine engine) {
        Map<String, String> live =
                Map.of("hibernate.default_schema", "live", "hibernate.hbm2ddl.create_namespaces", "true");
        try (TestDatabase database = TestDatabase.on(engine, live, Account.class);
                AvailabilityChecker checker = checker(database)) {
            importZedd(database, "staging", "live.account");
            database.sessions()
                    .inTransaction(session ->
                            sql(session, "alter schema live rename to old", "alter schema staging rename to live"));
            assertThat(checker.check(USERNAME, "zedd").status()).isEqualTo(Status.TAKEN);
            awaitReady(checker);
            assertThat(checker.check(USERNAME, "zedd").status()).isEqualTo(Status.TAKEN);
        }
    }

    /** By somebody else; sessions that are open keep theirs. */
    @Test
    void aChangedSearchPathLeadsToAnotherTable() throws SQLException {
        try (TestDatabase database = TestDatabase.on(
                Engine.POSTGRESQL,
                url -> Map.of("jakarta.persistence.nonJtaDataSource", new NewConnections(url)),
                Account.class)) {
            String name;
            try (Connection connection = database.connection()) {
                name = connection.getCatalog();
            }
            try (AvailabilityChecker checker = checker(database)) {
                importZedd(database, "next", "public.account");
                database.sql("alter database " + name + " set search_path = next, public");
                Eventually.holds("seen", () -> checker.check(USERNAME, "zedd").status() == Status.TAKEN);
                awaitReady(checker);
                for (String each : List.of("yves", "xaver")) {
                    database.sessions()
                            .inTransaction(session -> sql(
                                    session,
                                    "insert into account (id, username) values (" + each.hashCode() + ", '" + each
                                            + "')"));
                    assertThat(checker.check(USERNAME, each).status()).as(each).isEqualTo(Status.TAKEN);
                }
                assertThat(checker.check(USERNAME, "zedd").status()).isEqualTo(Status.TAKEN);
            } finally {
                database.sql("alter database " + name + " reset search_path");
            }
        }
    }
}
