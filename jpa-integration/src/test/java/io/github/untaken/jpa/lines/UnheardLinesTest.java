package io.github.untaken.jpa.lines;

import static io.github.untaken.IdentifierKind.USERNAME;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.IdentifierKind;
import io.github.untaken.KindState;
import io.github.untaken.RegisteredIdentifier;
import io.github.untaken.Verdict;
import io.github.untaken.Verdict.DecidedBy;
import io.github.untaken.Verdict.Status;
import io.github.untaken.jpa.AvailabilityEntityListener;
import io.github.untaken.jpa.JpaIdentifiers;
import io.github.untaken.jpa.hibernate.HibernateLine;
import io.github.untaken.jpa.plain.Guest;
import io.github.untaken.jpa.plain.Visitor;
import io.github.untaken.normalize.UsernameNormalizer;
import io.github.untaken.testkit.Eventually;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityListeners;
import jakarta.persistence.EntityManager;
import jakarta.persistence.ExcludeSuperclassListeners;
import jakarta.persistence.Id;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.hibernate.annotations.SQLRestriction;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A real checker over a Hibernate that is too old to be heard: 6.6, 7.0 and 7.1. Under others there is nothing to test. */
class UnheardLinesTest {
    private final AtomicLong skipped = new AtomicLong();

    @Entity
    public static class Mute {
        @Id
        public long id;

        @RegisteredIdentifier("username")
        public String username;
    }

    @Entity
    @ExcludeSuperclassListeners
    public static class Deaf extends Visitor {
        public String more;
    }

    @Entity
    @EntityListeners(AvailabilityEntityListener.class)
    @SQLRestriction("username <> 'x'")
    public static class Veiled {
        @Id
        public long id;

        @RegisteredIdentifier("username")
        public String username;
    }

    @BeforeAll
    static void onlyWhereNothingIsHeard() {
        assumeFalse(HibernateLine.isHeard());
    }

    private AvailabilityChecker checkerOf(LineDatabase database) {
        AvailabilityChecker checker = AvailabilityChecker.builder()
                .source(JpaIdentifiers.of(database.factory()))
                .normalizer(IdentifierKind.EMAIL, UsernameNormalizer.defaults())
                .recheckTimeout(Duration.ofMinutes(1))
                .singleWriter(false)
                .rescanInterval(Duration.ofDays(1))
                .ticker(() -> System.nanoTime() + skipped.get())
                .build();
        Eventually.holds("READY", () -> checker.state(USERNAME) == KindState.READY);
        return checker;
    }

    private static void signUp(LineDatabase database, String name) {
        database.inTransaction(entities -> {
            entities.persist(new Visitor(name, null));
            return null;
        });
    }

    private static Visitor find(EntityManager entities, String name) {
        return entities.createQuery("select v from Visitor v where v.username = :name", Visitor.class)
                .setParameter("name", name)
                .getSingleResult();
    }

    private static Status status(AvailabilityChecker checker, String name) {
        return checker.check(USERNAME, name).status();
    }

    @Test
    void aSignUpIsTaken() {
        try (LineDatabase database = new LineDatabase(Visitor.class, Guest.class)) {
            signUp(database, "early.bird");
            try (AvailabilityChecker checker = checkerOf(database)) {
                assertThat(status(checker, "early.bird")).isEqualTo(Status.TAKEN);
                signUp(database, "alice.w");
                assertThat(status(checker, "alice.w")).isEqualTo(Status.TAKEN);
                assertThat(checker.stats(USERNAME).underWay().lingering()).isPositive();
                assertThat(status(checker, "alice.w")).isEqualTo(Status.TAKEN);
                assertThat(checker.check(USERNAME, "bobby77").decidedBy()).isEqualTo(DecidedBy.FILTER);
            }
        }
    }

    @Test
    void aRolledBackSignUpIsAvailable() {
        try (LineDatabase database = new LineDatabase(Visitor.class, Guest.class);
                AvailabilityChecker checker = checkerOf(database)) {
            assertThatThrownBy(() -> database.inTransaction(entities -> {
                        entities.persist(new Visitor("alice.w", null));
                        entities.flush();
                        throw new IllegalStateException("the application changes its mind");
                    }))
                    .hasMessageContaining("changes its mind");
            Verdict free = checker.check(USERNAME, "alice.w");
            assertThat(free.status()).isEqualTo(Status.AVAILABLE);
            assertThat(free.decidedBy()).as("told, so the database is asked").isEqualTo(DecidedBy.STORE);
        }
    }

    @Test
    void aRenameTakesTheNewNameAndFreesTheOldOne() {
        try (LineDatabase database = new LineDatabase(Visitor.class, Guest.class);
                AvailabilityChecker checker = checkerOf(database)) {
            signUp(database, "alice.w");
            database.inTransaction(entities -> {
                find(entities, "alice.w").setUsername("bobby77");
                return null;
            });
            assertThat(status(checker, "bobby77")).isEqualTo(Status.TAKEN);
            assertThat(status(checker, "alice.w")).isEqualTo(Status.AVAILABLE);
            database.inTransaction(entities -> {
                entities.remove(find(entities, "bobby77"));
                return null;
            });
            assertThat(status(checker, "bobby77")).isEqualTo(Status.AVAILABLE);
        }
    }

    @Test
    void bulkWorkThatIsAnnouncedIsTakenAtOnce() {
        try (LineDatabase database = new LineDatabase(Visitor.class, Guest.class);
                AvailabilityChecker checker = checkerOf(database)) {
            signUp(database, "alice.w");
            checker.registrations()
                    .bulk(
                            USERNAME,
                            () -> database.inTransaction(
                                    entities -> entities.createQuery("update Visitor set username = 'bobby77'")
                                            .executeUpdate()));
            assertThat(status(checker, "bobby77")).isEqualTo(Status.TAKEN);
        }
    }

    @Test
    void anEntityWithoutTheListenerIsRefused() {
        try (LineDatabase database = new LineDatabase(Mute.class)) {
            assertThatThrownBy(() -> JpaIdentifiers.of(database.factory()))
                    .hasMessageContaining("Mute.username")
                    .hasMessageContaining("@EntityListeners(AvailabilityEntityListener.class)");
        }
    }

    @Test
    void anEntityThatExcludesTheListenerOfItsSuperclassIsRefused() {
        try (LineDatabase database = new LineDatabase(Visitor.class, Deaf.class)) {
            assertThatThrownBy(() -> JpaIdentifiers.of(database.factory())).hasMessageContaining(Deaf.class.getName());
        }
    }

    @Test
    void anEntityWhoseRowsAreHiddenFromQueriesIsRefused() {
        try (LineDatabase database = new LineDatabase(Veiled.class)) {
            assertThatThrownBy(() -> JpaIdentifiers.of(database.factory()))
                    .hasMessageContaining("Veiled.username")
                    .hasMessageContaining("restriction");
        }
    }

    @Test
    void anIdentifierInAnElementCollectionIsRefused() {
        try (LineDatabase database = new LineDatabase(Member.class)) {
            assertThatThrownBy(() -> JpaIdentifiers.of(database.factory())).isInstanceOf(IllegalStateException.class);
        }
    }
}
