package io.github.untaken.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.IdentifierKind;
import io.github.untaken.KindState;
import io.github.untaken.Verdict;
import io.github.untaken.Verdict.DecidedBy;
import io.github.untaken.Verdict.Status;
import io.github.untaken.jdbc.column.IdentifierColumn;
import io.github.untaken.jdbc.comparison.ColumnComparison;
import io.github.untaken.jdbc.comparison.StandardComparison;
import io.github.untaken.jdbc.connection.Database;
import io.github.untaken.jdbc.connection.Lookup;
import io.github.untaken.spi.RegisteredIdentifierStore;
import io.github.untaken.spi.RegisteredIdentifierStore.Batched;
import io.github.untaken.spi.RegisteredIdentifierStore.Catalogued;
import io.github.untaken.spi.RegisteredIdentifierStore.Comparing;
import io.github.untaken.spi.RegisteredIdentifierStore.Presence;
import io.github.untaken.test.database.Engine;
import io.github.untaken.test.log.LoggedLines;
import io.github.untaken.testkit.Eventually;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows that stay in the table when they are deleted, and whose names are free again. */
class SoftDeletionTest {
    private static final IdentifierKind USERNAME = IdentifierKind.USERNAME;
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private static final String COLUMNS = "username varchar(40), deleted_at timestamp, tenant int default 1";

    /** How it is known which rows count. */
    enum Rule {
        H2_SAID(Engine.H2, COLUMNS, "deleted_at is null"),
        H2_LIVE(
                Engine.H2,
                COLUMNS + ", live int generated always as (case when deleted_at is null then 1 end)",
                "live is not null",
                "create unique index TABLE_live on TABLE (username, live)"),
        POSTGRESQL_SAID(Engine.POSTGRESQL, COLUMNS, "deleted_at is null"),
        POSTGRESQL_PARTIAL(
                Engine.POSTGRESQL, COLUMNS, null, "create unique index on TABLE (username) where deleted_at is null"),
        POSTGRESQL_PARTIAL_LOWER(
                Engine.POSTGRESQL,
                COLUMNS,
                null,
                "create unique index on TABLE (lower(username)) where deleted_at is null");

        private final Engine engine;
        private final String columns;
        private final @Nullable String where;
        private final String[] indexes;

        Rule(Engine engine, String columns, @Nullable String where, String... indexes) {
            this.engine = engine;
            this.columns = columns;
            this.where = where;
            this.indexes = indexes;
        }

        TestTable table() {
            return TestTable.of(engine, columns, indexes);
        }
    }

    private static IdentifierTable named(TestTable table, @Nullable String where) {
        IdentifierTable named = IdentifierTable.of(table.name(), "username");
        return where == null ? named : named.where(where);
    }

    private static RegisteredIdentifierStore store(TestTable table, @Nullable String where) {
        RegisteredIdentifierStore store = JdbcIdentifiers.of(table.dataSource(), named(table, where))
                .stores()
                .get(USERNAME)
                .get(0);
        return store;
    }

    private static AvailabilityChecker ready(JdbcIdentifiers identifiers) {
        AvailabilityChecker checker = AvailabilityChecker.builder()
                .source(identifiers)
                .recheckTimeout(TIMEOUT)
                .singleWriter(false)
                .build();
        Eventually.holds("ready", () -> checker.state(USERNAME) == KindState.READY);
        return checker;
    }

    private static Verdict assertStatus(AvailabilityChecker checker, String name, Status status) {
        Verdict verdict = checker.check(USERNAME, name);
        assertThat(verdict.status()).as(name).isEqualTo(status);
        assertThat(checker.state(USERNAME)).isEqualTo(KindState.READY);
        return verdict;
    }

    private static final String DELETE = "update TABLE set deleted_at = current_timestamp where username = ";

