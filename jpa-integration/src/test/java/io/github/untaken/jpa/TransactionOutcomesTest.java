package io.github.untaken.jpa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.untaken.IdentifierKind;
import io.github.untaken.jpa.entities.Account;
import io.github.untaken.jpa.entities.IdentityAccount;
import io.github.untaken.spi.IdentifierTransaction;
import jakarta.persistence.EntityManager;
import java.util.Map;
import org.hibernate.Session;
import org.hibernate.StatelessSession;
import org.hibernate.Transaction;
import org.hibernate.cfg.BatchSettings;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.engine.spi.TransactionCompletionCallbacks.AfterCompletionCallback;
import org.hibernate.engine.spi.TransactionCompletionCallbacks.BeforeCompletionCallback;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How transactions end, and that nothing of Untaken's gets in their way. */
class TransactionOutcomesTest {
    private final RecordingSink sink = new RecordingSink();
    private TestDatabase database =
            TestDatabase.with(Map.of(BatchSettings.STATEMENT_BATCH_SIZE, "5"), Account.class, IdentityAccount.class);
    private final JpaIdentifiers source = JpaIdentifiers.of(database.factory());

    @AfterEach
    void close() {
        database.close();
    }

    private void connect() {
        source.connect(sink);
    }

    @Test
    void anExplicitRollbackIsDefinite() {
        connect();
        try (EntityManager entities = database.factory().createEntityManager()) {
            entities.getTransaction().begin();
            entities.persist(Account.named("alice"));
            entities.flush();
            entities.getTransaction().rollback();
        }
        assertThat(sink.lines()).containsExactly("T1 adding username alice", "T1 rolledBack");
    }

    @Test
    void aDuplicateInTheFlushOfTheCommitIsDefinite() {
        database.inTransaction(entities -> entities.persist(Account.named("alice")));
        connect();
        try (EntityManager entities = database.factory().createEntityManager()) {
            entities.getTransaction().begin();
            entities.persist(Account.named("alice"));
            assertThatThrownBy(() -> entities.getTransaction().commit()).isInstanceOf(RuntimeException.class);
        }
        assertThat(sink.lines()).containsExactly("T1 adding username alice", "T1 rolledBack");
    }

    @Test
    void aDuplicateInABatchIsDefiniteForTheWholeBatch() {
        connect();
        try (EntityManager entities = database.factory().createEntityManager()) {
            entities.getTransaction().begin();
            entities.persist(Account.named("alice"));
            entities.persist(Account.named("bob"));
            entities.persist(Account.named("alice"));
            assertThatThrownBy(() -> entities.getTransaction().commit()).isInstanceOf(RuntimeException.class);
        }
        assertThat(sink.lines())
                .containsExactly(
                        "T1 adding username alice",
                        "T1 adding username bob",
                        "T1 adding username alice",
                        "T1 rolledBack");
    }

    @Test
    void aDuplicateInsidePersistIsDefinite() {
        database.inTransaction(entities -> entities.persist(new IdentityAccount("alice")));
        connect();
        try (EntityManager entities = database.factory().createEntityManager()) {
            entities.getTransaction().begin();
            assertThatThrownBy(() -> entities.persist(new IdentityAccount("alice")))
                    .isInstanceOf(RuntimeException.class);
            entities.getTransaction().rollback();
        }
        assertThat(sink.lines()).containsExactly("T1 adding username alice", "T1 rolledBack");
    }

    /** What counts is how the transaction ends: here the first insert is committed although the second was refused. */
    @Test
    void aRefusedInsertThatTheApplicationCatchesRollsNothingBack() {
        connect();
        try (StatelessSession session = database.sessions().openStatelessSession()) {
            Transaction transaction = session.beginTransaction();
            session.insert(new IdentityAccount("alice"));
            assertThatThrownBy(() -> session.insert(new IdentityAccount("alice")))
                    .isInstanceOf(RuntimeException.class);
            transaction.commit();
        }
        assertThat(sink.lines())
                .containsExactly("T1 adding username alice", "T1 adding username alice", "T1 committed");
    }

    @Test
    void aFailureAfterTheLastFlushLeavesTheOutcomeUnknown() {
        connect();
        try (Session session = database.sessions().openSession()) {
            session.beginTransaction();
            session.persist(Account.named("alice"));
            session.flush();
            BeforeCompletionCallback failing = ignored -> {
                throw new IllegalStateException("refused by a later callback");
            };
            callbacks(session).registerCallback(failing);
            assertThatThrownBy(() -> session.getTransaction().commit()).isInstanceOf(RuntimeException.class);
        }
        assertThat(sink.lines()).containsExactly("T1 adding username alice", "T1 unknown");
    }

