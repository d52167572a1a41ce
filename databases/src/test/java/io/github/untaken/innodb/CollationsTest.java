package io.github.untaken.innodb;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.IdentifierKind;
import io.github.untaken.KindState;
import io.github.untaken.Verdict;
import io.github.untaken.normalize.EmailNormalizer;
import io.github.untaken.normalize.UsernameNormalizer;
import io.github.untaken.spi.IdentifierNormalizer;
import io.github.untaken.testkit.Eventually;
import java.sql.Connection;
import java.sql.SQLException;
import java.text.Normalizer;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Columns of every usual collation answer from memory, and no name is missed that the collation holds equal to a stored one. */
class CollationsTest {
    private static final IdentifierNormalizer ASCII =
            UsernameNormalizer.builder().ascii().build();
    private static final IdentifierNormalizer WITHOUT_ACCENTS = new IdentifierNormalizer() {
        @Override
        public String key(String value) {
            return ASCII.key(Normalizer.normalize(value, Normalizer.Form.NFKD).replaceAll("\\p{M}", ""))
                    .replace("\u00df", "ss");
        }

        @Override
        public Optional<String> rejection(String text, String key) {
            return ASCII.rejection(text, ASCII.key(text));
        }
    };
    private static final IdentifierKind USERNAME = new IdentifierKind("username");

    private static AvailabilityChecker checker(Table table, IdentifierNormalizer normalizer) {
        AvailabilityChecker checker = AvailabilityChecker.builder()
                .store(USERNAME, table.store())
                .normalizer(USERNAME, normalizer)
                .build();
        Eventually.holds("the first scan", () -> checker.stats(USERNAME).state() != KindState.WARMING);
        return checker;
    }

