package io.github.untaken.jpa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.IdentifierKind;
import io.github.untaken.KindState;
import io.github.untaken.RegisteredIdentifier;
import io.github.untaken.Verdict.Status;
import io.github.untaken.test.database.Engine;
import io.github.untaken.testkit.Eventually;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Entities that keep names as they were typed, in columns whose unique index knows no case. */
@Tag("ci")
class DisplayNamesTest {
    private static final IdentifierKind USERNAME = IdentifierKind.USERNAME;
    private static final long SEED = 20261123;

    @Entity(name = "Shown")
    @Table(name = "Shown")
    public static class Shown {
        @Id
        public long id;

        @RegisteredIdentifier("username")
        public String username;

        public String city;

        static Shown named(long id, String username) {
            Shown shown = new Shown();
            shown.id = id;
            shown.username = username;
            return shown;
        }
    }

    @Entity(name = "ShownByLower")
    @Table(name = "Shown")
    public static class ShownByLower {
        @Id
        public long id;

        @RegisteredIdentifier(value = "username", comparedAs = "lower({column})")
        public String username;
    }

    @Entity(name = "ShownByUpper")
    @Table(name = "Shown")
    public static class ShownByUpper {
        @Id
        public long id;

        @RegisteredIdentifier(value = "username", comparedAs = "upper({column})")
        public String username;
    }

    private static TestDatabase database(Engine engine) {
        TestDatabase database = TestDatabase.on(engine, Map.of(), Shown.class);
        if (engine == Engine.H2) {
            database.sql(
                    "alter table Shown add column username_key varchar(255) generated always as (lower(username))",
                    "create unique index shown_key on Shown (username_key)");
        } else {
            database.sql("create unique index shown_key on Shown (lower(username))");
        }
        return database;
    }

    /** With the keys that user names have by default. */
    private static AvailabilityChecker checker(EntityManagerFactory factory) {
        AvailabilityChecker checker = AvailabilityChecker.builder()
                .source(JpaIdentifiers.of(factory))
                .variants(USERNAME, false) // refused by the policy until a scan, whatever the database says
                .recheckTimeout(Duration.ofMinutes(1))
                .singleWriter(false) // a busy machine may not answer in time that nobody else writes
                .rescanInterval(Duration.ofDays(1))
                .build();
        Eventually.holds("ready", () -> checker.state(USERNAME) == KindState.READY);
        return checker;
    }

    /** The oracle is the database, which is asked for each name after each transaction. */
    private record Site(TestDatabase database, AvailabilityChecker checker) {
        void assertAnswersAsTheDatabase(String... names) {
            for (String name : names) {
                Status expected = isCommitted(name) ? Status.TAKEN : Status.AVAILABLE;
                for (String typed : new String[] {name, name.toLowerCase(Locale.ROOT), name.toUpperCase(Locale.ROOT)}) {
                    assertThat(checker.check(USERNAME, typed).status()).isEqualTo(expected);
                }
            }
        }

        private boolean isCommitted(String name) {
            try (Connection connection = database.connection();
                    PreparedStatement count = connection.prepareStatement(
                            "select count(*) from Shown where lower(username) = lower(?)")) {
                count.setString(1, name);
                try (ResultSet row = count.executeQuery()) {
                    row.next();
                    return row.getInt(1) > 0;
                }
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }

        void rename(long id, String username) {
            database.inTransaction(entities -> entities.find(Shown.class, id).username = username);
        }
    }

    private interface Story {
        void on(Site site);
    }

