package io.github.untaken.jpa.hibernate;

import io.github.untaken.jdbc.transaction.TransactionWrites;
import io.github.untaken.jdbc.transaction.TransactionWrites.Outcome;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.engine.spi.TransactionCompletionCallbacks.AfterCompletionCallback;
import org.hibernate.resource.transaction.spi.TransactionStatus;

/** Hears from a session how its transaction ends, where {@link ManagerOutcome} cannot. */
final class SessionOutcome {
    private SessionOutcome() {}

    static void listen(SharedSessionContractImplementor session, TransactionWrites writes) {
        // Keeps a child session that shares its parent's transaction alive until that ends.
        AfterCompletionCallback after = (success, ignored) -> writes.end(outcome(success, session, writes));
        session.getTransactionCompletionCallbacks().registerCallback(after);
    }

    private static Outcome outcome(
            boolean success, SharedSessionContractImplementor session, TransactionWrites writes) {
        if (success) {
            return Outcome.COMMITTED;
        }
        if (ManagerOutcome.isJta(session) || !wasRolledBack(session)) {
            return Outcome.UNKNOWN;
        }
        if (writes.rollbackIsDefinite()) {
            return Outcome.ROLLED_BACK;
        }
        return writes.rollbackIsTheEnd() ? Outcome.OVER : Outcome.UNKNOWN;
    }

    /** Whether it is known to have been rolled back: a rollback that failed may have left everything. */
    private static boolean wasRolledBack(SharedSessionContractImplementor session) {
        try {
            TransactionStatus status = session.getTransactionCoordinator()
                    .getTransactionDriverControl()
                    .getStatus();
            // NOT_ACTIVE: after the rollback the connection was switched back to autocommit.
            return status == TransactionStatus.ROLLED_BACK || status == TransactionStatus.NOT_ACTIVE;
        } catch (RuntimeException e) {
            return false;
        }
    }
}
