package io.github.untaken.jpa.hibernate;

import io.github.untaken.jpa.hibernate.TransactionEffects.Outcome;
import java.lang.ref.WeakReference;
import java.sql.SQLException;
import org.hibernate.SessionEventListener;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.engine.spi.TransactionCompletionCallbacks.AfterCompletionCallback;
import org.hibernate.engine.spi.TransactionCompletionCallbacks.BeforeCompletionCallback;
import org.hibernate.resource.transaction.spi.TransactionStatus;
import org.jspecify.annotations.Nullable;

/**
 * The writes of one session, sorted into transactions. Holds the session weakly at most: it must stay
 * collectable.
 *
 * <p>In a transaction all writes share one record, and the session's completion callbacks end it. Under autocommit each
 * write is a transaction of its own, which has been committed when the POST event comes. (Hibernate batches in
 * transactions only; should a POST event ever come before its SQL, the outcome counts as unknown.)
 */
@SuppressWarnings("serial") // a session event listener is Serializable by type; Hibernate never serializes one
final class SessionWrites implements SessionEventListener {
    private final transient OpenTransactions open;
    private final transient Runnable onClose;
    private transient @Nullable TransactionEffects transaction;
    private transient @Nullable TransactionEffects statement;
    private transient @Nullable WeakReference<SharedSessionContractImplementor> uncheckedConnection;
    private transient boolean managed;
    private transient boolean executed;

    SessionWrites(OpenTransactions open, Runnable onClose) {
        this.open = open;
        this.onClose = onClose;
    }

    /** Where a write that is about to happen belongs. */
    TransactionEffects beforeWrite(SharedSessionContractImplementor session) {
        if (session.isTransactionInProgress()) {
            return inTransaction(session);
        }
        abandonTransaction();
        abandonStatement(); // its POST event never came: it failed, or nobody knows
        executed = false;
        statement = open.create();
        return statement;
    }

    /** Where a write that has happened belongs. */
    TransactionEffects afterWrite(SharedSessionContractImplementor session) {
        if (session.isTransactionInProgress()) {
            return inTransaction(session);
        }
        if (statement == null) {
            statement = open.create();
        }
        return statement;
    }

    /** All that a POST event has to say is said. */
    void writeDone(SharedSessionContractImplementor session) {
        if (statement != null && executed && !session.isTransactionInProgress()) {
            statement.end(Outcome.COMMITTED);
            statement = null;
        }
    }

    private TransactionEffects inTransaction(SharedSessionContractImplementor session) {
        abandonStatement();
        if (transaction == null || transaction.hasEnded()) {
            transaction = open.create();
            managed = isJta(session) && ManagerOutcome.listen(session, transaction);
            if (managed) {
                uncheckedConnection = new WeakReference<>(session);
            } else if (isAutocommit(session)) {
                transaction.mistrustRollback();
            }
            listenToCompletion(session, transaction);
        }
        return transaction;
    }

    private static boolean isJta(SharedSessionContractImplementor session) {
        return session.getTransactionCoordinator()
                .getTransactionCoordinatorBuilder()
                .isJta();
    }

    /** A pool that does not do what the settings say of it: a transaction on such a connection rolls nothing back. */
    private static boolean isAutocommit(SharedSessionContractImplementor session) {
        try {
            return session.getJdbcCoordinator()
                    .getLogicalConnection()
                    .getPhysicalConnection()
                    .getAutoCommit();
        } catch (SQLException e) {
            return true;
        }
    }

    private void listenToCompletion(SharedSessionContractImplementor session, TransactionEffects effects) {
        BeforeCompletionCallback before = ignored -> effects.completing();
        session.getTransactionCompletionCallbacks().registerCallback(before);
        if (!managed) {
            // Keeps a child session that shares its parent's transaction alive until that ends.
            AfterCompletionCallback after = (success, ignored) -> effects.end(outcome(success, session, effects));
            session.getTransactionCompletionCallbacks().registerCallback(after);
        }
    }

    private static Outcome outcome(
            boolean success, SharedSessionContractImplementor session, TransactionEffects effects) {
        if (success) {
            return Outcome.COMMITTED;
        }
        return !isJta(session) && effects.rollbackIsDefinite() && wasRolledBack(session)
                ? Outcome.ROLLED_BACK
                : Outcome.UNKNOWN;
    }

    /** A rollback that failed is none. */
    private static boolean wasRolledBack(SharedSessionContractImplementor session) {
        try {
            TransactionStatus status = session.getTransactionCoordinator()
                    .getTransactionDriverControl()
                    .getStatus();
            // The latter follows where the connection was switched back to autocommit after the rollback.
            return status == TransactionStatus.ROLLED_BACK || status == TransactionStatus.NOT_ACTIVE;
        } catch (RuntimeException e) {
            return false;
        }
    }

    @Override
    public void jdbcExecuteStatementEnd() {
        executed = true;
        checkConnection();
    }

    @Override
    public void jdbcExecuteBatchEnd() {
        checkConnection();
    }

    /** A JTA connection joins the transaction with its first statement, and may look like any other before that. */
    private void checkConnection() {
        if (uncheckedConnection != null && transaction != null) {
            SharedSessionContractImplementor session = uncheckedConnection.get();
            uncheckedConnection = null;
            if (session == null || isAutocommit(session)) {
                transaction.mistrustRollback();
            }
        }
    }

    /** The session was closed. */
    @Override
    public void end() {
        abandon();
        onClose.run();
    }

    /** The session is gone: nobody will ever tell the outcome of what is still open. */
    void abandon() {
        abandonTransaction();
        abandonStatement();
    }

    private void abandonTransaction() {
        if (transaction != null) {
            if (!managed) { // else its manager tells the outcome, session or not
                transaction.end(Outcome.UNKNOWN);
            }
            transaction = null;
        }
    }

    private void abandonStatement() {
        if (statement != null) {
            statement.end(Outcome.UNKNOWN);
            statement = null;
        }
    }
}