    private static void ready(Engine engine, Story story) {
        try (TestDatabase database = database(engine);
                AvailabilityChecker checker = checker(database.factory())) {
            story.on(new Site(database, checker));
            assertThat(checker.state(USERNAME)).isEqualTo(KindState.READY);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aNameThatOnlyChangesItsCaseStaysTakenAndIsFreeOnceItIsGone(Engine engine) {
        ready(engine, site -> {
            site.database.inTransaction(entities -> entities.persist(Shown.named(1, "Alice")));
            site.assertAnswersAsTheDatabase("Alice", "Alicia");
            site.rename(1, "alice");
            site.assertAnswersAsTheDatabase("Alice", "Alicia");
            site.rename(1, "ALICE");
            ReadyCheckers.rescan(site.checker, USERNAME);
            site.assertAnswersAsTheDatabase("Alice", "Alicia");
            site.rename(1, "Alicia");
            site.assertAnswersAsTheDatabase("Alice", "Alicia");
            site.database.inTransaction(entities -> entities.remove(entities.find(Shown.class, 1L)));
            site.assertAnswersAsTheDatabase("Alice", "Alicia");
        });
    }

    @ParameterizedTest
    @EnumSource
    void twoThatSwapTheirNamesKeepBothTaken(Engine engine) {
        ready(engine, site -> {
            site.database.inTransaction(entities -> {
                entities.persist(Shown.named(1, "Alice"));
                entities.persist(Shown.named(2, "Bobby"));
            });
            site.database.inTransaction(entities -> {
                Shown first = entities.find(Shown.class, 1L);
                Shown second = entities.find(Shown.class, 2L);
                first.username = "Somebody";
                entities.flush();
                second.username = "aLICE";
                entities.flush();
                first.username = "bOBBY";
            });
            site.assertAnswersAsTheDatabase("Alice", "Bobby", "Somebody");
        });
    }

    @ParameterizedTest
    @EnumSource
    void aRefusedSpellingLeavesTheNameTaken(Engine engine) {
        ready(engine, site -> {
            site.database.inTransaction(entities -> entities.persist(Shown.named(1, "Alice")));
            assertThatThrownBy(() -> site.database.inTransaction(entities -> entities.persist(Shown.named(2, "ALICE"))))
                    .isInstanceOf(RuntimeException.class);
            site.assertAnswersAsTheDatabase("Alice", "Bobby");
        });
    }

    /** Nobody writes the generated column itself, so a statement that names the column it comes of is the one to notice. */
    @ParameterizedTest
    @EnumSource
    void aStatementThatWritesTheColumnIsNoticedAndOneThatWritesAnotherCostsNothing(Engine engine) {
        try (TestDatabase database = database(engine);
                AvailabilityChecker checker = checker(database.factory())) {
            database.inTransaction(entities -> entities.persist(Shown.named(1, "Alice")));
            database.inTransaction(
                    entities -> entities.createNativeQuery("update Shown set city = 'Ulm'", Integer.class)
                            .executeUpdate());
            assertThat(checker.state(USERNAME)).isEqualTo(KindState.READY);
            database.inTransaction(
                    entities -> entities.createNativeQuery("update Shown set username = 'Bobby'", Integer.class)
                            .executeUpdate());
            assertThat(checker.state(USERNAME)).isEqualTo(KindState.READY);
            assertThat(checker.check(USERNAME, "bobby").status()).isEqualTo(Status.TAKEN);
            database.inTransaction(entities -> {
                entities.createNativeQuery("update Shown set username = concat('Bob', 'by')", Integer.class)
                        .executeUpdate();
                assertThat(checker.state(USERNAME)).isEqualTo(KindState.DEGRADED);
            });
            assertThat(checker.check(USERNAME, "bobby").status()).isEqualTo(Status.TAKEN);
            Eventually.holds("ready", () -> checker.state(USERNAME) == KindState.READY);
            assertThat(checker.check(USERNAME, "BOBBY").status()).isEqualTo(Status.TAKEN);
        }
    }

    @ParameterizedTest
    @EnumSource
    void whateverIsWrittenTheDatabaseAgrees(Engine engine) {
        SplittableRandom random = new SplittableRandom(SEED);
        String[] names = {"Alice", "Bobby", "Carol", "Dave", "Eve.Online"};
        ready(engine, site -> {
            Map<Long, String> rows = new HashMap<>();
            for (int i = 0; i < 60; i++) {
                long id = random.nextInt(4);
                String name = spelled(names[random.nextInt(names.length)], random);
                boolean free = rows.values().stream().noneMatch(name::equalsIgnoreCase);
                boolean own = rows.containsKey(id) && name.equalsIgnoreCase(rows.get(id));
                if (rows.containsKey(id) && random.nextInt(4) == 0) {
                    rows.remove(id);
                    site.database.inTransaction(entities -> entities.remove(entities.find(Shown.class, id)));
                } else if (rows.containsKey(id) && (free || own)) {
                    rows.put(id, name);
                    site.rename(id, name);
                } else if (!rows.containsKey(id) && free) {
                    rows.put(id, name);
                    site.database.inTransaction(entities -> entities.persist(Shown.named(id, name)));
                }
                site.assertAnswersAsTheDatabase(names);
            }
        });
    }

    private static String spelled(String name, SplittableRandom random) {
        return switch (random.nextInt(3)) {
            case 0 -> name;
            case 1 -> name.toLowerCase(Locale.ROOT);
            default -> name.toUpperCase(Locale.ROOT);
        };
    }

    @Test
    void theAnnotationSaysWhatTheColumnIsComparedAs() {
        try (TestDatabase database = database(Engine.POSTGRESQL);
                var factory = database.anotherFactory(Map.of(), Shown.class, ShownByLower.class);
                AvailabilityChecker checker = checker(factory)) {
            factory.runInTransaction(entities -> entities.persist(Shown.named(1, "Alice")));
            new Site(database, checker).assertAnswersAsTheDatabase("Alice", "Bobby");
        }
    }

    @Test
    void twoMappingsThatSayDifferentThingsAreRefused() {
        try (TestDatabase database = TestDatabase.of(ShownByLower.class, ShownByUpper.class)) {
            assertThatThrownBy(() -> JpaIdentifiers.of(database.factory()))
                    .hasStackTraceContaining("make both the same");
        }
    }
}
