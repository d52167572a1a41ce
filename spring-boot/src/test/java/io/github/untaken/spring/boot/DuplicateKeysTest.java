package io.github.untaken.spring.boot;

import static io.github.untaken.IdentifierKind.EMAIL;
import static io.github.untaken.IdentifierKind.USERNAME;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.IdentifierKind;
import io.github.untaken.testkit.InMemoryIdentifierStore;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabase;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseBuilder;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseType;

/** What H2 throws, and what other databases do; the store that is asked answers, or cannot. */
class DuplicateKeysTest {
    private static final Map<String, String> TYPED = Map.of("name", "alice", "address", "alice@example.com");

    private final EmbeddedDatabase database = new EmbeddedDatabaseBuilder()
            .setType(EmbeddedDatabaseType.H2)
            .generateUniqueName(true)
            .build();
    private final JdbcTemplate jdbc = new JdbcTemplate(database);
    private final InMemoryIdentifierStore names = new InMemoryIdentifierStore();
    private final InMemoryIdentifierStore addresses = new InMemoryIdentifierStore();

    @BeforeEach
    void createTheTable() {
        jdbc.execute("create table realm (id int primary key)");
        jdbc.execute("create table account (username varchar(8) not null unique, realm int references realm,"
                + " age int check (age > 0))");
        jdbc.update("insert into account (username) values ('alice')");
    }

    @AfterEach
    void close() {
        database.shutdown();
    }

    private DataIntegrityViolationException refusalOf(String values) {
        return catchThrowableOfType(
                DataIntegrityViolationException.class,
                () -> jdbc.update("insert into account (username, realm, age) values (" + values + ")"));
    }

    /** By a checker that has known nothing but the stores as they are now. */
    private Set<String> taken(Exception failure) throws Exception {
        Map<String, IdentifierKind> kinds = new LinkedHashMap<>();
        kinds.put("address", EMAIL);
        kinds.put("name", USERNAME);
        try (AvailabilityChecker checker = AvailabilityChecker.builder()
                .store(USERNAME, names)
                .store(EMAIL, addresses)
                .build()) {
            return new DuplicateKeys(checker).takenOrThrow(failure, TYPED, kinds);
        }
    }

    @Test
    void namesTheFieldThatIsTaken() throws Exception {
        names.add("alice");
        assertThat(taken(refusalOf("'alice', null, null"))).containsExactly("name");
    }

    @Test
    void namesSeveralInTheOrderOfTheirKinds() throws Exception {
        names.add("alice");
        addresses.add("alice@example.com");
        assertThat(taken(refusalOf("'alice', null, null"))).containsExactly("address", "name");
    }

    @Test
    void aViolatedUniqueConstraintIsProofEnoughWhereNobodyCanSay() throws Exception {
        names.failing(true);
        assertThat(taken(refusalOf("'alice', null, null"))).containsExactly("name");
    }

    /** One constraint was violated, and the field is found. */
    @Test
    void aFieldOfWhichNobodyCanSayIsNotBlamedForAnother() throws Exception {
        names.add("alice");
        addresses.failing(true);
        assertThat(taken(refusalOf("'alice', null, null"))).containsExactly("name");
    }

    @Test
    void throwsTheFailureIfNoFieldIsTaken() {
        DataIntegrityViolationException failure = refusalOf("'alice', null, null");
        assertThatThrownBy(() -> taken(failure)).isSameAs(failure);
    }

    /** Too long, null, without a realm, and refused by a check: whatever is said of the name, no account is there. */
    @ParameterizedTest
    @ValueSource(strings = {"'alice-the-fifth', null, null", "null, null, null", "'bob', 7, null", "'bob', null, 0"})
    void throwsAnotherFailureAlsoWhereNobodyCanSayOrTheNameIsTaken(String values) {
        DataIntegrityViolationException failure = refusalOf(values);
        names.failing(true);
        assertThatThrownBy(() -> taken(failure)).isSameAs(failure);
        names.failing(false);
        names.add("alice");
        assertThatThrownBy(() -> taken(failure)).isSameAs(failure);
    }

    /** 1062 is the duplicate key of MariaDB and MySQL, for which they have no SQLSTATE; 1048 is their null, 1452 their foreign key. */
    @ParameterizedTest
    @CsvSource({
        "23505, 0, true",
        "23000, 1062, true",
        "23000, 1048, false",
        "23000, 1452, false",
        "23502, 0, false",
        "23503, 0, false",
        "23514, 0, false",
        "22001, 1406, false",
        "40001, 1213, false",
        "HY000, 1062, false",
        ", 0, false",
    })
    void knowsADuplicateKeyByWhatTheDatabaseSaysOfIt(String state, int code, boolean duplicate) throws Exception {
        Exception failure = new IllegalStateException(new RuntimeException(new SQLException("refused", state, code)));
        names.failing(true);
        if (duplicate) {
            assertThat(taken(failure)).containsExactly("name");
        } else {
            assertThatThrownBy(() -> taken(failure)).isSameAs(failure);
        }
    }

    /** Spring knows the codes of other databases. */
    @Test
    void believesSpring() throws Exception {
        names.add("alice");
        Exception failure = new DuplicateKeyException("refused", new SQLException("refused", "23000", 2627));
        assertThat(taken(failure)).containsExactly("name");
    }
}
