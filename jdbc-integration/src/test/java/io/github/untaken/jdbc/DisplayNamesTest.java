package io.github.untaken.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.IdentifierKind;
import io.github.untaken.KindState;
import io.github.untaken.Verdict;
import io.github.untaken.Verdict.DecidedBy;
import io.github.untaken.Verdict.Status;
import io.github.untaken.jdbc.column.IdentifierColumn;
import io.github.untaken.jdbc.comparison.BatchComparison;
import io.github.untaken.jdbc.comparison.H2Comparison;
import io.github.untaken.jdbc.comparison.PostgreSqlComparison;
import io.github.untaken.jdbc.connection.Lookup;
import io.github.untaken.spi.RegisteredIdentifierStore.Batched;
import io.github.untaken.spi.RegisteredIdentifierStore.Comparing;
import io.github.untaken.spi.RegisteredIdentifierStore.Presence;
import io.github.untaken.spi.RegisteredIdentifierStore.ValuePair;
import io.github.untaken.spi.StoreException;
import io.github.untaken.test.database.Engine;
import io.github.untaken.test.log.LoggedLines;
import io.github.untaken.testkit.Eventually;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Columns that hold names as they were typed, such as {@code Alice}, under a unique index that knows no case. */
class DisplayNamesTest {
    private static final IdentifierKind USERNAME = IdentifierKind.USERNAME;
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    private static final Pattern SCANNED = Pattern.compile("scanCount: (\\d+)");

    /** How a database is told that 'Alice' and 'alice' are one name. */
    enum Shape {
        H2_IGNORECASE(Engine.H2, "username varchar_ignorecase(40) unique", ""),
        H2_GENERATED(
                Engine.H2,
                "username varchar(40), username_key varchar(40) generated always as (lower(username))",
                "create unique index TABLE_key on TABLE (username_key)"),
        POSTGRESQL_CITEXT(Engine.POSTGRESQL, "username citext unique", ""),
        POSTGRESQL_LOWER(
                Engine.POSTGRESQL, "username varchar(40)", "create unique index TABLE_key on TABLE (lower(username))"),
        POSTGRESQL_GENERATED(
                Engine.POSTGRESQL,
                "username varchar(40), username_key text generated always as (lower(username)) stored unique",
                "");

        private final Engine engine;
        private final String columns;
        private final String index;

        Shape(Engine engine, String columns, String index) {
            this.engine = engine;
            this.columns = columns;
            this.index = index;
        }

        TestTable table() {
            return DisplayNamesTest.table(engine, columns, index);
        }
    }

    private static TestTable table(Engine engine, String columns, @Nullable String index) {
        return index == null || index.isEmpty() ? TestTable.of(engine, columns) : TestTable.of(engine, columns, index);
    }

    @BeforeAll
    static void extend() {
        Extensions.create("citext");
    }

    private static void fill(TestTable table, Engine engine, int rows) {
        table.sql(
                "insert into TABLE (username) select 'User' || x from " + engine.numbers(rows),
                engine == Engine.POSTGRESQL ? "vacuum analyze TABLE" : "analyze");
    }

    private static IdentifierColumn comparedAs(TestTable table, String said) {
        return new IdentifierColumn(table.name(), "username", said, null);
    }

    private static BatchComparison comparison(IdentifierColumn column, Engine engine) {
        return engine == Engine.POSTGRESQL ? new PostgreSqlComparison(column) : new H2Comparison(column);
    }