    @Test
    void aRollbackOnAnotherThreadLeavesTheOutcomeUnknown() {
        connect();
        try (EntityManager entities = database.factory().createEntityManager()) {
            entities.getTransaction().begin();
            entities.persist(Account.named("alice"));
            entities.flush();
            OtherThread.run(() -> entities.getTransaction().rollback());
        }
        assertThat(sink.lines()).containsExactly("T1 adding username alice", "T1 unknown");
    }

    @Test
    void writesOfTwoThreadsLeaveTheOutcomeOfARollbackUnknown() {
        connect();
        try (EntityManager entities = database.factory().createEntityManager()) {
            entities.getTransaction().begin();
            entities.persist(new IdentityAccount("alice"));
            OtherThread.run(() -> entities.persist(new IdentityAccount("bob")));
            entities.getTransaction().rollback();
        }
        assertThat(sink.lines()).containsExactly("T1 adding username alice", "T1 adding username bob", "T1 unknown");
    }

    @Test
    void aRollbackUnderAutocommitIsNone() {
        try (TestDatabase lying = TestDatabase.with(
                Map.of("hibernate.connection.provider_disables_autocommit", "true"), IdentityAccount.class)) {
            JpaIdentifiers.of(lying.factory()).connect(sink);
            try (EntityManager entities = lying.factory().createEntityManager()) {
                entities.getTransaction().begin();
                entities.persist(new IdentityAccount("alice"));
                entities.getTransaction().rollback();
            }
            assertThat(sink.lines()).containsExactly("T1 adding username alice", "T1 unknown");
            try (EntityManager entities = lying.factory().createEntityManager()) {
                assertThat(entities.createQuery("from IdentityAccount", IdentityAccount.class)
                                .getResultList())
                        .as("the row that was said to be rolled back")
                        .hasSize(1);
            }
        }
    }

    @Test
    void aSessionClosedWithItsTransactionOpenLeavesTheOutcomeUnknown() {
        connect();
        database.stateless(session -> {
            session.beginTransaction();
            session.insert(new IdentityAccount("alice"));
        });
        assertThat(sink.lines()).containsExactly("T1 adding username alice", "T1 unknown");
    }

    @Test
    void aSessionUsedAgainStartsANewRecord() {
        connect();
        try (EntityManager entities = database.factory().createEntityManager()) {
            for (String name : new String[] {"alice", "bob"}) {
                entities.getTransaction().begin();
                entities.persist(Account.named(name));
                entities.getTransaction().commit();
            }
        }
        assertThat(sink.lines())
                .containsExactly("T1 adding username alice", "T1 committed", "T2 adding username bob", "T2 committed");
    }

    @Test
    void aChildSessionSharesTheTransactionOfItsParent() {
        connect();
        try (Session parent = database.sessions().openSession()) {
            parent.beginTransaction();
            parent.persist(new IdentityAccount("alice"));
            try (Session child = parent.sessionWithOptions().connection().open()) {
                child.persist(new IdentityAccount("bob"));
                child.flush();
            }
            sink.note("child closed");
            parent.getTransaction().commit();
        }
        assertThat(sink.lines())
                .containsExactly("T1 adding username alice", "T1 adding username bob", "child closed", "T1 committed");
    }

    @Test
    void aChildSessionThatAloneWritesIsSettledByItsParent() {
        connect();
        try (Session parent = database.sessions().openSession()) {
            parent.beginTransaction();
            try (Session child = parent.sessionWithOptions().connection().open()) {
                child.persist(new IdentityAccount("bob"));
                child.flush();
            }
            sink.note("child closed");
            parent.getTransaction().commit();
        }
        assertThat(sink.lines()).containsExactly("T1 adding username bob", "child closed", "T1 committed");
    }

    @Test
    void anExceptionOfAnotherCallbackDelaysTheOutcomeAndNeverInventsOne() {
        connect();
        try (Session session = database.sessions().openSession()) {
            session.beginTransaction();
            AfterCompletionCallback failing = (success, ignored) -> {
                throw new IllegalStateException("broken callback of the application");
            };
            callbacks(session).registerCallback(failing);
            session.persist(new IdentityAccount("alice"));
            assertThatThrownBy(() -> session.getTransaction().commit()).isInstanceOf(RuntimeException.class);
            assertThat(sink.lines()).containsExactly("T1 adding username alice");
        }
        // The row is committed and the callback was lost: closing the session settles it the safe way.
        assertThat(sink.lines()).containsExactly("T1 adding username alice", "T1 unknown");
    }

    @Test
    void anOutcomeThatArrivesInTheNextTransactionIsNeverADefiniteRollback() {
        connect();
        try (Session session = database.sessions().openSession()) {
            session.beginTransaction();
            AfterCompletionCallback failing = (success, ignored) -> {
                throw new IllegalStateException("broken callback of the application");
            };
            callbacks(session).registerCallback(failing);
            session.persist(new IdentityAccount("alice"));
            assertThatThrownBy(() -> session.getTransaction().commit()).isInstanceOf(RuntimeException.class);
            session.beginTransaction();
            session.getTransaction().rollback();
        }
        assertThat(sink.lines()).containsExactly("T1 adding username alice", "T1 unknown");
    }

