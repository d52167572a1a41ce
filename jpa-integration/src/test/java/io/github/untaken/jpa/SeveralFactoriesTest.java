package io.github.untaken.jpa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.IdentifierKind;
import io.github.untaken.KindState;
import io.github.untaken.RegisteredIdentifier;
import io.github.untaken.Verdict.Status;
import io.github.untaken.jpa.entities.Applicant;
import io.github.untaken.jpa.entities.IdentityAccount;
import io.github.untaken.jpa.entities.Versioned;
import io.github.untaken.test.calls.StandIn;
import io.github.untaken.test.database.Engine;
import io.github.untaken.test.log.LoggedLines;
import io.github.untaken.testkit.Eventually;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.lang.ref.WeakReference;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.hibernate.SessionFactory;
import org.hibernate.engine.jdbc.connections.internal.DriverManagerConnectionProvider;
import org.hibernate.engine.jdbc.connections.spi.ConnectionProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Several persistence units in one application. */
@Tag("ci")
class SeveralFactoriesTest {
    private static final IdentifierKind USERNAME = IdentifierKind.USERNAME;

    @Entity(name = "One")
    @Table(name = "Shared")
    public static class One {
        @Id
        public long id;

        @RegisteredIdentifier("username")
        public String username;

        public String login;
    }

    /** The same rows, in which another column is marked. */
    @Entity(name = "Two")
    @Table(name = "Shared")
    public static class Two {
        @Id
        public long id;

        public String username;

        @RegisteredIdentifier("username")
        public String login;
    }

    private static Status status(AvailabilityChecker checker, String name) {
        return checker.check(USERNAME, name).status();
    }

    private static void signUp(EntityManagerFactory factory, String name, boolean commits) {
        try (var entities = factory.createEntityManager()) {
            entities.getTransaction().begin();
            entities.persist(new IdentityAccount(name));
            entities.flush();
            if (commits) {
                entities.getTransaction().commit();
            } else {
                entities.getTransaction().rollback();
            }
        }
    }

    private static void remove(EntityManagerFactory factory, String name) {
        factory.runInTransaction(entities -> entities.remove(
                entities.createQuery("from IdentityAccount where username = :name", IdentityAccount.class)
                        .setParameter("name", name)
                        .getSingleResult()));
    }

    @ParameterizedTest
    @EnumSource(Engine.class)
    void oneCheckerHearsTwoDatabases(Engine engine) {
        try (TestDatabase red = TestDatabase.on(engine, Map.of(), IdentityAccount.class);
                TestDatabase blue = TestDatabase.on(engine, Map.of(), IdentityAccount.class)) {
            signUp(red.factory(), "old.red", true);
            signUp(blue.factory(), "old.blue", true);
            try (AvailabilityChecker checker =
                    ReadyCheckers.on(JpaIdentifiers.of(red.factory()), JpaIdentifiers.of(blue.factory()))) {
                assertThat(checker.stats(USERNAME).memory().entries()).isEqualTo(2);
                signUp(red.factory(), "new.red", true);
                signUp(blue.factory(), "new.blue", true);
                signUp(blue.factory(), "never", false);
                for (String name : new String[] {"old.red", "old.blue", "new.red", "new.blue"}) {
                    assertThat(status(checker, name)).isEqualTo(Status.TAKEN);
                }
                assertThat(status(checker, "never")).isEqualTo(Status.AVAILABLE);

                remove(blue.factory(), "new.blue");
                remove(red.factory(), "old.red");
                assertThat(status(checker, "new.blue")).isEqualTo(Status.AVAILABLE);
                assertThat(status(checker, "old.red")).isEqualTo(Status.AVAILABLE);
            }
        }
    }

    /** A name that two databases hold is free when both have let it go. */
    @ParameterizedTest
    @EnumSource(Engine.class)
    void aNameInTwoDatabasesIsFreeWhenBothHaveLetItGo(Engine engine) {
        try (TestDatabase red = TestDatabase.on(engine, Map.of(), IdentityAccount.class);
                TestDatabase blue = TestDatabase.on(engine, Map.of(), IdentityAccount.class);
                AvailabilityChecker checker =
                        ReadyCheckers.on(JpaIdentifiers.of(red.factory()), JpaIdentifiers.of(blue.factory()))) {
            signUp(red.factory(), "alice", true);
            signUp(blue.factory(), "alice", true);
            remove(red.factory(), "alice");
            assertThat(status(checker, "alice")).isEqualTo(Status.TAKEN);
            remove(blue.factory(), "alice");
            assertThat(status(checker, "alice")).isEqualTo(Status.AVAILABLE);
        }
    }

