package io.github.untaken.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.IdentifierKind;
import io.github.untaken.KindState;
import io.github.untaken.Verdict.DecidedBy;
import io.github.untaken.Verdict.Status;
import io.github.untaken.normalize.UsernameNormalizer;
import io.github.untaken.spi.RegisteredIdentifierStore.Grouping;
import io.github.untaken.test.database.Engine;
import io.github.untaken.testkit.Eventually;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Columns whose collation merges accents, under a normalizer that does so too; the database says whether as much. */
@Tag("nightly")
class AccentsTest {
    private static final IdentifierKind USERNAME = IdentifierKind.USERNAME;
    private static final IntPredicate ASCII =
            c -> c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '.' || c == '_' || c == '-';

    @BeforeAll
    static void collations() {
        Extensions.collations();
    }

    private static AvailabilityChecker checker(TestTable table, UsernameNormalizer normalizer) {
        AvailabilityChecker checker = AvailabilityChecker.builder()
                .source(JdbcIdentifiers.table(table.dataSource(), table.name(), "username"))
                .normalizer(USERNAME, normalizer)
                .recheckTimeout(Duration.ofMinutes(1))
                .singleWriter(false)
                .build();
        Eventually.holds("scanned", () -> checker.state(USERNAME) != KindState.WARMING);
        return checker;
    }

    private static UsernameNormalizer insensitive(IntPredicate characters) {
        return UsernameNormalizer.builder()
                .accentInsensitive()
                .characters(characters)
                .build();
    }

    /** The oracle is the unique index, which is asked to take each name. */
    @ParameterizedTest
    @ValueSource(strings = {"letters", "caseless"})
    void whatTheUniqueIndexRefusesIsTakenAndOthersAreFreeFromMemory(String collation) throws SQLException {
        try (TestTable table = TestTable.on(Engine.POSTGRESQL, "text collate " + collation);
                Connection connection = table.connection()) {
            for (String stored :
                    List.of("Jos\u00e9", "S\u00f8ren", "al\u200bice", "Stra\u00dfe", "user\u0661", "b\u036bob")) {
                table.insert(connection, stored);
            }
            try (AvailabilityChecker checker = checker(table, insensitive(ASCII))) {
                assertThat(checker.stats(USERNAME).reason()).isEmpty();
                connection.setAutoCommit(false);
                int refused = 0;
                for (String asked : List.of(
                        "jose", "JOSE", "soren", "alice", "strasse", "STRASSE", "user1", "user2", "bmob", "carol")) {
                    boolean free = takes(table, connection, asked);
                    refused += free ? 0 : 1;
                    if (!free) {
                        assertThat(checker.check(USERNAME, asked).status())
                                .as(asked)
                                .isEqualTo(Status.TAKEN);
                    }
                }
                assertThat(refused).isGreaterThanOrEqualTo(collation.equals("letters") ? 8 : 1);
                assertThat(checker.check(USERNAME, "carol").decidedBy()).isEqualTo(DecidedBy.FILTER);
                assertThat(checker.check(USERNAME, "carol").available()).isTrue();
            }
        }
    }

    private static boolean takes(TestTable table, Connection connection, String name) throws SQLException {
        try {
            table.insert(connection, name);
            return true;
        } catch (SQLException e) {
            assertThat(e.getSQLState()).isEqualTo("23505");
            return false;
        } finally {
            connection.rollback();
        }
    }

    /** The default policy allows every script, and the collation merges what Japanese writes in two ways. */
    @Test
    void aLetterThatTheDatabaseMergesBeyondTheKeyIsTaken() throws SQLException {
        try (TestTable table = TestTable.on(Engine.POSTGRESQL, "text collate letters")) {
            assertTakenByMemory(
                    table,
                    "\u30ab\u30ca\u30ab",
                    "\u304b\u306a\u304b",
                    insensitive(UsernameNormalizer.defaultCharacters()));
        }
    }

    /** Danish sorts aa as the letter a with a ring, and an a before that one as nothing; new names may be longer than made-up ones. */
    @ParameterizedTest
    @CsvSource({"3, 32", "15, 32", "1, 5"})
    void whereTwoLettersAreOneInSomePlacesTheDatabaseAnswers(int least, int greatest) throws SQLException {
        Extensions.run("create collation if not exists danish"
                + " (provider = icu, locale = 'da-u-ks-level1', deterministic = false)");
        UsernameNormalizer normalizer = UsernameNormalizer.builder()
                .accentInsensitive()
                .characters(ASCII)
                .length(least, greatest)
                .build();
        String end = "b".repeat(least);
        try (TestTable table = TestTable.on(Engine.POSTGRESQL, "varchar(40) collate danish");
                Connection connection = table.connection()) {
            table.insert(connection, "\u00e5" + end);
            try (AvailabilityChecker checker = checker(table, normalizer)) {
                assertThat(checker.state(USERNAME)).isEqualTo(KindState.DEGRADED);
                assertThat(checker.check(USERNAME, "aa" + end).status()).isEqualTo(Status.TAKEN);
            }
        }
    }

