package io.github.untaken.jpa;

import static io.github.untaken.jpa.CheckedDatabase.USERNAME;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.IdentifierKind;
import io.github.untaken.KindState;
import io.github.untaken.Verdict.DecidedBy;
import io.github.untaken.Verdict.Status;
import io.github.untaken.jpa.plain.Address;
import io.github.untaken.jpa.plain.Guest;
import io.github.untaken.jpa.plain.Visitor;
import io.github.untaken.normalize.UsernameNormalizer;
import io.github.untaken.testkit.Eventually;
import jakarta.persistence.EntityManager;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A real checker over EclipseLink and H2. */
class OtherProvidersEndToEndTest {
    private final EclipseLinkDatabase database = new EclipseLinkDatabase(Visitor.class, Guest.class, Address.class);
    private final AtomicLong skipped = new AtomicLong();
    private AvailabilityChecker checker;

    @BeforeEach
    void start() {
        checker = AvailabilityChecker.builder()
                .source(JpaIdentifiers.of(database.factory()))
                .normalizer(IdentifierKind.EMAIL, UsernameNormalizer.defaults())
                .recheckTimeout(Duration.ofMinutes(1))
                .singleWriter(false) // a busy machine may not answer in time that nobody else writes
                .rescanInterval(Duration.ofDays(1))
                .ticker(() -> System.nanoTime() + skipped.get())
                .build();
        Eventually.holds("READY", () -> checker.state(USERNAME) == KindState.READY);
    }

    @AfterEach
    void close() {
        checker.close();
        database.close();
    }

    private Status status(String name) {
        return checker.check(USERNAME, name).status();
    }

    private void signUp(String name) {
        database.factory().runInTransaction(entities -> entities.persist(new Visitor(name, null)));
    }

    private static Visitor find(EntityManager entities, String name) {
        return entities.createQuery("select v from Visitor v where v.username = :name", Visitor.class)
                .setParameter("name", name)
                .getSingleResult();
    }

    @Test
    void aSignUpIsTakenAndLingers() {
        signUp("alice.w");
        assertThat(status("alice.w")).isEqualTo(Status.TAKEN);
        assertThat(checker.stats(USERNAME).underWay().lingering()).isPositive();
        ReadyCheckers.rescan(checker, USERNAME);
        assertThat(status("alice.w")).isEqualTo(Status.TAKEN);
        assertThat(checker.stats(USERNAME).memory().entries()).isEqualTo(1);
    }

    @Test
    void aRolledBackSignUpIsAvailable() {
        assertThatThrownBy(() -> database.factory().runInTransaction(entities -> {
                    entities.persist(new Visitor("alice.w", null));
                    entities.flush();
                    throw new IllegalStateException("the application changes its mind");
                }))
                .hasMessageContaining("changes its mind");
        assertThat(status("alice.w")).isEqualTo(Status.AVAILABLE);
    }

    @Test
    void aRenameFreesTheOldNameAndTakesTheNew() {
        signUp("alice.w");
        ReadyCheckers.rescan(checker, USERNAME);
        database.factory()
                .runInTransaction(entities -> find(entities, "alice.w").setUsername("bobby77"));
        assertThat(status("bobby77")).isEqualTo(Status.TAKEN);
        assertThat(status("alice.w")).isEqualTo(Status.AVAILABLE);
        ReadyCheckers.rescan(checker, USERNAME);
        assertThat(status("bobby77")).isEqualTo(Status.TAKEN);
        assertThat(status("alice.w")).isEqualTo(Status.AVAILABLE);
    }

    @Test
    void aRolledBackRenameKeepsTheOldName() {
        signUp("alice.w");
        assertThatThrownBy(() -> database.factory().runInTransaction(entities -> {
                    find(entities, "alice.w").setUsername("bobby77");
                    entities.flush();
                    throw new IllegalStateException("the application changes its mind");
                }))
                .hasMessageContaining("changes its mind");
        assertThat(status("alice.w")).isEqualTo(Status.TAKEN);
        assertThat(status("bobby77")).isEqualTo(Status.AVAILABLE);
        database.factory()
                .runInTransaction(entities -> find(entities, "alice.w").setUsername("carol55"));
        assertThat(status("carol55")).isEqualTo(Status.TAKEN);
        assertThat(status("alice.w")).isEqualTo(Status.AVAILABLE);
    }

    @Test
    void aDeleteFreesTheName() {
        signUp("alice.w");
        database.factory().runInTransaction(entities -> entities.remove(find(entities, "alice.w")));
        assertThat(status("alice.w")).isEqualTo(Status.AVAILABLE);
        signUp("alice.w");
        assertThat(status("alice.w")).isEqualTo(Status.TAKEN);
    }

    @Test
    void updatesOfOtherAttributesCostOthersNothing() {
        signUp("alice.w");
        for (int i = 0; i < 20; i++) {
            String city = "city" + i;
            database.factory().runInTransaction(entities -> find(entities, "alice.w").city = city);
        }
        assertThat(checker.state(USERNAME)).isEqualTo(KindState.READY);
        assertThat(checker.check(USERNAME, "bobby77").decidedBy()).isEqualTo(DecidedBy.FILTER);
        assertThat(status("alice.w")).isEqualTo(Status.TAKEN);
    }
}
