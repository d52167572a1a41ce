package io.github.untaken.jpa.lines;

import static io.github.untaken.IdentifierKind.USERNAME;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.IdentifierKind;
import io.github.untaken.KindState;
import io.github.untaken.RegisteredIdentifier;
import io.github.untaken.Verdict;
import io.github.untaken.Verdict.DecidedBy;
import io.github.untaken.Verdict.Status;
import io.github.untaken.jpa.JpaIdentifiers;
import io.github.untaken.jpa.plain.Guest;
import io.github.untaken.jpa.plain.Visitor;
import io.github.untaken.normalize.UsernameNormalizer;
import io.github.untaken.testkit.Eventually;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.hibernate.StatelessSession;
import org.hibernate.annotations.DynamicUpdate;
import org.hibernate.annotations.SQLRestriction;
import org.hibernate.annotations.TenantId;
import org.hibernate.context.spi.CurrentTenantIdentifierResolver;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A real checker over each line of Hibernate from 6.6 on, by what all of them have in common. */
@Tag("ci")
class HeardLinesTest {
    private final AtomicLong skipped = new AtomicLong();

    /** Nothing but a mark. */
    @Entity
    @Table(name = "marked")
    @DynamicUpdate
    @SQLRestriction("username <> 'hidden.one'")
    public static class Marked {
        @Id
        public long id;

        @RegisteredIdentifier("username")
        public String username;

        public String city;
    }

    @Entity
    public static class OfTenant {
        @Id
        public long id;

        @TenantId
        public String tenant;

        @RegisteredIdentifier("username")
        public String username;
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
        awaitReady(checker);
        return checker;
    }