    /** Each has a mark of its own in the database, and neither is a stranger to the other. */
    @ParameterizedTest
    @EnumSource(Engine.class)
    void oneCheckerHearsTwoFactoriesOfOneTable(Engine engine) {
        try (TestDatabase database = TestDatabase.on(engine, Map.of(), IdentityAccount.class);
                EntityManagerFactory second =
                        database.anotherFactory(Map.of(), IdentityAccount.class, Versioned.class);
                AvailabilityChecker checker =
                        ReadyCheckers.marked(JpaIdentifiers.of(database.factory()), JpaIdentifiers.of(second))) {
            signUp(database.factory(), "alice", true);
            signUp(second, "bob", true);
            second.runInTransaction(entities -> entities.persist(new Versioned("carl")));
            for (String name : new String[] {"alice", "bob", "carl"}) {
                assertThat(status(checker, name)).isEqualTo(Status.TAKEN);
            }
            remove(second, "alice");
            assertThat(status(checker, "alice")).isEqualTo(Status.AVAILABLE);
            assertThat(status(checker, "bob")).isEqualTo(Status.TAKEN);
        }
    }

    @Test
    void aNameInAColumnThatOnlyTheOtherFactoryMarksIsTaken() {
        try (TestDatabase database = TestDatabase.of(One.class);
                EntityManagerFactory second = database.anotherFactory(Map.of(), Two.class);
                AvailabilityChecker checker =
                        ReadyCheckers.on(JpaIdentifiers.of(database.factory()), JpaIdentifiers.of(second))) {
            database.inTransaction(entities -> {
                One one = new One();
                one.id = 1;
                one.username = "alice";
                one.login = "zedd";
                entities.persist(one);
            });
            assertThat(status(checker, "alice")).isEqualTo(Status.TAKEN);
            assertThat(status(checker, "zedd")).isEqualTo(Status.TAKEN);
        }
    }