    @Tag("ci")
    @ParameterizedTest
    @EnumSource
    void aFreeNameIsAnsweredFromMemoryAndATakenOneIsFoundInAnyCase(Shape shape) {
        try (TestTable table = shape.table()) {
            fill(table, shape.engine, 200);
            try (AvailabilityChecker checker = AvailabilityChecker.builder()
                    .source(JdbcIdentifiers.table(table.dataSource(), table.name(), "username"))
                    .recheckTimeout(TIMEOUT)
                    .singleWriter(false)
                    .build()) {
                Eventually.holds("ready", () -> checker.state(USERNAME) == KindState.READY);
                for (String taken : List.of("User17", "user17", "USER17", "\uff35ser17")) {
                    assertThat(checker.check(USERNAME, taken).status()).isEqualTo(Status.TAKEN);
                }
                int fromMemory = 0;
                for (int i = 0; i < 300; i++) {
                    Verdict verdict = checker.check(USERNAME, "Nobody" + i);
                    assertThat(verdict.status()).isEqualTo(Status.AVAILABLE);
                    fromMemory += verdict.decidedBy() == DecidedBy.FILTER ? 1 : 0;
                }
                assertThat(fromMemory).isGreaterThan(290);
            }
        }
    }

    /** Comparing the bare column would read the whole table, for each name that is free. */
    @ParameterizedTest
    @EnumSource
    void aRecheckIsAnsweredByTheUniqueIndexAlone(Shape shape) throws SQLException {
        try (TestTable table = shape.table();
                Connection connection = table.connection()) {
            fill(table, shape.engine, 5_000);
            BatchComparison comparison = comparison(table.column(), shape.engine);
            for (String key : List.of("user4000", "nobody-here")) {
                String sql = comparison.lookup(key, connection).sql().replace("?", "'" + key + "'");
                boolean found = key.startsWith("user");
                assertThat(table.query(sql).equals(String.valueOf(Lookup.FOUND)))
                        .as(sql)
                        .isEqualTo(found);
                assertReadsNoTable(table, shape.engine, sql);
            }
            String each =
                    comparison.lookupEach(List.of("user1", "user2"), connection).sql();
            String array = shape.engine == Engine.H2
                    ? "array['user4000', 'nobody-here', 'nobody-else']"
                    : "'{user4000,nobody-here,nobody-else}'";
            assertReadsNoTable(table, shape.engine, each.replace("?", array));
            assertThat(((Comparing) table.store()).describe().unique()).isTrue();
        }
    }

    private static void assertReadsNoTable(TestTable table, Engine engine, String sql) {
        if (engine == Engine.H2) {
            String plan = table.query("explain analyze " + sql);
            assertThat(SCANNED.matcher(plan).results().mapToLong(found -> Long.parseLong(found.group(1))))
                    .as(plan)
                    .isNotEmpty()
                    .allMatch(rows -> rows < 20);
        } else {
            String plan = table.query("explain (analyze) " + sql);
            assertThat(plan.lines().filter(line -> line.contains("Seq Scan")))
                    .as(plan)
                    .allMatch(line -> line.contains("never executed"));
            assertThat(plan).contains("Index");
        }
    }

    /** Where what the index compares is null, the index has no say. */
    @ParameterizedTest
    @CsvSource({
        "H2, 'username varchar(40), k varchar(40) generated always as (nullif(lower(username), ''alice''))', create unique index TABLE_k on TABLE (k)",
        "POSTGRESQL, username varchar(40), 'create unique index on TABLE (nullif(lower(username), ''alice''))'"
    })
    void aNameOfWhichTheIndexKnowsNothingIsFoundAllTheSame(Engine engine, String columns, String index) {
        try (TestTable table = table(engine, columns, index)) {
            table.sql("insert into TABLE (username) values ('alice'), ('Bob')");
            Batched store = (Batched) table.store();
            assertThat(store.exists("alice", TIMEOUT)).isEqualTo(Presence.COUNTED);
            assertThat(store.existEach(List.of("alice", "bob", "Bob", "carol"), TIMEOUT))
                    .containsExactly(Presence.COUNTED, Presence.COUNTED, Presence.COUNTED, Presence.ABSENT);
        }
    }

