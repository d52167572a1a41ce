package io.github.untaken.spring.boot;

import static io.github.untaken.IdentifierKind.USERNAME;
import static io.github.untaken.Verdict.Status.AVAILABLE;
import static io.github.untaken.Verdict.Status.TAKEN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.KindState;
import io.github.untaken.Verdict.DecidedBy;
import io.github.untaken.testkit.Eventually;
import io.github.untaken.testkit.InMemoryIdentifierStore;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionTemplate;

class TransactionalRegistrationsTest {
    private final InMemoryIdentifierStore store = new InMemoryIdentifierStore();
    private final AvailabilityChecker checker = AvailabilityChecker.builder()
            .store(USERNAME, store)
            .recheckTimeout(Duration.ofSeconds(30))
            .build();
    private final TransactionalRegistrations registrations = new TransactionalRegistrations(checker);
    private final Transactions transactions = new Transactions();
    private final TransactionTemplate template = new TransactionTemplate(transactions);

    /** Transactions of no database, whose commit may fail after it was sent. */
    private static final class Transactions extends AbstractPlatformTransactionManager {
        private static final long serialVersionUID = 1L;
        private transient Runnable commit = () -> {};

        @Override
        protected Object doGetTransaction() {
            return new Object();
        }

        @Override
        protected void doBegin(Object transaction, TransactionDefinition definition) {}

        @Override
        protected void doCommit(DefaultTransactionStatus status) {
            commit.run();
        }

        @Override
        protected void doRollback(DefaultTransactionStatus status) {}
    }

    @AfterEach
    void close() {
        checker.close();
    }

    private boolean taken(String name) {
        return checker.check(USERNAME, name).status() == TAKEN;
    }

    @Test
    void isAskedOfTheStoreFromTheAnnouncementOnAndTakenAfterTheCommit() {
        Eventually.holds("ready", () -> checker.state(USERNAME) == KindState.READY);
        template.executeWithoutResult(status -> {
            registrations.announceInTransaction(USERNAME, "alice");
            assertThat(checker.check(USERNAME, "alice").decidedBy()).isEqualTo(DecidedBy.STORE);
            transactions.commit = () -> store.add("alice");
        });
        assertThat(taken("alice")).isTrue();
    }

    @Test
    void isFreeAfterARollback() {
        template.executeWithoutResult(status -> {
            registrations.announceInTransaction(USERNAME, "alice");
            status.setRollbackOnly();
        });
        Eventually.holds("free", () -> checker.check(USERNAME, "alice").status() == AVAILABLE);
    }

    /** The row is there, although whoever committed was told that it failed. */
    @Test
    void aCommitThatFailedAfterItWasSentLeavesADoubtThatTheStoreAnswers() {
        transactions.setRollbackOnCommitFailure(true);
        transactions.commit = () -> {
            store.add("alice");
            throw new org.springframework.transaction.TransactionSystemException("reply lost");
        };
        assertThatThrownBy(() ->
                        template.executeWithoutResult(status -> registrations.announceInTransaction(USERNAME, "alice")))
                .hasMessage("reply lost");
        assertThat(taken("alice")).isTrue();
    }

    @Test
    void withoutATransactionItSaysWhatToDo() {
        assertThatThrownBy(() -> registrations.announceInTransaction(USERNAME, "alice"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("@Transactional")
                .hasMessageNotContaining("alice");
    }
}