    @ParameterizedTest
    @EnumSource(Engine.class)
    void twoCheckersDoNotHearEachOthersFactories(Engine engine) {
        try (TestDatabase database = TestDatabase.on(engine, Map.of(), IdentityAccount.class);
                EntityManagerFactory second = database.anotherFactory(Map.of(), Versioned.class)) {
            AvailabilityChecker accounts = ReadyCheckers.on(JpaIdentifiers.of(database.factory()));
            try (AvailabilityChecker versioned = ReadyCheckers.on(JpaIdentifiers.of(second))) {
                signUp(database.factory(), "alice", true);
                second.runInTransaction(entities -> entities.persist(new Versioned("bob")));
                assertThat(status(accounts, "alice")).isEqualTo(Status.TAKEN);
                assertThat(status(accounts, "bob")).as("another table").isEqualTo(Status.AVAILABLE);
                assertThat(status(versioned, "bob")).isEqualTo(Status.TAKEN);
                assertThatThrownBy(() -> ReadyCheckers.starting(JpaIdentifiers.of(second)))
                        .hasMessageContaining("another checker");

                accounts.close();
                second.runInTransaction(entities -> entities.persist(new Versioned("carl")));
                assertThat(status(versioned, "carl")).isEqualTo(Status.TAKEN);
                assertThat(status(accounts, "alice")).isEqualTo(Status.UNKNOWN);
            } finally {
                accounts.close();
            }
            try (AvailabilityChecker again = ReadyCheckers.on(JpaIdentifiers.of(database.factory()))) {
                assertThat(status(again, "alice")).isEqualTo(Status.TAKEN);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Engine.class)
    void aCheckerThatIsClosedTwiceLeavesTheNextOneConnected(Engine engine) {
        try (TestDatabase database = TestDatabase.on(engine, Map.of(), IdentityAccount.class)) {
            AvailabilityChecker first = ReadyCheckers.on(JpaIdentifiers.of(database.factory()));
            first.close();
            try (AvailabilityChecker second = ReadyCheckers.on(JpaIdentifiers.of(database.factory()))) {
                first.close();
                signUp(database.factory(), "alice", true);
                assertThat(status(second, "alice")).isEqualTo(Status.TAKEN);
            }
        }
    }

    @Test
    void aCheckerThatCannotBeBuiltLeavesNoFactoryConnected() {
        try (TestDatabase red = TestDatabase.of(IdentityAccount.class);
                TestDatabase blue = TestDatabase.of(IdentityAccount.class);
                AvailabilityChecker ofBlue = ReadyCheckers.on(JpaIdentifiers.of(blue.factory()))) {
            assertThatThrownBy(() ->
                            ReadyCheckers.starting(JpaIdentifiers.of(red.factory()), JpaIdentifiers.of(blue.factory())))
                    .hasMessageContaining("another checker");
            try (AvailabilityChecker ofRed = ReadyCheckers.on(JpaIdentifiers.of(red.factory()))) {
                signUp(red.factory(), "alice", true);
                assertThat(status(ofRed, "alice")).isEqualTo(Status.TAKEN);
            }
            signUp(blue.factory(), "bob", true);
            assertThat(status(ofBlue, "bob")).isEqualTo(Status.TAKEN);
        }
    }

    // ---------------------------------------------------------------- factories that nobody hears

    /** Writes what {@code first} keeps in memory, without its checker being told by an event. */
    private enum Stranger {
        ENTITY {
            @Override
            void write(EntityManagerFactory stranger, String name) {
                signUp(stranger, name, true);
            }
        },
        NATIVE {
            @Override
            void write(EntityManagerFactory stranger, String name) {
                stranger.runInTransaction(entities -> entities.createNativeQuery(
                                "insert into IdentityAccount (username) values ('" + name + "')")
                        .executeUpdate());
            }
        },
        AUTOCOMMIT {
            @Override
            void write(EntityManagerFactory stranger, String name) {
                try (var session = stranger.unwrap(SessionFactory.class).openStatelessSession()) {
                    session.insert(new IdentityAccount(name));
                }
            }
        };

        abstract void write(EntityManagerFactory stranger, String name);
    }

    /** Beside a provider of the application's own, which need not read it. */
    @Test
    void whereAFactoryLeadsIsNotBelievedOfASetting() {
        Function<String, Map<String, ?>> settings = url -> {
            DriverManagerConnectionProvider own = new DriverManagerConnectionProvider();
            own.configure(Map.of("hibernate.connection.url", url)); // by itself, and not once more by the setting
            ConnectionProvider provider =
                    StandIn.of(ConnectionProvider.class, (method, arguments) -> method.invoke(own, arguments));
            return Map.of(
                    "hibernate.connection.provider_class",
                    provider,
                    "jakarta.persistence.jdbc.url",
                    "jdbc:h2:mem:moved");
        };
        try (TestDatabase database = TestDatabase.on(Engine.H2, settings, IdentityAccount.class);
                EntityManagerFactory second = database.anotherFactory(Map.of(), IdentityAccount.class);
                EntityManager entities = second.createEntityManager()) {
            entities.getTransaction().begin();
            entities.createNativeQuery("select 1", Integer.class).getSingleResult();
            try (AvailabilityChecker checker = ReadyCheckers.starting(JpaIdentifiers.of(database.factory()))) {
                // Time enough for a scan, had it overlooked the session.
                for (int i = 0; i < 10_000 && checker.state(USERNAME) != KindState.READY; i++) {
                    assertThat(status(checker, "nobody" + i)).isEqualTo(Status.AVAILABLE);
                }
                entities.persist(new IdentityAccount("alice"));
                entities.getTransaction().commit();
                assertThat(status(checker, "alice")).isEqualTo(Status.TAKEN);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Engine.class)
    void whatAFactoryWritesThatNoCheckerHearsIsTakenAtOnce(Engine engine) {
        try (TestDatabase database = TestDatabase.on(engine, Map.of(), IdentityAccount.class);
                EntityManagerFactory second = database.anotherFactory(Map.of(), IdentityAccount.class);
                EntityManagerFactory third = database.anotherFactory(Map.of(), Applicant.class);
                AvailabilityChecker checker = ReadyCheckers.on(JpaIdentifiers.of(database.factory()))) {
            for (Stranger stranger : Stranger.values()) {
                String name = stranger.name().toLowerCase(Locale.ROOT);
                stranger.write(stranger == Stranger.NATIVE ? third : second, name);
                assertThat(status(checker, name)).as(name).isEqualTo(Status.TAKEN);
                awaitReady(checker);
                assertThat(checker.checkInMemory(USERNAME, name).status())
                        .as(name)
                        .isNotEqualTo(Status.AVAILABLE);
                assertThat(checker.stats(USERNAME).missesProved()).isZero();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Engine.class)
    void aFactoryThatWritesOtherTablesOrReadsCostsNothing(Engine engine) {
        try (TestDatabase database = TestDatabase.on(engine, Map.of(), IdentityAccount.class);
                EntityManagerFactory second =
                        database.anotherFactory(Map.of(), IdentityAccount.class, Applicant.class);
                AvailabilityChecker checker = ReadyCheckers.on(JpaIdentifiers.of(database.factory()))) {
            long asked = System.nanoTime();
            second.runInTransaction(entities -> {
                entities.createQuery("from IdentityAccount", IdentityAccount.class)
                        .getResultList();
                entities.persist(new Applicant(1L, "alice"));
            });
            assertThat(checker.state(USERNAME)).isEqualTo(KindState.READY);
            assertThat(ReadyCheckers.scannedSince(asked, checker, USERNAME)).isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource(Engine.class)
    void twoContextsOnTwoDatabasesLeaveEachOtherAlone(Engine engine) {
        try (TestDatabase red = TestDatabase.on(engine, Map.of(), IdentityAccount.class);
                TestDatabase blue = TestDatabase.on(engine, Map.of(), IdentityAccount.class);
                AvailabilityChecker ofRed = ReadyCheckers.on(JpaIdentifiers.of(red.factory()));
                AvailabilityChecker ofBlue = ReadyCheckers.on(JpaIdentifiers.of(blue.factory()));
                LoggedLines log = new LoggedLines()) {
            long asked = System.nanoTime();
            signUp(blue.factory(), "alice", true);
            assertThat(status(ofBlue, "alice")).isEqualTo(Status.TAKEN);
            assertThat(status(ofRed, "alice")).isEqualTo(Status.AVAILABLE);
            assertThat(ofRed.state(USERNAME)).isEqualTo(KindState.READY);
            assertThat(ReadyCheckers.scannedSince(asked, ofRed, USERNAME)).isFalse();
            assertThat(log.warnings()).isEmpty();
        }
    }

    /** As developers' tools restart an application: the old factory is closed, or only forgotten by its checker. */
    @ParameterizedTest
    @EnumSource(Engine.class)
    void aContextThatReplacesAnotherIsReady(Engine engine) {
        try (TestDatabase database = TestDatabase.on(engine, Map.of(), IdentityAccount.class);
                LoggedLines log = new LoggedLines()) {
            for (int restart = 0; restart < 3; restart++) {
                String name = "user" + restart;
                EntityManagerFactory factory = database.anotherFactory(Map.of(), IdentityAccount.class);
                try (AvailabilityChecker checker = ReadyCheckers.marked(JpaIdentifiers.of(factory))) {
                    signUp(factory, name, true);
                    assertThat(status(checker, name)).isEqualTo(Status.TAKEN);
                    assertThat(checker.state(USERNAME)).isEqualTo(KindState.READY);
                }
                if (restart != 1) {
                    factory.close();
                } else {
                    left = factory;
                }
            }
            assertThat(log.warnings()).isEmpty();
        } finally {
            left.close();
        }
    }

    private EntityManagerFactory left;

    @Test
    void aClosedFactoryThatItsCheckerNeverLeftCanBeCollected() {
        WeakReference<EntityManagerFactory> factory = closedFactory();
        Eventually.holds("collected", () -> {
            System.gc();
            return factory.refersTo(null);
        });
    }

    private static WeakReference<EntityManagerFactory> closedFactory() {
        try (TestDatabase database = TestDatabase.of(IdentityAccount.class)) {
            Looks.at(JpaIdentifiers.of(database.factory())).connect(new RecordingSink());
            signUp(database.factory(), "alice", true);
            return new WeakReference<>(database.factory());
        }
    }

    @Test
    void aLoneProcessIsNotWarnedOfAnother() {
        try (LoggedLines log = new LoggedLines();
                TestDatabase database = TestDatabase.on(Engine.POSTGRESQL, Map.of(), IdentityAccount.class);
                AvailabilityChecker checker = ReadyCheckers.marked(JpaIdentifiers.of(database.factory()))) {
            assertThat(status(checker, "alice")).isEqualTo(Status.AVAILABLE);
            assertThat(log.warnings()).isEmpty();
        }
    }

    private static void awaitReady(AvailabilityChecker checker) {
        Eventually.holds("ready", () -> checker.state(USERNAME) == KindState.READY);
    }
}