    /** What a number or padded bytes make of a text is for the database to know. */
    @ParameterizedTest
    @ValueSource(strings = {"binary(40)", "varbinary(40)", "char(40)", "decimal(9, 0)", "real", "double precision"})
    void aCommittedNameIsFoundWhateverTheTypeOfTheIndex(String type) {
        try (TestTable table = table(
                Engine.H2,
                "username varchar(40), k " + type + " generated always as (username)",
                "create unique index TABLE_k on TABLE (k)")) {
            for (String name : List.of("12.7", "12", "0.1", "16777.217")) {
                table.sql("insert into TABLE (username) values ('" + name + "')");
                Batched store = (Batched) table.store();
                assertThat(store.exists(name, TIMEOUT)).as(name).isEqualTo(Presence.COUNTED);
                assertThat(store.existEach(List.of(name), TIMEOUT)).containsExactly(Presence.COUNTED);
                table.sql("delete from TABLE");
            }
        }
    }

    /** Of "Alice" it refuses "alice". */
    @ParameterizedTest
    @ValueSource(strings = {"binary(40)", "varbinary(40)", "char(40)"})
    void whatAnIndexOfAnyTypeRefusesIsFound(String type) {
        assumeThatLowerFolds(Engine.H2);
        try (TestTable table = table(
                Engine.H2,
                "username varchar(40), k " + type + " generated always as (lower(username))",
                "create unique index TABLE_k on TABLE (k)")) {
            table.sql("insert into TABLE (username) values ('Alice')");
            assertThat(((Batched) table.store()).existEach(List.of("alice", "Alice", "bob"), TIMEOUT))
                    .containsExactly(Presence.COUNTED, Presence.COUNTED, Presence.ABSENT);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "H2, 'username varchar(40) unique, k varchar(40) generated always as (replace(lower(username), ''.''))', create unique index TABLE_k on TABLE (k)",
        "POSTGRESQL, 'username varchar(40) unique, k text generated always as (replace(lower(username), ''.'', '''')) stored unique', ''"
    })
    void aUniqueIndexOnAGeneratedColumnIsAWayOfBeingEqual(Engine engine, String columns, String index) {
        assumeThatLowerFolds(engine);
        try (TestTable table = table(engine, columns, index)) {
            table.sql("insert into TABLE (username) values ('Al.Ice')");
            Batched store = (Batched) table.store();
            assertThat(((Comparing) store)
                            .heldEqual(List.of(new ValuePair("Al.Ice", "alice"), new ValuePair("a", "b"))))
                    .containsExactly(true, false);
            assertThat(store.existEach(List.of("alice", "bob"), TIMEOUT))
                    .containsExactly(Presence.COUNTED, Presence.ABSENT);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "H2, 'username varchar(40) unique, tenant varchar(9) default ''x'', k varchar(60) generated always as (tenant || lower(username))', create unique index TABLE_k on TABLE (k)",
        "POSTGRESQL, 'username varchar(40) unique, tenant text default ''x'', k text generated always as (tenant || lower(username)) stored unique', 'create unique index on TABLE ((tenant || username))'"
    })
    void whatIsComputedOfOtherColumnsTooIsNone(Engine engine, String columns, String index) {
        try (TestTable table = table(engine, columns, index)) {
            table.sql("insert into TABLE (username) values ('Alice')");
            assertThat(((Batched) table.store()).existEach(List.of("Alice", "alice"), TIMEOUT))
                    .containsExactly(Presence.COUNTED, Presence.ABSENT);
            assertThatThrownBy(() ->
                            table.store(comparedAs(table, "tenant || {column}")).exists("alice", TIMEOUT))
                    .isInstanceOf(StoreException.class);
        }
    }

    private static AvailabilityChecker checker(TestTable table) {
        AvailabilityChecker checker = AvailabilityChecker.builder()
                .source(JdbcIdentifiers.table(table.dataSource(), table.name(), "username"))
                .recheckTimeout(TIMEOUT)
                .singleWriter(false)
                .build();
        Eventually.holds("scanned", () -> checker.state(USERNAME) != KindState.WARMING);
        return checker;
    }