    private static String said(AvailabilityChecker checker, String text) {
        Verdict verdict = checker.check(USERNAME, text);
        return verdict.status() + " by " + verdict.decidedBy();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "utf8mb4_general_ci",
                "utf8mb4_uca1400_ai_ci",
                "utf8mb4_uca1400_as_ci",
                "utf8mb4_unicode_ci",
                "utf8mb4_0900_ai_ci",
                "utf8mb4_bin",
                "utf8mb4_nopad_bin",
                "latin1_swedish_ci",
                "utf8mb3_general_ci"
            })
    void aColumnOfEachUsualCollationIsFast(String collation) {
        String charset = collation.substring(0, collation.indexOf('_'));
        try (Table table =
                new Table(Driver.MARIADB, "varchar(40) character set " + charset + " collate " + collation)) {
            table.sql(
                    "insert into TABLE (username) values ('alice'), ('Bob'), ('Jos\u00e9'), ('M\u00fcller'), ('stra\u00dfe'), ('eve ')");
            try (AvailabilityChecker checker = checker(table, UsernameNormalizer.defaults())) {
                assertThat(checker.stats(USERNAME).reason()).isEmpty();
                assertThat(checker.stats(USERNAME).state()).isEqualTo(KindState.READY);
                assertThat(said(checker, "nobody7")).isEqualTo("AVAILABLE by FILTER");
                for (String name : List.of("alice", "bob", "jose", "muller", "mueller", "strasse", "strase", "eve")) {
                    boolean refused = table.query("select count(*) from TABLE where username = '" + name + "'")
                            .equals("1");
                    if (refused) {
                        assertThat(checker.check(USERNAME, name).available())
                                .as(name)
                                .isFalse();
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"utf8mb4_general_ci", "utf8mb4_uca1400_ai_ci", "utf8mb4_unicode_ci", "utf8mb4_0900_ai_ci"})
    void addressesOfAsciiAreFastAndNoMergedOneIsMissed(String collation) {
        try (Table table = new Table(Driver.MARIADB, "varchar(254) collate " + collation)) {
            table.sql("insert into TABLE (username) values ('ann@example.com'), ('Bob+news@Example.com'),"
                    + " ('zo\u00eb@example.com'), ('max@b\u00fccher.example')");
            try (AvailabilityChecker checker = checker(table, EmailNormalizer.defaults())) {
                assertThat(checker.stats(USERNAME).reason()).isEmpty();
                assertThat(said(checker, "o'neill+x_y@mail.example.org")).isEqualTo("AVAILABLE by FILTER");
                for (String address :
                        List.of("Ann@example.com", "bob+news@example.com", "zoe@example.com", "max@bucher.example")) {
                    assertThat(said(checker, address)).as(address).startsWith("TAKEN");
                }
            }
        }
    }

    @Test
    void aNameThatIsWrittenLaterIsNotMissedInWhateverSpelling() {
        try (Table table = new Table(Driver.MARIADB, "varchar(40)")) {
            table.sql("insert into TABLE (username) values ('alice')");
            try (AvailabilityChecker checker = checker(table, UsernameNormalizer.defaults())) {
                assertThat(said(checker, "jose")).isEqualTo("AVAILABLE by FILTER");
                try (var announced = checker.registrations().announce(USERNAME, "Jos\u00e9")) {
                    assertThat(checker.stats(USERNAME).state()).isEqualTo(KindState.READY);
                    table.sql("insert into TABLE (username) values ('Jos\u00e9')");
                }
                for (String spelling : List.of("jose", "JOSE", "jos\u00e9", "jos\u00e8", "\uff4a\uff4f\uff53\uff45")) {
                    assertThat(said(checker, spelling)).isEqualTo("TAKEN by STORE");
                }
                assertThat(said(checker, "nobody7")).isEqualTo("AVAILABLE by FILTER");
            }
        }
    }

    /** The sharp s is one s to the one index, and two to the other; so one s is two, and no table of letters can say that. */
    @Test
    void whereALetterIsOneToOneIndexAndTwoToTheNextTheDatabaseAnswers() throws SQLException {
        try (Table table = new Table(
                        Driver.MARIADB,
                        "username varchar(40) collate utf8mb4_general_ci",
                        "username_key varchar(40) collate utf8mb4_uca1400_ai_ci as (username)",
                        "unique (username)",
                        "unique (username_key)");
                Connection connection = table.driver().connection()) {
            connection.setAutoCommit(false);
            try (AvailabilityChecker checker = checker(table, WITHOUT_ACCENTS)) {
                assertThat(checker.stats(USERNAME).reason()).contains("in some texts it ignores");
                assertThat(said(checker, "strase")).isEqualTo("AVAILABLE by STORE");
                try (var announced = checker.registrations().announce(USERNAME, "stra\u00dfe")) {
                    table.sql("insert into TABLE (username) values ('stra\u00dfe')");
                }
                for (String asked : List.of("strase", "strasse")) {
                    assertThat(isRefused(table, connection, asked)).isTrue();
                    assertThat(checker.check(USERNAME, asked).available())
                            .as(asked)
                            .isFalse();
                }
            }
        }
    }

    /** ch is a letter in Czech, in whatever case, but for a small c before a capital H; two letters they are there. */
    @ParameterizedTest
    @ValueSource(strings = {"utf8mb4_czech_ci", "utf8mb4_slovak_ci", "utf8mb4_spanish2_ci", "utf8mb4_danish_ci"})
    void aNameThatTheCollationReadsOtherwiseInSmallLettersIsTaken(String collation) {
        try (Table table = new Table(Driver.MARIADB, "varchar(40) collate " + collation)) {
            List<String> names = List.of("McHale", "BaAl", "aLlan", "MCHugh", "mcCHord");
            for (String name : names) {
                table.sql("insert into TABLE (username) values ('" + name + "')");
            }
            for (IdentifierNormalizer normalizer : List.of(UsernameNormalizer.defaults(), ASCII)) {
                try (AvailabilityChecker checker = checker(table, normalizer)) {
                    for (String name : names) {
                        assertThat(checker.check(USERNAME, name.toLowerCase(Locale.ROOT))
                                        .available())
                                .as(name)
                                .isFalse();
                    }
                }
            }
        }
    }

    /** Accents count for nothing there, and case does. */
    @ParameterizedTest
    @ValueSource(strings = {"utf8mb4_uca1400_ai_cs", "utf8mb4_uca1400_as_cs", "latin1_general_cs", "utf8mb4_bin"})
    void aStoredNameThatEqualsOnlyTheCapitalsOfANewOneBlocksIt(String collation) throws SQLException {
        String charset = collation.substring(0, collation.indexOf('_'));
        try (Table table = new Table(Driver.MARIADB, "varchar(40) character set " + charset + " collate " + collation);
                Connection connection = table.driver().connection()) {
            table.insert(connection, "JOS\u00c9");
            table.insert(connection, "Ren\u00e9");
            table.insert(connection, "Anna ");
            if (charset.equals("utf8mb4")) {
                table.insert(connection, "\u0130n\u00f6n\u00fc");
                table.insert(connection, "\u212aelv\u00edn");
            }
            connection.setAutoCommit(false);
            try (AvailabilityChecker checker = checker(table, ASCII)) {
                for (String asked : List.of(
                        "JOSE", "jose", "Jose", "Rene", "rene", "RENE", "Anna", "anna", "Inonu", "inonu", "INONU",
                        "Kelvin", "kelvin", "KELVIN")) {
                    if (isRefused(table, connection, asked)) {
                        assertThat(checker.check(USERNAME, asked).available())
                                .as(asked)
                                .isFalse();
                    }
                }
            }
        }
    }

    /** The policy allows them within a name; old rows may end with one. */
    @ParameterizedTest
    @ValueSource(strings = {"utf8mb4_general_ci", "utf8mb4_uca1400_ai_ci", "utf8mb4_uca1400_nopad_ai_ci"})
    void blanksAtTheEndOfANameHideNoName(String collation) throws SQLException {
        for (IntPredicate edges : List.<IntPredicate>of(c -> c != ' ', c -> true)) {
            IdentifierNormalizer blanks = UsernameNormalizer.builder()
                    .characters(c -> c < 128)
                    .edges(edges)
                    .build();
            try (Table table = new Table(Driver.MARIADB, "varchar(40) collate " + collation);
                    Connection connection = table.driver().connection()) {
                for (String name : List.of("jose ", "Mar\u00eda ", "anna", "Ren\u00e9")) {
                    table.insert(connection, name);
                }
                connection.setAutoCommit(false);
                try (AvailabilityChecker checker = checker(table, blanks)) {
                    for (String asked : List.of("jose", "jose ", "maria", "maria ", "anna", "anna ", "rene", "rene ")) {
                        if (isRefused(table, connection, asked)) {
                            assertThat(checker.check(USERNAME, asked).available())
                                    .as("'" + asked + "'")
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
}