    @ParameterizedTest
    @EnumSource
    void aDeletedNameIsFreeAndTakenAsSoonAsSomebodyRevivesIt(Rule rule) {
        try (TestTable table = rule.table()) {
            table.sql(
                    "insert into TABLE (username) values ('alice77'), ('bobby77'), ('carol77')", DELETE + "'bobby77'");
            try (AvailabilityChecker checker =
                    ready(JdbcIdentifiers.of(table.dataSource(), named(table, rule.where)))) {
                for (int i = 0; i < 2; i++) {
                    assertThat(assertStatus(checker, "bobby77", Status.AVAILABLE)
                                    .decidedBy())
                            .isEqualTo(DecidedBy.STORE);
                }
                assertStatus(checker, "alice77", Status.TAKEN);
                assertThat(checker.checkAll(USERNAME, List.of("nobody77", "bobby77", "alice77", "carol77")).stream()
                                .map(Verdict::status))
                        .containsExactly(Status.AVAILABLE, Status.AVAILABLE, Status.TAKEN, Status.TAKEN);
                table.sql("update TABLE set deleted_at = null", DELETE + "'alice77'"); // nobody hears of it
                assertStatus(checker, "bobby77", Status.TAKEN);
                assertStatus(checker, "alice77", Status.AVAILABLE);
                table.sql("insert into TABLE (username) values ('alice77')");
                assertStatus(checker, "alice77", Status.TAKEN);
                table.sql("delete from TABLE where username = 'carol77'");
                assertStatus(checker, "carol77", Status.AVAILABLE);
                assertThat(assertStatus(checker, "carol77", Status.AVAILABLE).decidedBy())
                        .as("that there is no row is remembered")
                        .isEqualTo(DecidedBy.WHITELIST);
            }
        }
    }

    /** The statements of RuoYi's mapper, over a watched data source. */
    @ParameterizedTest
    @EnumSource(Engine.class)
    void whatRuoYiDeletesCostsNoScanAndFreesTheName(Engine engine) throws SQLException {
        try (TestTable table = TestTable.of(
                engine, "user_name varchar(30) not null, nick_name varchar(30), del_flag char(1) default '0'")) {
            JdbcIdentifiers identifiers = JdbcIdentifiers.of(
                    table.dataSource(),
                    IdentifierTable.of(table.name(), "user_name", USERNAME).where("del_flag = '0'"));
            DataSource watched = WatchedDataSource.of(table.dataSource(), identifiers);
            String insert = "insert into TABLE( user_name, nick_name ) values( ?, ? )";
            try (AvailabilityChecker checker = ready(identifiers)) {
                update(watched, table, insert, "ruoyi77", "nick");
                assertStatus(checker, "ruoyi77", Status.TAKEN);
                update(watched, table, "update TABLE set del_flag = '2' where id = ?", "1");
                assertStatus(checker, "ruoyi77", Status.AVAILABLE);
                assertThat(assertStatus(checker, "ruoyi77", Status.AVAILABLE).decidedBy())
                        .isEqualTo(DecidedBy.STORE);
                update(watched, table, insert, "ruoyi77", "another");
                assertStatus(checker, "ruoyi77", Status.TAKEN);
            }
        }
    }

    private static void update(DataSource watched, TestTable table, String sql, String... values) throws SQLException {
        try (Connection connection = watched.getConnection();
                PreparedStatement statement = connection.prepareStatement(sql.replace("TABLE", table.name()))) {
            if (values.length == 1) {
                statement.setLong(1, Long.parseLong(values[0]));
            } else {
                statement.setString(1, values[0]);
                statement.setString(2, values[1]);
            }
            statement.executeUpdate();
        }
    }