    /** Names that look alike are one to the index. */
    @Tag("ci")
    @ParameterizedTest
    @CsvSource({
        "H2, 'username varchar(40) unique, k varchar(40) generated always as (translate(lower(username), ''01'', ''ol''))', create unique index TABLE_k on TABLE (k)",
        "POSTGRESQL, username varchar(40) unique, 'create unique index on TABLE (translate(lower(username), ''01'', ''ol''))'",
        "H2, 'username varchar(40) unique, k varchar(10) generated always as (lower(left(username, 6)))', create unique index TABLE_k on TABLE (k)",
        "POSTGRESQL, username varchar(40) unique, 'create unique index on TABLE (lower(left(username, 6)))'"
    })
    void whatTheIndexHoldsEqualBeyondTheKeysIsNotAnsweredFromMemory(Engine engine, String columns, String index)
            throws SQLException {
        try (TestTable table = table(engine, columns, index);
                Connection connection = table.connection()) {
            table.insert(connection, "b0bby-one");
            connection.setAutoCommit(false);
            try (AvailabilityChecker checker = checker(table)) {
                for (String asked : List.of("bobby-one", "b0bby-two")) {
                    assertThat(isRefused(table, connection, asked)
                                    && checker.check(USERNAME, asked).available())
                            .as(asked)
                            .isFalse();
                }
            }
        }
    }

    /** It tells capitals from small letters, and merges what the keys do not: of "B0bby" it refuses "Bobby", and not "bobby". */
    @ParameterizedTest
    @CsvSource({
        "H2, 'username varchar(40) unique, k varchar(40) generated always as (translate(username, ''01'', ''ol''))', create unique index TABLE_k on TABLE (k)",
        "POSTGRESQL, username varchar(40) unique, 'create unique index on TABLE (translate(username, ''01'', ''ol''))'"
    })
    void aTypedNameThatOnlyTheIndexHoldsTakenIsAskedForAsItWasTyped(Engine engine, String columns, String index)
            throws SQLException {
        try (TestTable table = table(engine, columns, index);
                Connection connection = table.connection()) {
            table.insert(connection, "B0bby");
            connection.setAutoCommit(false);
            try (AvailabilityChecker checker = checker(table)) {
                assertThat(checker.state(USERNAME)).isEqualTo(KindState.READY);
                for (String asked : List.of("Bobby", "bobby", "BOBBY")) {
                    boolean refused = isRefused(table, connection, asked);
                    assertThat(refused).isEqualTo(asked.equals("Bobby"));
                    assertThat(refused && checker.check(USERNAME, asked).available())
                            .as(asked)
                            .isFalse();
                    assertThat(refused && checker.latest(USERNAME, asked).available())
                            .as(asked)
                            .isFalse();
                }
                assertThat(checker.checkAll(USERNAME, List.of("Nobody7", "Bobby", "nobody7")).stream()
                                .map(Verdict::available))
                        .containsExactly(true, false, true);
            }
        }
    }

    private static boolean isRefused(TestTable table, Connection connection, String name) throws SQLException {
        try {
            table.insert(connection, name);
            return false;
        } catch (SQLException e) {
            assertThat(e.getSQLState()).isEqualTo("23505");
            return true;
        } finally {
            connection.rollback();
        }
    }

    // ---------------------------------------------------------------- what an application says

    private static List<String> advice(TestTable table, String said) {
        Comparing store = (Comparing) table.store(comparedAs(table, said));
        try (LoggedLines log = new LoggedLines()) {
            store.describe();
            store.describe();
            return log.about(table.name());
        }
    }

    /** H2 computes {@code lower} in the language of the JVM, and in Turkish an I is no capital i. */
    private static void assumeThatLowerFolds(Engine engine) {
        assumeTrue(engine != Engine.H2 || "I".toLowerCase(Locale.getDefault()).equals("i"));
    }

