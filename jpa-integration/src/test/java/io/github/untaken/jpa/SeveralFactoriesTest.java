package io.github.untaken.jpa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.Verdict.DecidedBy;
import io.github.untaken.Verdict.Status;
import io.github.untaken.jpa.entities.IdentityAccount;
import io.github.untaken.jpa.entities.Versioned;
import io.github.untaken.spi.IdentifierKind;
import io.github.untaken.testkit.Eventually;
import jakarta.persistence.EntityManagerFactory;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Several persistence units in one application. */
class SeveralFactoriesTest {
    private static final IdentifierKind USERNAME = IdentifierKind.USERNAME;

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
                assertThat(checker.stats(USERNAME).entries()).isEqualTo(2);
                signUp(red.factory(), "new.red", true);
                signUp(blue.factory(), "new.blue", true);
                signUp(blue.factory(), "never", false);
                for (String name : new String[] {"old.red", "old.blue", "new.red", "new.blue"}) {
                    assertThat(status(checker, name)).isEqualTo(Status.TAKEN);
                }
                Eventually.holds(
                        "a read has verified the rollback",
                        () -> checker.check(USERNAME, "never").decidedBy() == DecidedBy.FILTER);

                remove(blue.factory(), "new.blue");
                remove(red.factory(), "old.red");
                assertThat(status(checker, "new.blue")).isEqualTo(Status.AVAILABLE);
                assertThat(status(checker, "old.red")).isEqualTo(Status.AVAILABLE);
                Eventually.holds(
                        "both copies are gone", () -> checker.stats(USERNAME).entries() == 2);
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
            Eventually.holds(
                    "the removal is dropped", () -> checker.stats(USERNAME).staleRemovals() == 1);
            assertThat(status(checker, "alice")).isEqualTo(Status.TAKEN);
            remove(blue.factory(), "alice");
            assertThat(status(checker, "alice")).isEqualTo(Status.AVAILABLE);
        }
    }

    /** Where the database tells writers apart, the two count as two: the answers are right, but not from memory. */
    @ParameterizedTest
    @EnumSource(Engine.class)
    void oneCheckerHearsTwoFactoriesOfOneTable(Engine engine) {
        try (TestDatabase database = TestDatabase.on(engine, Map.of(), IdentityAccount.class);
                EntityManagerFactory second =
                        database.anotherFactory(Map.of(), IdentityAccount.class, Versioned.class);
                AvailabilityChecker checker =
                        ReadyCheckers.starting(JpaIdentifiers.of(database.factory()), JpaIdentifiers.of(second))) {
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
}
