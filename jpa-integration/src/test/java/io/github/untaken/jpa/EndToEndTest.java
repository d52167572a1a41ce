package io.github.untaken.jpa;

import static io.github.untaken.Verdict.Status.AVAILABLE;
import static io.github.untaken.Verdict.Status.TAKEN;
import static io.github.untaken.spi.IdentifierKind.USERNAME;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.RegistryState;
import io.github.untaken.Verdict;
import io.github.untaken.Verdict.DecidedBy;
import io.github.untaken.jpa.entities.IdentityAccount;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityTransaction;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A real entity, a real Hibernate and a real checker; what a sign-up site would see. */
class EndToEndTest {
    private final TestDatabase database =
            TestDatabase.with(Map.of("hibernate.jdbc.batch_size", "10"), IdentityAccount.class);
    private AvailabilityChecker checker;

    @AfterEach
    void close() {
        if (checker != null) {
            checker.close();
        }
        database.close();
    }

    private void start() {
        checker = AvailabilityChecker.builder()
                .source(JpaIdentifiers.of(database.factory()))
                .build();
        eventually(() -> checker.state(USERNAME) == RegistryState.READY);
    }

    @Test
    void aSignUpIsTakenFromThePersistOnInEverySpelling() {
        start();
        database.inTransaction(entities -> {
            entities.persist(new IdentityAccount("alice"));
            assertThat(check("ALICE")).matches(v -> v.status() == TAKEN && v.decidedBy() == DecidedBy.PENDING);
        });
        assertThat(status("alice")).isEqualTo(TAKEN);
        assertThat(status("\uff21\uff2c\uff29\uff23\uff25")).isEqualTo(TAKEN);
        assertThat(checker.stats(USERNAME).pending()).isZero();
        assertThat(checker.stats(USERNAME).entries()).isEqualTo(1);
    }

    @Test
    void aRollbackLeavesTheNameFreeAndNoTrace() {
        start();
        try (EntityManager entities = database.factory().createEntityManager()) {
            EntityTransaction transaction = entities.getTransaction();
            transaction.begin();
            entities.persist(new IdentityAccount("alice"));
            assertThat(status("alice")).isEqualTo(TAKEN);
            transaction.rollback();
        }
        assertThat(check("alice")).matches(v -> v.available() && v.decidedBy() == DecidedBy.FILTER);
        assertThat(checker.stats(USERNAME).doubtful()).isZero();
    }

    @Test
    void aRefusedDuplicateLeavesNoTrace() {
        database.inTransaction(entities -> entities.persist(new IdentityAccount("alice")));
        start();
        for (int i = 0; i < 20; i++) {
            assertThatThrownBy(() -> database.inTransaction(entities -> entities.persist(new IdentityAccount("alice"))))
                    .isInstanceOf(RuntimeException.class);
        }
        assertThat(status("alice")).isEqualTo(TAKEN);
        assertThat(checker.stats(USERNAME))
                .matches(stats -> stats.entries() == 1 && stats.pending() == 0 && stats.doubtful() == 0);
    }

    @Test
    void aRenameFreesTheOldNameAndTakesTheNew() {
        database.inTransaction(entities -> entities.persist(new IdentityAccount("alice")));
        start();
        database.inTransaction(entities -> account(entities, "alice").username = "bob");
        assertThat(status("bob")).isEqualTo(TAKEN);
        assertThat(status("alice")).isEqualTo(AVAILABLE);
        eventually(() -> check("alice").decidedBy() == DecidedBy.FILTER);
    }

    @Test
    void aDeletionFreesTheName() {
        database.inTransaction(entities -> entities.persist(new IdentityAccount("alice")));
        start();
        database.inTransaction(entities -> entities.remove(account(entities, "alice")));
        assertThat(status("alice")).isEqualTo(AVAILABLE);
        eventually(() -> checker.stats(USERNAME).entries() == 0);
        database.inTransaction(entities -> entities.persist(new IdentityAccount("alice")));
        assertThat(status("alice")).isEqualTo(TAKEN);
    }