    private static org.hibernate.engine.spi.TransactionCompletionCallbacks callbacks(Session session) {
        return session.unwrap(SharedSessionContractImplementor.class).getTransactionCompletionCallbacks();
    }

    @Test
    void aFaultOfTheRegistryAfterTheCommitDoesNotReachTheApplication() {
        source.connect(() -> new Broken(false));
        database.inTransaction(entities -> entities.persist(Account.named("alice")));
        assertThat(sink.lines()).containsExactly("adding", "committed", "unknown");
    }

    @Test
    void aKeyThatCannotBeAnnouncedIsNotWritten() {
        source.connect(() -> new Broken(true));
        assertThatThrownBy(() -> database.inTransaction(entities -> entities.persist(Account.named("alice"))))
                .hasRootCauseMessage("the registry is broken");
        source.disconnect();
        try (EntityManager entities = database.factory().createEntityManager()) {
            assertThat(entities.createQuery("from Account", Account.class).getResultList())
                    .isEmpty();
        }
    }

    /** Under autocommit a write is committed when its POST event comes; only before that can it still be stopped. */
    @Test
    void aKeyThatCannotBeAnnouncedIsNotWrittenUnderAutocommitEither() {
        source.connect(() -> new Broken(true));
        assertThatThrownBy(() -> {
                    try (StatelessSession session = database.sessions().openStatelessSession()) {
                        session.insert(Account.named("alice"));
                    }
                })
                .hasStackTraceContaining("the registry is broken");
        source.disconnect();
        try (EntityManager entities = database.factory().createEntityManager()) {
            assertThat(entities.createQuery("from Account", Account.class).getResultList())
                    .isEmpty();
        }
    }

    /** Fails at the outcome, or at the announcement already. */
    private final class Broken implements IdentifierTransaction {
        private final boolean refuses;

        Broken(boolean refuses) {
            this.refuses = refuses;
        }

        @Override
        public void adding(IdentifierKind kind, String value) {
            sink.note("adding");
            if (refuses) {
                throw new IllegalStateException("the registry is broken");
            }
        }

        @Override
        public void removing(IdentifierKind kind, String value) {
            throw new AssertionError("broken");
        }

        @Override
        public void unseen(IdentifierKind kind) {
            throw new AssertionError("broken");
        }

        @Override
        public void committed() {
            sink.note("committed");
            throw new AssertionError("broken");
        }

        @Override
        public void rolledBack() {
            throw new AssertionError("broken");
        }

        @Override
        public void unknown() {
            sink.note("unknown");
            throw new AssertionError("broken");
        }
    }

    @Test
    void transactionsOpenAtTheConnectAreHandedOver() {
        try (EntityManager entities = database.factory().createEntityManager()) {
            entities.getTransaction().begin();
            entities.persist(Account.named("alice"));
            entities.flush();
            connect();
            sink.note("connected");
            entities.persist(Account.named("bob"));
            entities.flush();
            entities.getTransaction().commit();
        }
        assertThat(sink.lines())
                .containsExactly("T1 adding username alice", "connected", "T1 adding username bob", "T1 committed");
    }

    @Test
    void transactionsThatEndedBeforeTheConnectAreNotTold() {
        database.inTransaction(entities -> entities.persist(Account.named("alice")));
        connect();
        assertThat(sink.lines()).isEmpty();
    }

    @Test
    void disconnectingLeavesWhatIsOpenUnknown() {
        connect();
        try (EntityManager entities = database.factory().createEntityManager()) {
            entities.getTransaction().begin();
            entities.persist(Account.named("alice"));
            entities.flush();
            source.disconnect();
            sink.note("disconnected");
            entities.persist(Account.named("bob"));
            entities.getTransaction().commit();
        }
        assertThat(sink.lines()).containsExactly("T1 adding username alice", "T1 unknown", "disconnected");
    }

    @Test
    void oneFactoryHasOneChecker() {
        connect();
        assertThatThrownBy(() -> JpaIdentifiers.of(database.factory()).connect(sink))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("another checker");
        source.disconnect();
        JpaIdentifiers.of(database.factory()).connect(sink);
    }

    @Test
    void aSecondFactoryIsHeardApart() {
        connect();
        RecordingSink other = new RecordingSink();
        try (TestDatabase second = TestDatabase.of(Account.class)) {
            JpaIdentifiers.of(second.factory()).connect(other);
            second.inTransaction(entities -> entities.persist(Account.named("alice")));
        }
        assertThat(sink.lines()).isEmpty();
        assertThat(other.lines()).containsExactly("T1 adding username alice", "T1 committed");
    }
}