    @ParameterizedTest
    @EnumSource(Engine.class)
    void whatTheDatabaseDoesNotTakeForAConditionIsRefusedAtTheStart(Engine engine) {
        try (TestTable table = TestTable.of(engine, COLUMNS)) {
            for (String where : List.of(
                    "tenant = 1)",
                    "(tenant = 1",
                    "tenant = 1) or (tenant = 2",
                    "tenant = 1; drop table " + table.name(),
                    "tenant = 1 -- two",
                    "tenant = 1 /* two",
                    "tenant = 1 */",
                    "username = 'x",
                    "username = \"x",
                    "nothing = 1",
                    engine == Engine.H2 ? "rows > 0" : "count(*) > 0", // H2 refuses that with the first row only
                    "tenant = ?",
                    "tenant = 1 then 1 when tenant = 2",
                    "tenant = 1 then 1 end, case when tenant = 2",
                    "tenant = 1) then 1 else 2 end from " + table.name() + " where (1 = 1",
                    "tenant = 1 order by 1",
                    "where tenant = 1")) {
                JdbcIdentifiers identifiers = JdbcIdentifiers.of(table.dataSource(), named(table, where));
                assertThatThrownBy(identifiers::stores)
                        .as(where)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining(table.name() + ".username")
                        .hasMessageContaining("\"" + where + "\"")
                        .hasMessageContaining("untaken.tables");
            }
            assertThat(table.query("select count(*) from TABLE")).isEqualTo("0");
            table.sql("insert into TABLE (username) values ('alice')");
            for (String where : List.of(
                    "tenant = 1 or tenant = 2",
                    "(tenant = 1) and (1 = 1)",
                    "tenant in (1, 2)",
                    "username <> 'a)' and username <> ';--?'",
                    "tenant = 1 /* two */ and 1 = 1",
                    "exists (select 1 from " + table.name() + " others where others.tenant = 1)")) {
                assertThat(store(table, where).exists("alice", TIMEOUT))
                        .as(where)
                        .isEqualTo(Presence.COUNTED);
            }
            assertThatThrownBy(() -> named(table, " ")).hasMessageContaining("blank");
        }
    }

    @ParameterizedTest
    @EnumSource(Engine.class)
    void aUniqueIndexOnAllRowsHasTheLastWordAndAWarningSaysSo(Engine engine) {
        try (TestTable table = TestTable.of(engine, COLUMNS, "create unique index TABLE_all on TABLE (username)");
                LoggedLines log = new LoggedLines()) {
            table.sql("insert into TABLE (username) values ('alice')", DELETE + "'alice'");
            RegisteredIdentifierStore store = store(table, "deleted_at is null");
            ((Comparing) store).describe();
            assertThat(store.exists("alice", TIMEOUT)).isEqualTo(Presence.COUNTED);
            assertThat(((Batched) store).existEach(List.of("bob", "alice"), TIMEOUT))
                    .containsExactly(Presence.ABSENT, Presence.COUNTED);
            assertThat(log.warnings())
                    .anyMatch(said ->
                            said.contains("deleted_at is null") && said.contains("its unique index covers all rows"));
        }
    }

