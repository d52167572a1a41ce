package io.github.untaken.innodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.IdentifierKind;
import io.github.untaken.KindState;
import io.github.untaken.Verdict.DecidedBy;
import io.github.untaken.Verdict.Status;
import io.github.untaken.normalize.UsernameNormalizer;
import io.github.untaken.spi.IdentifierNormalizer;
import io.github.untaken.spi.RegisteredIdentifierStore;
import io.github.untaken.spi.RegisteredIdentifierStore.Batched;
import io.github.untaken.spi.RegisteredIdentifierStore.Comparing;
import io.github.untaken.spi.RegisteredIdentifierStore.Grouping;
import io.github.untaken.spi.RegisteredIdentifierStore.Presence;
import io.github.untaken.spi.RegisteredIdentifierStore.ValuePair;
import io.github.untaken.spi.StoreException;
import io.github.untaken.store.Equality;
import io.github.untaken.store.Stores;
import io.github.untaken.test.log.LoggedLines;
import io.github.untaken.testkit.Eventually;
import io.github.untaken.text.Fold;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Names as they were typed, under a unique index on a column that is generated of theirs. */
@ParameterizedClass
@EnumSource
class GeneratedColumnsTest {
    private static final IdentifierKind USERNAME = IdentifierKind.USERNAME;
    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final IdentifierNormalizer ASCII = UsernameNormalizer.builder()
            .characters(c -> c < 128 && (Character.isLetterOrDigit(c) || "._-".indexOf(c) >= 0))
            .build();

    private static final String EXACT = "username varchar(40) collate " + Product.UNDER_TEST.exactCollation();
    private static final String KEY =
            "username_key varchar(40) collate " + Product.UNDER_TEST.exactCollation() + " generated always as ";
    private static final String UNIQUE = "unique (username_key)";

    private final Driver driver;

    GeneratedColumnsTest(Driver driver) {
        this.driver = driver;
    }

    private AvailabilityChecker checker(RegisteredIdentifierStore store, IdentifierNormalizer normalizer) {
        AvailabilityChecker checker = AvailabilityChecker.builder()
                .store(USERNAME, store)
                .normalizer(USERNAME, normalizer)
                .recheckTimeout(TIMEOUT)
                .singleWriter(false)
                .build();
        Eventually.holds("the first scan", () -> checker.state(USERNAME) != KindState.WARMING);
        return checker;
    }

