package io.github.untaken.jpa;

import static io.github.untaken.IdentifierKind.USERNAME;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.IdentifierKind;
import io.github.untaken.KindState;
import io.github.untaken.RegisteredIdentifier;
import io.github.untaken.Verdict.Status;
import io.github.untaken.spi.RegisteredIdentifierStore;
import io.github.untaken.testkit.Eventually;
import jakarta.persistence.Column;
import jakarta.persistence.ElementCollection;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What a mapping says of its column, the store says too; and what a check can answer before the first scan has ended.
 */
class HoldsKeysTest {
    private static final String[] KEYS = {"alice", "jos\u00e9", "finn"};
    /** Full-width, decomposed, with a ligature. */
    private static final String[] SPELLINGS = {"\uff41\uff4c\uff49\uff43\uff45", "jose\u0301", "\ufb01nn"};

    @Entity(name = "Careful")
    @Table(name = "Careful")
    public static class Careful {
        @Id
        public long id;

        @RegisteredIdentifier(value = "username", holdsKeys = true)
        @Column(unique = true)
        public String username;

        @RegisteredIdentifier("email")
        public String email;

        @ElementCollection
        @RegisteredIdentifier(value = "alias", holdsKeys = true)
        public List<String> aliases;
    }

    @Entity(name = "Careless")
    @Table(name = "Careful")
    public static class Careless {
        @Id
        public long id;

        @RegisteredIdentifier("username")
        @Column(unique = true)
        public String username;
    }

    @Entity(name = "Unsaid")
    public static class Unsaid {
        @Id
        public long id;

        @RegisteredIdentifier("username")
        @Column(unique = true)
        public String username;
    }

    private static boolean holdsKeys(TestDatabase database, String kind) {
        List<RegisteredIdentifierStore> stores =
                JpaIdentifiers.of(database.factory()).stores().get(IdentifierKind.of(kind));
        assertThat(stores).hasSize(1);
        return stores.get(0).holdsKeys();
    }

    @Test
    void theStoreSaysWhatTheMappingSays() {
        try (TestDatabase database = TestDatabase.of(Careful.class)) {
            assertThat(holdsKeys(database, "username")).isTrue();
            assertThat(holdsKeys(database, "email")).isFalse();
            assertThat(holdsKeys(database, "alias")).isTrue();
        }
    }

    @Test
    void everyMappingOfAColumnHasToSayIt() {
        try (TestDatabase database = TestDatabase.of(Careful.class, Careless.class)) {
            assertThat(holdsKeys(database, "username")).isFalse();
        }
    }

    @Test
    void anotherProvidersStoreSaysItToo() {
        try (TestDatabase database = TestDatabase.of(Careful.class)) {
            assertThat(new JpaIdentifierStore(database.factory(), "Careful", "username").holdsKeys())
                    .isFalse();
            assertThat(new JpaIdentifierStore(database.factory(), "Careful", "username", true).holdsKeys())
                    .isTrue();
        }
    }

    /** Somebody's open write keeps the first scan waiting. */
    private static void whileWarming(Engine engine, Class<?> entity, String[] rows, WarmingCheck check)
            throws Exception {
        try (TestDatabase database = TestDatabase.on(engine, Map.of(), entity);
                Connection open = database.connection();
                Statement statement = open.createStatement()) {
            String table = entity.getSimpleName();
            for (int i = 0; i < rows.length; i++) {
                statement.execute("insert into " + table + " (id, username) values (" + i + ", '" + rows[i] + "')");
            }
            open.setAutoCommit(false);
            statement.execute("insert into " + table + " (id, username) values (1000, 'somebody')");
            try (AvailabilityChecker checker = AvailabilityChecker.builder()
                    .source(JpaIdentifiers.of(database.factory()))
                    .normalizer(IdentifierKind.of("email"), new Folding())
                    .normalizer(IdentifierKind.of("alias"), new Folding())
                    .recheckTimeout(Duration.ofMinutes(1))
                    .singleWriter(false) // a busy machine may not answer in time that nobody else writes
                    .build()) {
                assertThat(checker.state(USERNAME)).isEqualTo(KindState.WARMING);
                check.on(checker);
                open.rollback();
                Eventually.holds("ready", () -> checker.state(USERNAME) == KindState.READY);
                for (String row : rows) {
                    assertThat(checker.check(USERNAME, row).status()).isEqualTo(Status.TAKEN);
                }
            }
        }
    }

    private interface WarmingCheck {
        void on(AvailabilityChecker checker);
    }

    @ParameterizedTest
    @EnumSource(Engine.class)
    void whereNothingIsSaidNoNameIsFreeBeforeTheFirstScanHasEnded(Engine engine) throws Exception {
        whileWarming(engine, Unsaid.class, SPELLINGS, checker -> {
            for (String key : KEYS) {
                assertThat(checker.check(USERNAME, key).status()).as(key).isEqualTo(Status.UNKNOWN);
            }
            assertThat(checker.check(USERNAME, "some.one").status()).isEqualTo(Status.UNKNOWN);
        });
    }

    @ParameterizedTest
    @EnumSource(Engine.class)
    void whereKeysAreHeldTheStoreAnswersFromTheStart(Engine engine) throws Exception {
        whileWarming(engine, Careful.class, KEYS, checker -> {
            for (String key : KEYS) {
                assertThat(checker.check(USERNAME, key).status()).as(key).isEqualTo(Status.TAKEN);
            }
            assertThat(checker.check(USERNAME, "some.one").status()).isEqualTo(Status.AVAILABLE);
        });
    }

    /** The scan verifies the claim: the first value that is no key ends it, with a warning. */
    @ParameterizedTest
    @EnumSource(Engine.class)
    void aFalseClaimEndsWithTheFirstScan(Engine engine) throws Exception {
        try (LoggedWarnings warnings = new LoggedWarnings()) {
            whileWarming(engine, Careful.class, SPELLINGS, checker -> {});
            assertThat(warnings.messages())
                    .anyMatch(message -> message.contains("kind username was said to hold keys"));
        }
    }
}