    /**
     * The oracle is the database: what it refuses beside a deleted row counts, and what is absent it takes.
     *
     * @param freed whether the name of a deleted row is free, which it may always be said not to be
     */
    @Tag("ci")
    @ParameterizedTest
    @CsvSource(
            delimiter = '#',
            value = {
                "true # create unique index on TABLE (username) where deleted_at is null",
                "true # create unique index on TABLE (lower(username)) where deleted_at is null",
                "true # create unique index on TABLE (username collate \"C\") where deleted_at is null",
                "true # create unique index on TABLE (username) where deleted_at is null and username <> 'x'",
                "true # create unique index on TABLE (username) where (('{}'::jsonb) ? 'a?') is not true and deleted_at is null",
                "true # create unique index on TABLE (username) where deleted_at is null; create unique index on TABLE (lower(username)) where deleted_at is null and tenant = 1",
                "true # create unique index on TABLE (nullif(lower(username), 'alice')) where deleted_at is null",
                "true # alter table TABLE add k text generated always as (lower(username)) stored; create unique index on TABLE (k) where deleted_at is null",
                "true # create index on TABLE (username); create unique index on TABLE (username) where deleted_at is null",
                "false # create unique index on TABLE (username); create unique index on TABLE (lower(username)) where deleted_at is null",
                "false # create unique index on TABLE (lower(username)); create unique index on TABLE (username) where deleted_at is null",
                "false # create unique index on TABLE (tenant, username); create unique index on TABLE (username) where deleted_at is null",
                "false # create unique index on TABLE (tenant, lower(username)); create unique index on TABLE (username) where deleted_at is null",
                "false # create unique index on TABLE (tenant, username)",
                "false # create unique index on TABLE (lower(username || tenant::text)); create unique index on TABLE (username) where deleted_at is null",
                "false # alter table TABLE add k text generated always as (lower(username)) stored; create unique index on TABLE (tenant, k); create unique index on TABLE (username) where deleted_at is null",
                "false # alter table TABLE add exclude using btree (username with =); create unique index on TABLE (username) where deleted_at is null",
                "false # create table TABLE_more () inherits (TABLE); create unique index on TABLE (username) where deleted_at is null",
            })
    void onPostgresWhatAnyUniqueIndexRefusesIsTaken(boolean freed, String indexes) throws SQLException {
        try (TestTable table = TestTable.of(Engine.POSTGRESQL, COLUMNS, indexes.split(";"));
                Connection connection = table.connection()) {
            table.sql("insert into TABLE (username) values ('Alice'), ('bobby')", DELETE + "'Alice'");
            connection.setAutoCommit(false);
            RegisteredIdentifierStore store = store(table, null);
            boolean ofSeveral =
                    indexes.contains("(tenant") || indexes.contains("||"); // by itself it makes nothing equal
            for (boolean described : new boolean[] {false, true}) {
                if (described) {
                    ((Comparing) store).describe();
                }
                for (String name : List.of("Alice", "alice", "ALICE", "bobby", "Bobby", "nobody")) {
                    Presence found = store.exists(name, TIMEOUT);
                    assertThat(((Batched) store).existEach(List.of("nobody", name), TIMEOUT))
                            .as(name)
                            .containsExactly(Presence.ABSENT, found);
                    boolean refused = false;
                    try {
                        table.insert(connection, name);
                    } catch (SQLException e) {
                        assertThat(e.getSQLState()).startsWith("23");
                        refused = true;
                    }
                    connection.rollback();
                    if (refused && (!ofSeveral || List.of("Alice", "bobby").contains(name))) {
                        assertThat(found).as("%s is refused", name).isEqualTo(Presence.COUNTED);
                    }
                }
                assertThat(store.exists("Alice", TIMEOUT)).isEqualTo(freed ? Presence.UNCOUNTED : Presence.COUNTED);
                assertThat(store.exists("bobby", TIMEOUT)).isEqualTo(Presence.COUNTED);
                boolean folds = indexes.contains("lower") && freed && !indexes.contains("nullif");
                if (folds) {
                    assertThat(store.exists("alice", TIMEOUT))
                            .as("which an index holds equal to a name that does not count")
                            .isEqualTo(Presence.UNCOUNTED);
                }
            }
        }
    }