    @ParameterizedTest
    @ValueSource(strings = {"virtual", "stored", "persistent"})
    void aFreeNameIsAnsweredFromMemoryAndATakenOneIsFoundInAnyCase(String how) {
        assumeTrue(Product.UNDER_TEST == Product.MARIADB || !how.equals("persistent"), "a word of MariaDB");
        try (Table table = new Table(driver, EXACT, KEY + "(lower(username)) " + how, UNIQUE)) {
            table.sql("insert into TABLE (username) select concat('User', seq) from seq_1_to_200");
            for (IdentifierNormalizer normalizer : List.of(UsernameNormalizer.defaults(), ASCII)) {
                try (AvailabilityChecker checker = checker(table.store(), normalizer)) {
                    assertThat(checker.stats(USERNAME).reason()).isEmpty();
                    for (String taken : List.of("User17", "user17", "USER17", "\uff35ser17")) {
                        assertThat(checker.check(USERNAME, taken).status()).isEqualTo(Status.TAKEN);
                    }
                    for (int i = 0; i < 100; i++) {
                        assertThat(checker.check(USERNAME, "Nobody" + i).status())
                                .isEqualTo(Status.AVAILABLE);
                    }
                    assertThat(checker.check(USERNAME, "Nobody-at-all").decidedBy())
                            .isEqualTo(DecidedBy.FILTER);
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"virtual", "stored"})
    void aRecheckIsAnsweredByTheUniqueIndexAlone(String how) {
        try (Table table = new Table(driver, EXACT, KEY + "(lower(username)) " + how, UNIQUE)) {
            table.sql("insert into TABLE (username) select concat('User', seq) from seq_1_to_20000");
            Batched store = (Batched) table.store();
            assertThat(((Comparing) store).describe().unique()).isTrue();
            assertThat(((Comparing) store).describe().collation())
                    .isEqualTo(Product.UNDER_TEST.exactCollation() + "; unique by `username_key`");
            List<String> many = Stream.concat(
                            Stream.of("user4000", "nobody-here"),
                            Stream.iterate(0, i -> i + 1).limit(62).map(i -> "free" + i))
                    .toList();
            assertThat(store.existEach(many, TIMEOUT))
                    .startsWith(Presence.COUNTED, Presence.ABSENT)
                    .hasSize(64);
            long before = table.rowsRead();
            assertThat(store.exists("user4000", TIMEOUT)).isEqualTo(Presence.COUNTED);
            assertThat(store.exists("nobody-here", TIMEOUT)).isEqualTo(Presence.ABSENT);
            store.existEach(many, TIMEOUT);
            assertThat(table.rowsRead() - before).as("rows read").isLessThan(10_000);
        }
    }

    /** The servers tell a long s from an s in names of columns. */
    @Test
    void anIndexServesNoColumnOfAlmostTheSameName() {
        try (Table table = new Table(
                driver,
                "username varchar(40) collate utf8mb4_general_ci",
                "`\u017fum` varchar(40) collate " + Product.UNDER_TEST.exactCollation()
                        + " generated always as (username) stored",
                "`sum` int unique")) {
            table.sql("insert into TABLE (username) values ('alice')");
            RegisteredIdentifierStore store = table.store();
            assertThat(((Comparing) store).describe().unique()).isFalse();
            assertThat(store.exists("ALICE", TIMEOUT)).isEqualTo(Presence.COUNTED);
        }
    }

    /** Equal is what the unique indexes refuse, and that is found. */
    @ParameterizedTest
    @MethodSource("shapes")
    void equalIsWhatTheIndexesRefuseAndIsFound(List<String> parts) throws SQLException {
        assumeTrue(
                Product.UNDER_TEST == Product.MARIADB || !parts.toString().contains("md5"),
                "MySQL computes no md5 there");
        List<ValuePair> pairs = List.of(
                new ValuePair("alice", "alice"),
                new ValuePair("alice", "bob"),
                new ValuePair("alice", "Alice"),
                new ValuePair("Alice", "ALICE"),
                new ValuePair("alice", "alice "),
                new ValuePair("alice", " alice"),
                new ValuePair("al.ice", "alice"),
                new ValuePair("jose", "jos\u00e9"),
                new ValuePair("JOSE", "jos\u00e9"),
                new ValuePair("strasse", "stra\u00dfe"),
                new ValuePair("strase", "stra\u00dfe"),
                new ValuePair("a", "\uff41"),
                new ValuePair("al\\ice", "al\\ice"),
                new ValuePair("?", "?"),
                new ValuePair("12", "012"),
                new ValuePair("\u5f20", "\u4f1f"),
                new ValuePair("alice-with-a-rather-long-name", "alice-with-a-rather-long-nose"));
        try (Table table = new Table(driver, parts.toArray(String[]::new));
                Connection connection = driver.connection();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("set session sql_mode = ''"); // cuts what is too long
            Batched store = (Batched) table.store();
            List<Boolean> equal = ((Comparing) store).heldEqual(pairs);
            for (int i = 0; i < pairs.size(); i++) {
                ValuePair pair = pairs.get(i);
                if (!isStored(table, connection, pair.left()) || !isStored(table, connection, pair.right())) {
                    continue;
                }
                table.insert(connection, pair.left());
                boolean refused = false;
                try {
                    table.insert(connection, pair.right());
                    connection.rollback();
                    table.insert(connection, pair.left());
                } catch (SQLException e) {
                    assertThat(e.getErrorCode()).as("duplicate entry").isEqualTo(1062);
                    refused = true;
                }
                connection.commit();
                assertThat(equal.get(i)).as("%s: %s", parts, pair).isEqualTo(refused);
                assertThat(store.exists(pair.right(), TIMEOUT))
                        .as("%s: %s", parts, pair)
                        .isEqualTo(Presence.of(refused));
                assertThat(store.existEach(List.of("7777777", pair.right(), pair.left()), TIMEOUT))
                        .as("%s: %s", parts, pair)
                        .containsExactly(Presence.ABSENT, Presence.of(refused), Presence.COUNTED);
                table.sql("set sql_mode = ''", "delete from TABLE"); // which MySQL computes the columns for
            }
        }
    }

    /** As it is, and not as something else. */
    private static boolean isStored(Table table, Connection connection, String value) throws SQLException {
        try {
            table.insert(connection, value);
            try (Statement statement = connection.createStatement();
                    var row = statement.executeQuery("select username from " + table.name())) {
                return row.next() && row.getString(1).equals(value);
            }
        } catch (SQLException e) {
            return false;
        } finally {
            connection.rollback();
        }
    }

    static Stream<List<String>> shapes() {
        String merging = "username varchar(40)";
        return Stream.of(
                List.of(EXACT, KEY + "(lower(username))", UNIQUE),
                List.of(EXACT, KEY + "(lower(username)) stored", UNIQUE),
                List.of(EXACT, "username_key varchar(40) as (username)", UNIQUE),
                List.of(EXACT, "username_key varchar(40) as (username)", UNIQUE, "unique (username)"),
                List.of(EXACT, KEY + "(lower(replace(username, '.', '')))", UNIQUE),
                List.of(EXACT, KEY + "(replace(replace(username, '\\\\', '?'), '\"', 'x'))", UNIQUE),
                List.of(EXACT, "username_key varchar(9) as (lower(username))", UNIQUE),
                List.of(EXACT, KEY + "(nullif(lower(username), 'alice'))", UNIQUE, "unique (username)"),
                List.of(EXACT, "username_key binary(16) as (unhex(md5(lower(username))))", UNIQUE),
                List.of(EXACT, "username_key binary(40) as (lower(username))", UNIQUE),
                List.of(EXACT, "username_key binary(9) as (lower(username)) stored", UNIQUE),
                List.of(EXACT, "username_key varbinary(9) as (lower(username))", UNIQUE),
                List.of(EXACT, "username_key varbinary(40) as (lower(username))", UNIQUE),
                List.of(EXACT, KEY.replace("varchar", "char") + "(lower(username))", UNIQUE),
                List.of(EXACT, "username_key bigint as (username)", UNIQUE),
                List.of(merging, KEY + "(lower(username))", UNIQUE),
                List.of(merging, KEY + "(trim(username))", UNIQUE, "unique (username)"),
                List.of(
                        "username varchar(40) character set latin1",
                        "username_key varchar(40) as (lower(username))",
                        UNIQUE),
                List.of(
                        "username varchar(40)",
                        "username_key varchar(40) character set latin1 as (lower(username))",
                        UNIQUE));
    }

    /** What a number, a day or a word of a list makes of a text is for the server to know. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "bigint",
                "tinyint",
                "decimal(3, 0)",
                "float",
                "date",
                "year",
                "bit(8)",
                "enum('alice', 'bob')",
                "set('alice', 'bob')",
                "tinytext",
                "char(20)",
                "binary(20)",
                "varbinary(20)"
            })
    void aCommittedNameIsFoundWhateverTheTypeOfTheIndex(String type) throws SQLException {
        assumeTrue(
                Product.UNDER_TEST == Product.MARIADB || !type.equals("tinytext"),
                "MySQL has no unique index on a text");
        try (Table table = new Table(driver, EXACT, "username_key " + type + " as (username)", UNIQUE);
                Connection connection = driver.connection();
                Statement statement = connection.createStatement()) {
            statement.execute("set session sql_mode = ''");
            Batched store = (Batched) table.store();
            for (String name : List.of("12.7", "99999999999", "alice", "carol", "2024-02-30", "25:61", "eve ", "1e9")) {
                table.insert(connection, name);
                assertThat(store.exists(name, TIMEOUT)).as(name).isEqualTo(Presence.COUNTED);
                assertThat(store.existEach(List.of("nobody", name), TIMEOUT))
                        .last()
                        .isEqualTo(Presence.COUNTED);
                table.sql("set sql_mode = ''", "delete from TABLE"); // which MySQL computes the columns for
            }
        }
    }

    /** Where what the index compares is null, the index has no say. */
    @Test
    void aNameOfWhichTheIndexKnowsNothingIsFoundAllTheSame() {
        try (Table table = new Table(driver, EXACT, KEY + "(nullif(lower(username), 'alice'))", UNIQUE)) {
            table.sql("insert into TABLE (username) values ('alice'), ('Bob')");
            assertThat(((Batched) table.store()).existEach(List.of("alice", "bob", "Bob", "carol"), TIMEOUT))
                    .containsExactly(Presence.COUNTED, Presence.COUNTED, Presence.COUNTED, Presence.ABSENT);
        }
    }

    @Test
    void whatIsComputedOfOtherColumnsTooIsNone() {
        try (Table table = new Table(
                driver,
                EXACT,
                "tenant varchar(9) default 'x'",
                KEY + "(concat(tenant, lower(username)))",
                UNIQUE,
                "unique (username)")) {
            table.sql("insert into TABLE (username) values ('Alice')");
            assertThat(((Batched) table.store()).existEach(List.of("Alice", "alice"), TIMEOUT))
                    .containsExactly(Presence.COUNTED, Presence.ABSENT);
            for (String said : List.of("username_key", "concat(tenant, {column})", "nothing", "nothing({column})")) {
                assertThatThrownBy(() -> ((Comparing) table.storeComparedAs(said)).describe())
                        .isInstanceOf(StoreException.class)
                        .hasMessageContaining("has comparedAs = ");
            }
        }
    }

    /** It tells the names in an expression in other quotes than other sessions read. */
    @Test
    void aSessionWithQuotesOfItsOwnReadsTheSame() {
        try (Table table = new Table(driver, EXACT, KEY + "(lower(replace(username, '\"', '')))", UNIQUE)) {
            table.sql("insert into TABLE (username) values ('Al\"ice')");
            boolean[] ansi = {true};
            RegisteredIdentifierStore store = table.store(Driver.dataSource(driver.url("untaken"), connection -> {
                try (Statement statement = connection.createStatement()) {
                    statement.execute("set session sql_mode = '" + (ansi[0] ? "ANSI_QUOTES" : "") + "'");
                }
            }));
            assertThat(((Comparing) store).describe().unique()).isTrue();
            for (int i = 0; i < 3; i++) {
                assertThat(((Batched) store).existEach(List.of("alice", "username", "nobody"), TIMEOUT))
                        .containsExactly(Presence.COUNTED, Presence.ABSENT, Presence.ABSENT);
                ansi[0] = !ansi[0];
            }
        }
    }

    /** The index merges accents, and the keys do not. */
    @Test
    void aGeneratedColumnThatFoldsMoreThanTheKeysHidesNoName() throws SQLException {
        for (String collation : Product.UNDER_TEST == Product.MYSQL
                ? List.of("utf8mb4_0900_ai_ci", "utf8mb4_0900_as_cs", "utf8mb4_general_ci")
                : List.of("utf8mb4_uca1400_ai_ci", "utf8mb4_uca1400_ai_cs", "utf8mb4_general_ci")) {
            try (Table table = new Table(
                            driver,
                            EXACT,
                            "username_key varchar(40) collate " + collation + " as (trim(username))",
                            UNIQUE);
                    Connection connection = driver.connection()) {
                for (String name : List.of("Jos\u00e9", "REN\u00c9", "anna", "M\u00fcller ")) {
                    table.insert(connection, name);
                }
                connection.setAutoCommit(false);
                for (IdentifierNormalizer normalizer : List.of(UsernameNormalizer.defaults(), ASCII)) {
                    try (AvailabilityChecker checker = checker(table.store(), normalizer)) {
                        for (String asked :
                                List.of("jose", "Jose", "JOSE", "rene", "Rene", "RENE", "Anna", "muller", "Muller")) {
                            if (isRefused(table, connection, asked)) {
                                assertThat(checker.check(USERNAME, asked).available())
                                        .as("%s in %s", asked, collation)
                                        .isFalse();
                            }
                        }
                        assertThat(checker.check(USERNAME, "nobody7").available())
                                .isTrue();
                        assertThat(checker.stats(USERNAME).reason()).isEmpty();
                        assertThat(checker.state(USERNAME)).isEqualTo(KindState.READY);
                    }
                }
            }
        }
    }

    /**
     * Without accents but with cases, a mark shifts which letters' cases are compared: a wide letter then meets a wide blank, a letter in a
     * circle a small one.
     */
    @ParameterizedTest
    @CsvSource({"'d\u032f\uff44', 'dd\u3000'", "'pp\u24c5', 'p\u034b\u24c5p\u034b'"})
    void textsThatTheIndexHoldsEqualSinceAMarkShiftsTheirCasesHaveOneFold(String one, String other) {
        for (String collation : Product.UNDER_TEST == Product.MYSQL
                ? List.of("utf8mb4_0900_ai_ci", "utf8mb4_0900_as_cs", "utf8mb4_general_ci")
                : List.of("utf8mb4_uca1400_ai_ci", "utf8mb4_uca1400_ai_cs", "utf8mb4_general_ci")) {
            try (Table table = new Table(
                    driver, EXACT, "username_key varchar(40) collate " + collation + " as (trim(username))", UNIQUE)) {
                Grouping store = (Grouping) table.store();
                Fold fold = new Equality(USERNAME, UsernameNormalizer.defaults(), new MeetsNoWideBlank())
                        .look(new Stores(List.of(store)))
                        .fold();
                List<String> texts = List.of(one, other);
                List<List<Integer>> equal = store.heldEqualAmong(texts);
                if (equal.stream().anyMatch(group -> group.size() == 2)) {
                    assertThat(fold.of(texts.get(0))).as(collation).isEqualTo(fold.of(texts.get(1)));
                }
            }
        }
    }

    /** So that nothing is found by chance. */
    private static final class MeetsNoWideBlank implements RandomGenerator {
        private final SplittableRandom random = new SplittableRandom(1);

        @Override
        public int nextInt(int bound) {
            return bound == 15 ? 0 : random.nextInt(bound); // of that many texts that often count for nothing, a blank
        }

        @Override
        public long nextLong() {
            return random.nextLong();
        }
    }

    @Test
    void whatTheIndexHoldsEqualBeyondTheKeysHidesNoName() throws SQLException {
        for (String formula :
                List.of("lower(left(username, 6))", "replace(replace(lower(username), '0', 'o'), '1', 'l')")) {
            try (Table table = new Table(driver, EXACT, KEY + "(" + formula + ")", UNIQUE, "unique (username)");
                    Connection connection = driver.connection()) {
                table.insert(connection, "b0bby-one");
                connection.setAutoCommit(false);
                for (IdentifierNormalizer normalizer : List.of(UsernameNormalizer.defaults(), ASCII)) {
                    try (AvailabilityChecker checker = checker(table.store(), normalizer)) {
                        assertThat(checker.state(USERNAME))
                                .isEqualTo(formula.contains("left") ? KindState.DEGRADED : KindState.READY);
                        for (String asked : List.of("bobby-one", "b0bby-two")) {
                            assertThat(isRefused(table, connection, asked)
                                            && checker.check(USERNAME, asked).available())
                                    .as(asked)
                                    .isFalse();
                        }
                    }
                }
            }
        }
    }

    private static boolean isRefused(Table table, Connection connection, String name) throws SQLException {
        try {
            table.insert(connection, name);
            return false;
        } catch (SQLException e) {
            assertThat(e.getSQLState()).startsWith("23");
            return true;
        } finally {
            connection.rollback();
        }
    }

    // ---------------------------------------------------------------- what an application says

    private static List<String> warnings(Table table, String said) {
        Comparing store = (Comparing) table.storeComparedAs(said);
        try (LoggedLines log = new LoggedLines()) {
            store.describe();
            store.describe();
            return log.about(table.name());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"username_key", "USERNAME_KEY", "`username_key`"})
    void whatAUniqueIndexKeepsIsSaidWithoutAWarning(String said) {
        try (Table table = new Table(driver, EXACT, KEY + "(lower(username))", UNIQUE)) {
            table.sql("insert into TABLE (username) values ('Alice')");
            assertThat(warnings(table, said)).isEmpty();
            assertThat(((Batched) table.storeComparedAs(said)).existEach(List.of("alice", "ALICE", "bob"), TIMEOUT))
                    .containsExactly(Presence.COUNTED, Presence.COUNTED, Presence.ABSENT);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"username_key", "lower({column})", "upper({column})"})
    void whatNoIndexKeepsIsAskedForWithAWarningWhoseSqlMendsIt(String said) {
        boolean named = said.equals("username_key");
        try (Table table = named
                ? new Table(driver, EXACT, KEY + "(lower(username))", "unique (username)")
                : new Table(driver, EXACT, "unique (username)")) {
            table.sql("insert into TABLE (username) values ('Alice')");
            Batched store = (Batched) table.storeComparedAs(said);
            assertThat(store.existEach(List.of("alice", "ALICE", "bob"), TIMEOUT))
                    .containsExactly(Presence.COUNTED, Presence.COUNTED, Presence.ABSENT);
            assertThat(((Comparing) store).heldEqual(List.of(new ValuePair("alice", "ALICE"))))
                    .containsExactly(true);
            List<String> warnings = warnings(table, said);
            assertThat(warnings).as("said once").hasSize(1);
            assertThat(warnings.get(0)).contains("no unique index", "username", said);
            table.sql(remedy(warnings.get(0)));
            assertThat(warnings(table, "username_key")).isEmpty();
            assertThat(((Batched) table.storeComparedAs("username_key"))
                            .existEach(List.of("alice", "ALICE", "bob"), TIMEOUT))
                    .containsExactly(Presence.COUNTED, Presence.COUNTED, Presence.ABSENT);
        }
    }

    @Test
    void whatFoldsNoCaseIsWarnedAbout() {
        try (Table table = new Table(driver, EXACT, KEY + "(trim(username))", UNIQUE)) {
            List<String> warnings = warnings(table, "username_key");
            assertThat(warnings).hasSize(1).first().asString().contains("capitals");
            assertThat(remedy(warnings.get(0))).contains("(lower(`username`))").startsWith("alter table ");
        }
    }

    private static String remedy(String warning) {
        return warning.substring(warning.indexOf("Run: ") + 5).split(", and ")[0];
    }
}