    @Test
    void twoNamesSwappedAreBothStillTaken() {
        database.inTransaction(entities -> {
            entities.persist(new IdentityAccount("alice"));
            entities.persist(new IdentityAccount("bob"));
        });
        start();
        database.inTransaction(entities -> {
            IdentityAccount alice = account(entities, "alice");
            IdentityAccount bob = account(entities, "bob");
            alice.username = "carol";
            entities.flush();
            bob.username = "alice";
            entities.flush();
            alice.username = "bob";
        });
        assertThat(status("alice")).isEqualTo(TAKEN);
        assertThat(status("bob")).isEqualTo(TAKEN);
        assertThat(status("carol")).isEqualTo(AVAILABLE);
    }

    @Test
    void aNameDeletedAndInsertedAgainInOneTransactionIsTaken() {
        database.inTransaction(entities -> entities.persist(new IdentityAccount("alice")));
        start();
        database.inTransaction(entities -> {
            entities.remove(account(entities, "alice"));
            entities.flush();
            entities.persist(new IdentityAccount("alice"));
        });
        assertThat(status("alice")).isEqualTo(TAKEN);
        checker.rescan(USERNAME);
        assertThat(status("alice")).isEqualTo(TAKEN);
    }

    @Test
    void aDeletionInARolledBackSavepointFreesNothing() {
        database.inTransaction(entities -> entities.persist(new IdentityAccount("alice")));
        start();
        database.inTransaction(entities -> {
            org.hibernate.Session session = entities.unwrap(org.hibernate.Session.class);
            java.sql.Savepoint[] savepoint = new java.sql.Savepoint[1];
            session.doWork(connection -> savepoint[0] = connection.setSavepoint());
            entities.remove(account(entities, "alice"));
            entities.flush();
            session.doWork(connection -> connection.rollback(savepoint[0]));
        });
        assertThat(status("alice")).isEqualTo(TAKEN);
        eventually(() -> checker.stats(USERNAME).staleRemovals() == 1);
        assertThat(status("alice")).isEqualTo(TAKEN);
    }

    @Test
    void aTransactionOpenBeforeTheCheckerIsSeenWhenItCommits() {
        try (EntityManager entities = database.factory().createEntityManager()) {
            EntityTransaction transaction = entities.getTransaction();
            transaction.begin();
            entities.persist(new IdentityAccount("alice"));
            checker = AvailabilityChecker.builder()
                    .source(JpaIdentifiers.of(database.factory()))
                    .build();
            assertThat(status("alice")).isEqualTo(TAKEN);
            transaction.commit();
            assertThat(status("alice")).isEqualTo(TAKEN);
        }
        eventually(() -> checker.state(USERNAME) == RegistryState.READY);
        assertThat(status("alice")).isEqualTo(TAKEN);
    }

    @Test
    void aDisplayFormIsNeverAvailableInAnySpelling() {
        database.sql("insert into IdentityAccount (username) values ('Alice')");
        checker = AvailabilityChecker.builder()
                .source(JpaIdentifiers.of(database.factory()))
                .build();
        for (String spelling : new String[] {"alice", "Alice", "ALICE"}) {
            assertThat(status(spelling)).isNotEqualTo(AVAILABLE); // from the first moment on
        }
        eventually(() -> checker.state(USERNAME) == RegistryState.READY);
        database.inTransaction(entities -> entities.persist(new IdentityAccount("Bob")));
        for (String spelling : new String[] {"alice", "Alice", "bob", "Bob", "BOB"}) {
            assertThat(status(spelling)).isEqualTo(TAKEN);
        }
    }

    private Verdict check(String text) {
        return checker.check(USERNAME, text);
    }

    private Verdict.Status status(String text) {
        return check(text).status();
    }

    private static IdentityAccount account(EntityManager entities, String username) {
        return entities.createQuery("select a from IdentityAccount a where a.username = ?1", IdentityAccount.class)
                .setParameter(1, username)
                .getSingleResult();
    }

    private static void eventually(BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - deadline)
                    .as("the condition never held")
                    .isNegative();
            Thread.onSpinWait();
        }
    }
}