    @ParameterizedTest
    @CsvSource({
        "H2_GENERATED, username_key",
        "H2_GENERATED, \"USERNAME_KEY\"",
        "POSTGRESQL_LOWER, lower({column})",
        "POSTGRESQL_GENERATED, username_key"
    })
    void whatAUniqueIndexKeepsIsSaidWithoutAWarning(Shape shape, String said) {
        assumeThatLowerFolds(shape.engine);
        try (TestTable table = shape.table()) {
            table.sql("insert into TABLE (username) values ('Alice')");
            assertThat(advice(table, said)).isEmpty();
            Batched store = (Batched) table.store(comparedAs(table, said));
            assertThat(store.existEach(List.of("alice", "ALICE", "bob"), TIMEOUT))
                    .containsExactly(Presence.COUNTED, Presence.COUNTED, Presence.ABSENT);
        }
    }

    /** The question is that of the application, at first without an index; the SQL of the warning mends it. */
    @ParameterizedTest
    @CsvSource({
        "H2, lower({column}), 'alter table ', true",
        "POSTGRESQL, lower({column}), 'create unique index on ', false",
        "POSTGRESQL, upper({column}), 'create unique index on ', false"
    })
    void whatNoIndexKeepsIsAskedForWithAWarningWhoseSqlMendsIt(
            Engine engine, String said, String begins, boolean naming) {
        assumeThatLowerFolds(engine);
        try (TestTable table = table(engine, "username varchar(40) unique", "")) {
            table.sql("insert into TABLE (username) values ('Alice')");
            Batched store = (Batched) table.store(comparedAs(table, said));
            assertThat(store.existEach(List.of("alice", "ALICE", "bob"), TIMEOUT))
                    .containsExactly(Presence.COUNTED, Presence.COUNTED, Presence.ABSENT);
            assertThat(((Comparing) store).heldEqual(List.of(new ValuePair("alice", "ALICE"))))
                    .containsExactly(true);

            List<String> advice = advice(table, said);
            assertThat(advice).as("said once").hasSize(1);
            assertThat(advice.get(0)).contains("no unique index", "username", said);
            String sql =
                    advice.get(0).substring(advice.get(0).indexOf("Run: ") + 5).split(", and ")[0];
            assertThat(sql).startsWith(begins);
            table.sql(sql.split("; "));
            assertThat(advice(table, naming ? "username_key" : said)).isEmpty();
            assertThat(store.existEach(List.of("alice", "ALICE", "bob"), TIMEOUT))
                    .containsExactly(Presence.COUNTED, Presence.COUNTED, Presence.ABSENT);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "H2, 'username varchar(40) unique, k varchar(40) generated always as (trim(username))', create unique index TABLE_k on TABLE (k), k, generated always as (lower(",
        "POSTGRESQL, username varchar(40) unique, create unique index on TABLE (btrim(username)), btrim({column}), 'lower('"
    })
    void whatFoldsNoCaseIsWarnedAbout(Engine engine, String columns, String index, String said, String remedy) {
        try (TestTable table = table(engine, columns, index)) {
            assertThat(advice(table, said)).hasSize(1).first().asString().contains("capitals", remedy);
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatTheTableDoesNotHaveIsRefusedByName(Engine engine) {
        try (TestTable table = table(engine, "username varchar(40) unique, username_key varchar(40)", "")) {
            for (String said : List.of("username_key", "nothing", "nothing({column})", "lower({column}")) {
                assertThatThrownBy(() -> ((Comparing) table.store(comparedAs(table, said))).describe())
                        .isInstanceOf(StoreException.class)
                        .hasMessageContaining("has comparedAs = ");
            }
        }
    }

    @Test
    void theDoorTakesIt() {
        try (TestTable table = Shape.POSTGRESQL_LOWER.table()) {
            table.sql("insert into TABLE (username) values ('Alice')");
            IdentifierTable named = IdentifierTable.of(table.name(), "username").comparedAs("lower({column})");
            assertThat(named.comparedAs()).isEqualTo("lower({column})");
            assertThat(JdbcIdentifiers.of(table.dataSource(), named)
                            .stores()
                            .get(USERNAME)
                            .get(0)
                            .exists("alice", TIMEOUT))
                    .isEqualTo(Presence.COUNTED);
        }
    }
}