    private static void awaitReady(AvailabilityChecker checker) {
        Eventually.holds("READY", () -> checker.state(USERNAME) == KindState.READY);
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

    private static Marked marked(long id, String name) {
        Marked marked = new Marked();
        marked.id = id;
        marked.username = name;
        return marked;
    }

    private static void assertToldByName(AvailabilityChecker checker, String name) {
        assertThat(checker.state(USERNAME)).as("memory is trusted").isEqualTo(KindState.READY);
        assertThat(status(checker, name)).isEqualTo(Status.TAKEN);
    }

    @Test
    void aSignUpIsTaken() {
        try (LineDatabase database = new LineDatabase(Visitor.class, Guest.class)) {
            signUp(database, "early.bird");
            try (AvailabilityChecker checker = checkerOf(database)) {
                assertThat(status(checker, "early.bird")).isEqualTo(Status.TAKEN);
                signUp(database, "alice.w");
                assertToldByName(checker, "alice.w");
                assertThat(checker.check(USERNAME, "bobby77").decidedBy()).isEqualTo(DecidedBy.FILTER);
                assertThat(checker.stats(USERNAME).underWay().lingering()).isZero();
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
            assertToldByName(checker, "bobby77");
            assertThat(status(checker, "alice.w")).isEqualTo(Status.AVAILABLE);
            database.inTransaction(entities -> {
                entities.remove(find(entities, "bobby77"));
                return null;
            });
            assertThat(status(checker, "bobby77")).isEqualTo(Status.AVAILABLE);
        }
    }

    @Test
    void bulkAndNativeStatementsAreTakenAtOnce() {
        try (LineDatabase database = new LineDatabase(Visitor.class, Guest.class);
                AvailabilityChecker checker = checkerOf(database)) {
            signUp(database, "alice.w");
            database.inTransaction(
                    entities -> entities.createQuery("update Visitor set username = :name where username = 'alice.w'")
                            .setParameter("name", "bobby77")
                            .executeUpdate());
            assertThat(status(checker, "bobby77")).isEqualTo(Status.TAKEN);
            awaitReady(checker);
            database.inTransaction(entities -> entities.createNativeQuery("update Visitor set username = 'carol.x'")
                    .executeUpdate());
            assertThat(status(checker, "carol.x")).isEqualTo(Status.TAKEN);
            database.inTransaction(
                    entities -> entities.createNativeQuery("update Visitor set username = concat('dave', '.y')")
                            .executeUpdate());
            assertThat(checker.state(USERNAME)).as("unseen").isNotEqualTo(KindState.READY);
            assertThat(status(checker, "dave.y")).isEqualTo(Status.TAKEN);
        }
    }

    @Test
    void whatAStatelessSessionWritesIsTaken() {
        try (LineDatabase database = new LineDatabase(Marked.class);
                AvailabilityChecker checker = checkerOf(database)) {
            try (StatelessSession session = database.sessions().openStatelessSession()) {
                session.beginTransaction();
                session.insert(marked(1, "alice.w"));
                session.getTransaction().commit();
            }
            assertToldByName(checker, "alice.w");
        }
    }

    @Test
    void whatDoWorkWritesIsTaken() {
        try (LineDatabase database = new LineDatabase(Marked.class);
                AvailabilityChecker checker = checkerOf(database)) {
            database.sessions()
                    .inTransaction(session -> session.doWork(connection -> {
                        try (PreparedStatement insert =
                                connection.prepareStatement("insert into marked (id, username) values (?, ?)")) {
                            insert.setLong(1, 7);
                            insert.setString(2, "alice.w");
                            insert.executeUpdate();
                        }
                    }));
            assertThat(status(checker, "alice.w")).isEqualTo(Status.TAKEN);
        }
    }

    /** A query of the entity does not show it, and its name is taken all the same. */
    @Test
    void aRowThatIsHiddenFromQueriesIsTaken() {
        try (LineDatabase database = new LineDatabase(Marked.class)) {
            database.inTransaction(entities -> {
                entities.persist(marked(1, "hidden.one"));
                return null;
            });
            try (AvailabilityChecker checker = checkerOf(database)) {
                assertThat(status(checker, "hidden.one")).isEqualTo(Status.TAKEN);
            }
        }
    }

    /** For whoever resolves the tenant; the checker's own threads are nobody's. */
    public static final class SomeTenant implements CurrentTenantIdentifierResolver<String> {
        @Override
        public String resolveCurrentTenantIdentifier() {
            return Thread.currentThread().getName().startsWith("untaken") ? "nobody" : "somebody";
        }

        @Override
        public boolean validateExistingCurrentSessions() {
            return false;
        }
    }

    @Test
    void aNameOfAnotherTenantInTheSameTableIsTaken() {
        try (LineDatabase database = new LineDatabase(
                Map.of("hibernate.tenant_identifier_resolver", SomeTenant.class.getName()), OfTenant.class)) {
            database.inTransaction(entities -> {
                OfTenant early = new OfTenant();
                early.id = 1;
                early.username = "early.bird";
                entities.persist(early);
                return null;
            });
            try (AvailabilityChecker checker = checkerOf(database)) {
                assertThat(status(checker, "early.bird")).isEqualTo(Status.TAKEN);
                database.inTransaction(entities -> {
                    OfTenant late = new OfTenant();
                    late.id = 2;
                    late.username = "late.riser";
                    entities.persist(late);
                    return null;
                });
                assertToldByName(checker, "late.riser");
            }
        }
    }

    @Test
    void anIdentifierInAnElementCollectionIsTaken() {
        try (LineDatabase database = new LineDatabase(Member.class);
                AvailabilityChecker checker = AvailabilityChecker.builder()
                        .source(JpaIdentifiers.of(database.factory()))
                        .singleWriter(false)
                        .build()) {
            IdentifierKind kind = checker.kinds().iterator().next();
            Eventually.holds("READY", () -> checker.state(kind) == KindState.READY);
            database.inTransaction(entities -> {
                Member member = new Member();
                member.nicknames.add(new Member.Nickname("alice.w"));
                entities.persist(member);
                return null;
            });
            assertThat(checker.check(kind, "alice.w").status()).isEqualTo(Status.TAKEN);
            assertThat(checker.state(kind)).isEqualTo(KindState.READY);
        }
    }

    /** Such a connection comes from no provider, and nobody hears what is sent over it. */
    @Test
    void whatASessionWritesOverAConnectionOfItsOwnIsTaken() throws Exception {
        try (LineDatabase database = new LineDatabase(Marked.class);
                Connection own = database.anotherConnection()) {
            try (AvailabilityChecker checker = checkerOf(database)) {
                try (var session =
                        database.sessions().withOptions().connection(own).openSession()) {
                    session.beginTransaction();
                    session.persist(marked(1, "alice.w"));
                    assertThat(checker.state(USERNAME)).isNotEqualTo(KindState.READY);
                    session.getTransaction().commit();
                    assertThat(status(checker, "alice.w")).isEqualTo(Status.TAKEN);
                }
                assertThat(status(checker, "alice.w")).isEqualTo(Status.TAKEN);
                assertThat(checker.state(USERNAME)).as("for ten minutes more").isNotEqualTo(KindState.READY);
                skipped.addAndGet(Duration.ofMinutes(11).toNanos());
            }
        }
    }

    @Test
    void whatIsWrittenOverAConnectionThatWasInUseAtTheStartIsTaken() {
        try (LineDatabase database = new LineDatabase(Map.of("hibernate.connection.autocommit", "true"), Marked.class);
                var session = database.sessions().openSession()) {
            session.beginTransaction();
            session.doWork(connection -> assertThat(connection.isClosed()).isFalse());
            AvailabilityChecker checker = AvailabilityChecker.builder()
                    .source(JpaIdentifiers.of(database.factory()))
                    .singleWriter(false)
                    .build();
            try (checker) {
                session.persist(marked(1, "alice.w"));
                session.getTransaction().commit();
                assertThat(status(checker, "alice.w")).isEqualTo(Status.TAKEN);
                session.close(); // until then it keeps its connection
                awaitReady(checker);
                assertThat(status(checker, "alice.w")).isEqualTo(Status.TAKEN);
            }
        }
    }

    @Test
    void whatAnotherFactoryOfTheSameDatabaseWritesIsTaken() {
        try (LineDatabase database = new LineDatabase(Marked.class);
                LineDatabase other = database.another(Marked.class);
                AvailabilityChecker checker = checkerOf(database)) {
            other.inTransaction(entities -> {
                entities.persist(marked(1, "alice.w"));
                return null;
            });
            assertToldByName(checker, "alice.w");
        }
    }
}