    private static void assertTakenByMemory(TestTable table, String stored, String asked, UsernameNormalizer normalizer)
            throws SQLException {
        try (Connection connection = table.connection();
                AvailabilityChecker checker = checker(table, normalizer)) {
            assertThat(checker.stats(USERNAME).reason()).isEmpty();
            assertThat(checker.check(USERNAME, asked).decidedBy()).isEqualTo(DecidedBy.FILTER);
            table.insert(connection, stored);
            connection.setAutoCommit(false);
            assertThat(takes(table, connection, asked)).isFalse();
        }
        try (AvailabilityChecker checker = checker(table, normalizer)) {
            assertThat(checker.stats(USERNAME).reason()).isEmpty();
            assertThat(checker.check(USERNAME, asked).status()).isEqualTo(Status.TAKEN);
        }
    }

    /** Danish takes aa for one letter, and Aa, and AA, but not aA. */
    @Test
    void aNameThatTheCollationReadsOtherwiseInSmallLettersIsTaken() throws SQLException {
        Extensions.run("create collation if not exists danish_caseless"
                + " (provider = icu, locale = 'da-u-ks-level2', deterministic = false)");
        try (TestTable table = TestTable.on(Engine.POSTGRESQL, "text collate danish_caseless");
                Connection connection = table.connection()) {
            table.insert(connection, "BaAl");
            for (UsernameNormalizer normalizer : List.of(UsernameNormalizer.defaults(), insensitive(ASCII))) {
                try (AvailabilityChecker checker = checker(table, normalizer)) {
                    assertThat(checker.check(USERNAME, "baal").available()).isFalse();
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 5, 8})
    void aShortColumnIsAskedToo(int length) throws SQLException {
        try (TestTable table = TestTable.on(Engine.POSTGRESQL, "varchar(" + length + ") collate letters");
                Connection connection = table.connection()) {
            table.insert(connection, "J\u00f6n");
            try (AvailabilityChecker checker = checker(table, UsernameNormalizer.defaults())) {
                assertThat(checker.check(USERNAME, "jon").available()).isFalse();
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"H2, 5", "H2, 20", "POSTGRESQL, 5", "POSTGRESQL, 20"})
    void aColumnThatIsFilledWithBlanksHidesNoName(Engine engine, int length) throws SQLException {
        try (TestTable table = TestTable.on(engine, "char(" + length + ")");
                Connection connection = table.connection()) {
            table.insert(connection, "bob");
            table.insert(connection, "Anna");
            try (AvailabilityChecker checker = checker(table, UsernameNormalizer.defaults())) {
                for (String asked : List.of("bob", "Anna", "anna")) {
                    assertThat(checker.check(USERNAME, asked).available())
                            .as(asked)
                            .isFalse();
                }
            }
        }
    }

    @Test
    void aCollationOfAllThatADatabaseHasIsFoldedToo() {
        try (TestTable table = TestTable.on(Engine.H2, "varchar(40)")) {
            table.sql(
                    "drop all objects",
                    "set collation en strength primary",
                    "create table TABLE (id bigint auto_increment primary key, username varchar(40) unique)",
                    "insert into TABLE (username) values ('Jos\u00e9')");
            try (AvailabilityChecker checker = checker(table, insensitive(ASCII))) {
                assertThat(checker.stats(USERNAME).reason()).isEmpty();
                assertThat(checker.check(USERNAME, "jose").status()).isEqualTo(Status.TAKEN);
                assertThat(checker.check(USERNAME, "carol").decidedBy()).isEqualTo(DecidedBy.FILTER);
            }
        }
    }

    @Test
    void valuesAreSortedIntoThoseThatAreHeldEqual() {
        try (TestTable table = TestTable.on(Engine.POSTGRESQL, "text collate letters")) {
            List<List<Integer>> groups = ((Grouping) table.store())
                    .heldEqualAmong(List.of("jose", "bob", "Jos\u00e9", "", "\u200b", "JOSE", "carol"));
            assertThat(groups.stream().map(Set::copyOf)).containsExactlyInAnyOrder(Set.of(0, 2, 5), Set.of(3, 4));
        }
        try (TestTable table = TestTable.on(Engine.POSTGRESQL, "text")) {
            table.sql("create unique index on TABLE (lower(username))");
            List<List<Integer>> groups = ((Grouping) table.store()).heldEqualAmong(List.of("a", "b", "A"));
            assertThat(groups.stream().map(Set::copyOf)).containsExactly(Set.of(0, 2));
        }
    }
}
