package io.github.untaken.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.CheckListener;
import io.github.untaken.IdentifierKind;
import io.github.untaken.KindState;
import io.github.untaken.Verdict.Status;
import io.github.untaken.normalize.UsernameNormalizer;
import io.github.untaken.test.database.Engine;
import io.github.untaken.testkit.Eventually;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Over an application's connection nothing is sent but its own statements, whatever others define meanwhile. */
@Tag("ci")
@ParameterizedClass
@EnumSource
class OwnStatementsTest {
    private static final IdentifierKind USERNAME = IdentifierKind.USERNAME;

    private final Engine engine;
    private final TestTable table;
    private final AvailabilityChecker checker;
    private final DataSource dataSource;
    private final AtomicInteger distrusted = new AtomicInteger();
    private final RecordedStatements recorded;

    OwnStatementsTest(Engine engine) {
        this.engine = engine;
        this.table = TestTable.on(engine, "varchar(40)");
        table.sql("alter table TABLE add city varchar(40)", "insert into TABLE (username) values ('from-before')");
        JdbcIdentifiers identifiers = JdbcIdentifiers.table(table.dataSource(), table.name(), "username");
        this.recorded = new RecordedStatements(table.dataSource());
        this.dataSource = WatchedDataSource.of(recorded.dataSource(), identifiers);
        this.checker = AvailabilityChecker.builder()
                .source(identifiers)
                .normalizer(USERNAME, UsernameNormalizer.builder().build())
                .recheckTimeout(Duration.ofMinutes(1))
                .catalogInterval(Duration.ofMillis(100))
                .singleWriter(false)
                .listener(new CheckListener() {
                    @Override
                    public void stateChanged(IdentifierKind kind, KindState state, String reason) {
                        if (state == KindState.DEGRADED) {
                            distrusted.incrementAndGet();
                        }
                    }
                })
                .build();
        awaitReady();
    }

    private void awaitReady() {
        Eventually.holds("ready", () -> checker.state(USERNAME) == KindState.READY);
    }

    @AfterEach
    void close() {
        checker.close();
        table.sql("drop schema if exists o_TABLE cascade", "drop schema if exists s_TABLE cascade");
        table.close();
    }