    @Test
    void onPostgresATakenNameIsFoundByThePartialIndexAndAWarningNamesTheIndexThatIsMissing() {
        try (TestTable table = TestTable.of(
                        Engine.POSTGRESQL,
                        COLUMNS,
                        "create unique index on TABLE (username) where deleted_at is null");
                LoggedLines log = new LoggedLines()) {
            table.sql(
                    "insert into TABLE (username) select 'user' || x from " + Engine.POSTGRESQL.numbers(5_000),
                    "vacuum analyze TABLE");
            RegisteredIdentifierStore store = store(table, null);
            assertThat(((Comparing) store).describe().unique()).isTrue();
            String create = "create index on \"public\".\"" + table.name() + "\" (username)";
            assertThat(log.warnings()).anyMatch(said -> said.contains("Run: " + create));
            assertThat(store.exists("user17", TIMEOUT)).isEqualTo(Presence.COUNTED);
            table.sql(create);
            try (LoggedLines later = new LoggedLines()) {
                RegisteredIdentifierStore indexed = store(table, null);
                ((Comparing) indexed).describe();
                assertThat(later.warnings()).noneMatch(said -> said.contains("Run:"));
                table.sql("vacuum analyze TABLE");
                assertThat(indexed.exists("nobody", TIMEOUT)).isEqualTo(Presence.ABSENT);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"deleted_at is null", "tenant = 2"})
    void onPostgresWhatTheApplicationSaysCountsBesideAPartialIndex(String where) {
        try (TestTable table = TestTable.of(
                Engine.POSTGRESQL,
                COLUMNS,
                "create unique index on TABLE (lower(username)) where deleted_at is null")) {
            table.sql(
                    "insert into TABLE (username) values ('alice'), ('bobby')",
                    "insert into TABLE (username, tenant) values ('carol', 2)",
                    DELETE + "'bobby'",
                    DELETE + "'carol'");
            RegisteredIdentifierStore store = store(table, where);
            boolean ofTenant = where.contains("tenant");
            assertThat(((Batched) store).existEach(List.of("alice", "ALICE", "bobby", "carol", "Carol"), TIMEOUT))
                    .containsExactly(
                            Presence.COUNTED,
                            Presence.COUNTED,
                            Presence.UNCOUNTED,
                            ofTenant ? Presence.COUNTED : Presence.UNCOUNTED,
                            ofTenant ? Presence.COUNTED : Presence.UNCOUNTED);
        }
    }

    @Test
    void onPostgresAnotherConditionCountsFromTheNextLookOn() {
        String create = "create unique index TABLE_some on TABLE (username) where deleted_at is ";
        try (TestTable table = TestTable.of(Engine.POSTGRESQL, COLUMNS, create + "null")) {
            table.sql("insert into TABLE (username) values ('alice')", DELETE + "'alice'");
            RegisteredIdentifierStore store = store(table, null);
            ((Catalogued) store).catalog().look();
            assertThat(store.exists("alice", TIMEOUT)).isEqualTo(Presence.UNCOUNTED);
            table.sql("drop index TABLE_some", create + "not null");
            ((Catalogued) store).catalog().look();
            assertThat(store.exists("alice", TIMEOUT)).isEqualTo(Presence.COUNTED);
        }
    }

    /** What any driver and database can say. */
    @Test
    void standardSqlTellsThemApart() throws SQLException {
        try (TestTable table = TestTable.of(Engine.H2, COLUMNS);
                Connection connection = table.connection()) {
            table.sql("insert into TABLE (username) values ('alice'), ('bobby'), ('bobby')", DELETE + "'alice'");
            table.sql("update TABLE set deleted_at = current_timestamp where id = 2");
            IdentifierColumn column =
                    new IdentifierColumn(table.name().toUpperCase(Locale.ROOT), "USERNAME", null, "deleted_at is null");
            StandardComparison comparison = new StandardComparison(column, Database.OTHER);
            assertThat(ask(comparison, "alice", connection)).isEqualTo(Presence.UNCOUNTED);
            assertThat(ask(comparison, "bobby", connection)).isEqualTo(Presence.COUNTED);
            assertThat(ask(comparison, "carol", connection)).isEqualTo(Presence.ABSENT);
            table.sql("delete from TABLE where id = 2", "create unique index TABLE_all on TABLE (username)");
            comparison.describe(connection);
            assertThat(ask(comparison, "alice", connection)).isEqualTo(Presence.COUNTED);
            assertThat(comparison.advice(connection)).isPresent();
        }
    }

    private static Presence ask(ColumnComparison comparison, String name, Connection connection) throws SQLException {
        Lookup lookup = comparison.lookup(name, connection);
        try (PreparedStatement statement = connection.prepareStatement(lookup.sql())) {
            lookup.bind(statement);
            return lookup.answer(statement);
        }
    }
}