    private void inTransaction(String... statements) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            for (String sql : statements) {
                execute(connection, sql);
            }
            connection.commit();
        }
    }

    private void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql.replace("TABLE", table.name()));
        }
    }

    @Test
    void nothingButTheApplicationsOwnStatementsIsSent() throws SQLException {
        String set = engine == Engine.H2 ? "set @a = 1" : "set local lock_timeout = 3000";
        String[] statements = {
            set,
            "update TABLE set city = 'Rome' where username = 'nobody'",
            "insert into TABLE (city) values ('Paris')",
            "insert into TABLE (username) values ('alice')",
            set,
            "update TABLE set username = 'bob' where username = 'alice'",
            "delete from TABLE where username = 'bob'",
            "create table o_TABLE (id bigint)",
            "insert into o_TABLE values (1)",
            "drop table o_TABLE",
            "insert into TABLE (username) select 'carol' from (values (1)) v",
        };
        inTransaction(statements);
        assertThat(recorded.sent())
                .containsExactlyElementsOf(List.of(statements).stream()
                        .map(sql -> sql.replace("TABLE", table.name()))
                        .toList());
        assertThat(checker.check(USERNAME, "carol").status()).isEqualTo(Status.TAKEN);
    }

    @Test
    void aDefaultThatAnotherProgramHasMadeIsKnownAfterTheNextLook() throws SQLException {
        table.sql("alter table TABLE alter column username set default 'visitor77'");
        Eventually.holds("seen", () -> distrusted.get() > 0);
        awaitReady();
        inTransaction("insert into TABLE (city) values ('Rome')");
        assertThat(checker.check(USERNAME, "visitor77").status()).isEqualTo(Status.TAKEN);
        awaitReady();
        assertThat(checker.check(USERNAME, "visitor77").status()).isEqualTo(Status.TAKEN);
    }

    /** By another program, and known after the next look; then this application's statement, with the name that nobody has told. */
    private void anothersDefinitionThen(String definition, String statement, String name) throws SQLException {
        table.sql(definition.split("; "));
        Eventually.holds("seen", () -> distrusted.get() > 0);
        awaitReady();
        inTransaction(statement);
        assertThat(checker.check(USERNAME, name).status()).isEqualTo(Status.TAKEN);
        awaitReady();
        assertThat(checker.check(USERNAME, name).status()).isEqualTo(Status.TAKEN);
    }

    @Test
    void theDefaultOfADomainIsADefault() throws SQLException {
        anothersDefinitionThen(
                engine == Engine.H2
                        ? "create domain d_TABLE as varchar(40) default 'visitor77'; alter table TABLE alter column username"
                                + " set data type d_TABLE"
                        : "create domain d_TABLE as varchar(40) default 'visitor77'; alter table TABLE alter column username"
                                + " type d_TABLE",
                "insert into TABLE (city) values ('Rome')",
                "visitor77");
        table.sql("drop table TABLE cascade", "drop domain d_TABLE");
    }

    @Test
    void whatAnUpdateOfAnotherColumnChangesIsUnseen() throws SQLException {
        if (engine == Engine.H2) { // which alone has such a clause
            anothersDefinitionThen(
                    "alter table TABLE alter column username set on update 'visitor78'",
                    "update TABLE set city = 'Rome'",
                    "visitor78");
        }
    }

    @Test
    void aViewByWhichTheTableIsWrittenIsAWord() throws SQLException {
        if (engine == Engine.POSTGRESQL) { // H2 writes none
            anothersDefinitionThen(
                    "create view v_TABLE as select * from TABLE; create view w_TABLE as select * from v_TABLE",
                    "insert into w_TABLE (username) values ('visitor79')",
                    "visitor79");
        }
    }

    @Test
    void aViewOfTheApplicationsOwnIsAWordAtOnce() throws SQLException {
        if (engine == Engine.POSTGRESQL) {
            inTransaction("create view v_TABLE as select * from TABLE");
            inTransaction("insert into v_TABLE (username) values ('visitor80')");
            assertThat(checker.check(USERNAME, "visitor80").status()).isEqualTo(Status.TAKEN);
            awaitReady();
            inTransaction("insert into v_TABLE (username) values ('visitor81')");
            assertThat(checker.check(USERNAME, "visitor81").status()).isEqualTo(Status.TAKEN);
        }
    }

    /** Made by a job each night, some of them with letters that only a few collations know. */
    @Test
    void aPartitionThatSomebodyHasMadeIsAWord() throws SQLException {
        if (engine == Engine.H2) {
            return;
        }
        String parts = "\"Ünion" + table.name() + '"';
        table.sql(
                "create table " + parts + " (id bigint, username varchar(40)) partition by range (id)",
                "create table s0_TABLE partition of " + parts + " for values from (0) to (10)");
        JdbcIdentifiers identifiers = JdbcIdentifiers.table(table.dataSource(), parts, "username");
        try (AvailabilityChecker other = AvailabilityChecker.builder()
                        .source(identifiers)
                        .normalizer(USERNAME, UsernameNormalizer.builder().build())
                        .recheckTimeout(Duration.ofMinutes(1))
                        .catalogInterval(Duration.ofMillis(100))
                        .singleWriter(false)
                        .build();
                Connection connection =
                        WatchedDataSource.of(table.dataSource(), identifiers).getConnection()) {
            Eventually.holds("ready", () -> other.state(USERNAME) == KindState.READY);
            table.sql("create table s1_TABLE partition of " + parts + " for values from (10) to (20)");
            Eventually.holds("the word is known", () -> {
                try {
                    execute(connection, "insert into s1_TABLE values (11, 'visitor82')");
                    return other.state(USERNAME) == KindState.DEGRADED;
                } catch (SQLException e) {
                    throw new IllegalStateException(e);
                }
            });
            assertThat(other.check(USERNAME, "visitor82").status()).isEqualTo(Status.TAKEN);
        } finally {
            table.sql("drop table " + parts);
        }
    }

    /** Which a driver refuses in the middle of a transaction. */
    @Test
    void aBatchBeginsNoTransactionBeforeItIsSent() throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            try (PreparedStatement statement =
                    connection.prepareStatement("insert into " + table.name() + " (city) values (?)")) {
                statement.setString(1, "Rome");
                statement.addBatch();
                connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
                statement.executeBatch();
            }
            connection.commit();
        }
        assertThat(recorded.sent()).hasSize(1);
    }

    @Test
    void aMigrationOfAnotherSchemasTableKeepsNobodyWaiting() throws SQLException {
        table.sql(
                "create schema o_TABLE",
                "create table o_TABLE.TABLE (id bigint, username varchar(40) default 'guest')");
        try (Connection migration = table.connection()) {
            migration.setAutoCommit(false);
            execute(migration, "alter table o_TABLE.TABLE add city varchar(9)");
            String set = engine == Engine.H2 ? "set @a = 1" : "set local lock_timeout = 3000";
            long began = System.nanoTime();
            inTransaction(set, "update TABLE set city = 'Rome' where id = 1");
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(3));
            began = System.nanoTime();
            try (Connection connection = dataSource.getConnection()) {
                connection.setAutoCommit(false);
                execute(connection, set);
                try (Statement statement = connection.createStatement()) {
                    statement.setQueryTimeout(2);
                    statement.executeUpdate("update " + table.name() + " set city = 'Paris' where id = 1");
                }
                connection.commit();
            }
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(2));
            migration.rollback();
        }
    }

    /** Looked at before its commit, it is as it was. */
    @Test
    void aSchemaSwapInAnOpenTransactionIsSeenOnceItIsCommitted() throws SQLException {
        if (engine == Engine.H2) {
            return; // where a definition commits
        }
        table.sql(
                "create schema o_TABLE",
                "create table o_TABLE.people (username varchar(40) unique)",
                "create schema s_TABLE",
                "create table s_TABLE.people (username varchar(40) unique)",
                "insert into s_TABLE.people values ('zedd')");
        JdbcIdentifiers people = JdbcIdentifiers.table(table.dataSource(), "o_" + table.name() + ".people", "username");
        try (AvailabilityChecker other = AvailabilityChecker.builder()
                        .source(people)
                        .normalizer(USERNAME, UsernameNormalizer.builder().build())
                        .recheckTimeout(Duration.ofMinutes(1))
                        .catalogInterval(Duration.ofMillis(100))
                        .singleWriter(false)
                        .build();
                Connection migration = table.connection()) {
            Eventually.holds("ready", () -> other.state(USERNAME) == KindState.READY);
            migration.setAutoCommit(false);
            execute(migration, "alter schema o_TABLE rename to x_TABLE");
            execute(migration, "alter schema s_TABLE rename to o_TABLE");
            execute(migration, "alter schema x_TABLE rename to s_TABLE");
            assertThat(other.check(USERNAME, "zedd").status()).isEqualTo(Status.AVAILABLE);
            migration.commit();
            Eventually.holds("seen", () -> other.check(USERNAME, "zedd").status() == Status.TAKEN);
            Eventually.holds("ready", () -> other.state(USERNAME) == KindState.READY);
            assertThat(other.check(USERNAME, "zedd").status()).isEqualTo(Status.TAKEN);
        }
    }

    private void swapsSchemas(boolean asTheApplication) throws SQLException {
        table.sql(
                "create schema o_TABLE",
                "create table o_TABLE.people (username varchar(40) unique)",
                "create schema s_TABLE",
                "create table s_TABLE.people (username varchar(40) unique)",
                "insert into s_TABLE.people values ('zedd')");
        JdbcIdentifiers people = JdbcIdentifiers.table(table.dataSource(), "o_" + table.name() + ".people", "username");
        try (AvailabilityChecker other = AvailabilityChecker.builder()
                        .source(people)
                        .normalizer(USERNAME, UsernameNormalizer.builder().build())
                        .recheckTimeout(Duration.ofMinutes(1))
                        .catalogInterval(Duration.ofMillis(100))
                        .singleWriter(false)
                        .build();
                Connection connection = asTheApplication
                        ? WatchedDataSource.of(table.dataSource(), people).getConnection()
                        : table.connection()) {
            Eventually.holds("ready", () -> other.state(USERNAME) == KindState.READY);
            assertThat(other.check(USERNAME, "zedd").status()).isEqualTo(Status.AVAILABLE);
            execute(connection, "alter schema o_TABLE rename to x_TABLE");
            execute(connection, "alter schema s_TABLE rename to o_TABLE");
            execute(connection, "alter schema x_TABLE rename to s_TABLE");
            if (asTheApplication) {
                assertThat(other.check(USERNAME, "zedd").status()).isEqualTo(Status.TAKEN);
            }
            Eventually.holds("seen", () -> other.check(USERNAME, "zedd").status() == Status.TAKEN);
            Eventually.holds("ready", () -> other.state(USERNAME) == KindState.READY);
            assertThat(other.check(USERNAME, "zedd").status()).isEqualTo(Status.TAKEN);
        }
    }

    @Test
    void aSchemaSwapByAnotherProgramIsSeenByTheNextLook() throws SQLException {
        swapsSchemas(false);
    }

    @Test
    void aSchemaSwapByTheApplicationItselfIsSeenAtOnce() throws SQLException {
        swapsSchemas(true);
    }

    /** A way to end a transaction. */
    private interface End {
        void of(Connection connection) throws SQLException;
    }

    /** For others nothing has changed before, so that memory answers meanwhile; and everything has when it is over. */
    private void endsOpenTransaction(End end) throws SQLException {
        table.sql(
                "create schema o_TABLE",
                "create table o_TABLE.people (username varchar(40) unique)",
                "create schema s_TABLE",
                "create table s_TABLE.people (username varchar(40) unique)",
                "insert into s_TABLE.people values ('zedd')");
        JdbcIdentifiers people = JdbcIdentifiers.table(table.dataSource(), "o_" + table.name() + ".people", "username");
        try (AvailabilityChecker other = AvailabilityChecker.builder()
                        .source(people)
                        .normalizer(USERNAME, UsernameNormalizer.builder().build())
                        .recheckTimeout(Duration.ofMinutes(1))
                        .singleWriter(false)
                        .build();
                Connection migration =
                        WatchedDataSource.of(table.dataSource(), people).getConnection()) {
            Eventually.holds("ready", () -> other.state(USERNAME) == KindState.READY);
            migration.setAutoCommit(false);
            execute(migration, "alter schema o_TABLE rename to x_TABLE");
            execute(migration, "alter schema s_TABLE rename to o_TABLE");
            execute(migration, "alter schema x_TABLE rename to s_TABLE");
            Eventually.holds("ready again", () -> other.state(USERNAME) == KindState.READY);
            assertThat(other.check(USERNAME, "zedd").status()).isEqualTo(Status.AVAILABLE);
            end.of(migration);
            assertThat(other.check(USERNAME, "zedd").status()).isEqualTo(Status.TAKEN);
            Eventually.holds("ready", () -> other.state(USERNAME) == KindState.READY);
            assertThat(other.check(USERNAME, "zedd").status()).isEqualTo(Status.TAKEN);
        }
    }

    @Test
    void aDefinitionOfTheApplicationsOwnCountsOnceMoreWhenItIsCommitted() throws SQLException {
        if (engine == Engine.POSTGRESQL) { // on H2 each commits
            endsOpenTransaction(Connection::commit);
        }
    }

    @Test
    void orWhenAutocommitIsTurnedOn() throws SQLException {
        if (engine == Engine.POSTGRESQL) {
            endsOpenTransaction(connection -> connection.setAutoCommit(true));
        }
    }

    @Test
    void orByAText() throws SQLException {
        if (engine == Engine.POSTGRESQL) {
            endsOpenTransaction(connection -> execute(connection, "commit"));
        }
    }

    /** Nobody else can know the view before, and no lock that a birth waits for shows who has made it. */
    @Test
    void whatIsWrittenThroughAViewOfTheSameTransactionIsKnownWhenItIsCommitted() throws SQLException {
        if (engine == Engine.H2) {
            return;
        }
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            execute(connection, "create view v_TABLE as select * from TABLE");
            awaitReady();
            execute(connection, "insert into v_TABLE (username) values ('visitor83')");
            connection.commit();
            assertThat(checker.check(USERNAME, "visitor83").status()).isEqualTo(Status.TAKEN);
            awaitReady();
            assertThat(checker.check(USERNAME, "visitor83").status()).isEqualTo(Status.TAKEN);
        }
    }

    /** Which had no name that anybody knew, and is taken for empty unless it was written here. */
    @Test
    void aPartitionThatWasWrittenByItsNameBeforeALookHasShownItIsScanned() throws SQLException {
        if (engine == Engine.H2) {
            return;
        }
        table.sql(
                "create table o_TABLE (id bigint, username varchar(40)) partition by range (id)",
                "create table s0_TABLE partition of o_TABLE for values from (0) to (1000000)",
                // so many that no audit finds the one that is missing
                "insert into o_TABLE select x, 'n' || x from generate_series(1, 50000) x");
        JdbcIdentifiers identifiers = JdbcIdentifiers.table(table.dataSource(), "o_" + table.name(), "username");
        try (AvailabilityChecker other = AvailabilityChecker.builder()
                        .source(identifiers)
                        .normalizer(USERNAME, UsernameNormalizer.builder().build())
                        .recheckTimeout(Duration.ofMinutes(1))
                        .catalogInterval(Duration.ofHours(1))
                        .singleWriter(false)
                        .build();
                Connection connection =
                        WatchedDataSource.of(table.dataSource(), identifiers).getConnection()) {
            Eventually.holds("ready", () -> other.state(USERNAME) == KindState.READY);
            table.sql("create table s1_TABLE partition of o_TABLE for values from (1000000) to (2000000)");
            execute(connection, "insert into s1_TABLE values (1000000, 'visitor84')");
            execute(connection, "comment on schema public is 'a look is wanted after a definition'");
            Eventually.holds("seen", () -> other.check(USERNAME, "visitor84").status() == Status.TAKEN);
            Eventually.holds("ready", () -> other.state(USERNAME) == KindState.READY);
            assertThat(other.check(USERNAME, "visitor84").status()).isEqualTo(Status.TAKEN);
        } finally {
            table.sql("drop table o_TABLE");
        }
    }

    @Test
    void aRoleThatMayNotReadTheCatalogWritesAsEver() throws SQLException {
        if (engine == Engine.H2) {
            return; // whose catalog anybody may read
        }
        table.sql(
                "create role r_TABLE login",
                "create table p_TABLE (id bigint)",
                "grant all on all tables in schema public to r_TABLE",
                "revoke select on pg_catalog.pg_inherits from public");
        try {
            DataSource poor = new UrlDataSource(table.url().replace("user=postgres", "user=r_" + table.name()));
            JdbcIdentifiers identifiers = JdbcIdentifiers.table(poor, table.name(), "username");
            try (AvailabilityChecker other = AvailabilityChecker.builder()
                            .source(identifiers)
                            .normalizer(USERNAME, UsernameNormalizer.builder().build())
                            .recheckTimeout(Duration.ofMinutes(1))
                            .singleWriter(false)
                            .build();
                    Connection connection =
                            WatchedDataSource.of(poor, identifiers).getConnection()) {
                connection.setAutoCommit(false);
                execute(connection, "insert into p_TABLE values (1)");
                execute(connection, "insert into p_TABLE values (2)");
                connection.commit();
                assertThat(other.check(USERNAME, "from-before").status()).isEqualTo(Status.TAKEN);
                assertThat(other.check(USERNAME, "unclaimed").status()).isEqualTo(Status.AVAILABLE);
            }
        } finally {
            table.sql(
                    "grant select on pg_catalog.pg_inherits to public",
                    "drop table p_TABLE",
                    "drop owned by r_TABLE",
                    "drop role r_TABLE");
        }
    }
}
