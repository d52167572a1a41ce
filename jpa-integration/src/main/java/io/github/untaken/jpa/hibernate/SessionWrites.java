package io.github.untaken.jpa.hibernate;

import io.github.untaken.IdentifierKind;
import io.github.untaken.jdbc.IdentifierColumn;
import io.github.untaken.jdbc.statement.Judgement;
import io.github.untaken.jpa.hibernate.TransactionEffects.Outcome;
import io.github.untaken.jpa.hibernate.statement.InspectedStatement;
import io.github.untaken.jpa.hibernate.statement.OwnStatements;
import io.github.untaken.jpa.hibernate.statement.PendingEvents;
import java.lang.ref.WeakReference;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.hibernate.SessionEventListener;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.engine.spi.TransactionCompletionCallbacks.AfterCompletionCallback;
import org.hibernate.engine.spi.TransactionCompletionCallbacks.BeforeCompletionCallback;
import org.hibernate.resource.jdbc.spi.LogicalConnectionImplementor;
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
    private final transient PendingEvents pendingEvents = new PendingEvents();
    /** What was sent although only the POST event will tell which names it wrote: until that has come. */
    private final transient Map<OwnStatements, Set<IdentifierKind>> unread = new HashMap<>(1);

    /** Under autocommit: a statement that no event tells of. */
    private transient @Nullable TransactionEffects unseen;

    private transient boolean unseenBegan;
    private transient boolean unseenAlone;

    SessionWrites(OpenTransactions open, Runnable onClose) {
        this.open = open;
        this.onClose = onClose;
    }

    PendingEvents pendingEvents() {
        return pendingEvents;
    }

    /** A PRE event. */
    void begin(OwnStatements statements) {
        pendingEvents.begin(statements);
    }

    /** Its POST event. */
    void end(OwnStatements statements) {
        pendingEvents.end(statements);
        unread.remove(statements);
    }

    /**
     * Before a statement that may write identifiers, unless it is that of a pending event.
     *
     * @param filledIn whether the database may have a value for a column that is left out
     */
    void aboutToPrepare(
            SharedSessionContractImplementor session,
            InspectedStatement statement,
            Judgement judgement,
            Predicate<IdentifierColumn> filledIn) {
        OwnStatements voucher = pendingEvents.voucher(statement, judgement, filledIn);
        if (voucher != null && !voucher.areReadBack()) {
            return;
        }
        if (voucher != null && session.isTransactionInProgress()) {
            inTransaction(session);
            unread.put(voucher, judgement.kinds());
            return;
        }
        TransactionEffects effects = effectsOfUnseen(session);
        if (judgement.mistrusted()) {
            effects.mistrustRollback();
        }
        judgement.kinds().forEach(effects::unseen);
    }

    private TransactionEffects effectsOfUnseen(SharedSessionContractImplementor session) {
        if (session.isTransactionInProgress()) {
            return inTransaction(session);
        }
        abandonTransaction();
        if (statement != null && !pendingEvents.isEmpty()) {
            return statement;
        }
        unseenAlone = unseen == null;
        if (unseen == null) {
            unseen = open.create();
            unseenBegan = false;
        }
        return unseen;
    }

    /** From here on it is not known which of the two is executed when. */
    void aboutToPrepareHarmless() {
        unseenAlone = false;
    }

    void statementBegins() {
        unseenBegan = true;
    }

    /**
     * Under autocommit a statement is a transaction, which is over unless the connection broke or does not commit by
     * itself; then only the end of the session is an end, and nobody knows of what.
     */
    void statementEnded(SharedSessionContractImplementor session) {
        if (unseen != null && unseenBegan && unseenAlone && !session.isTransactionInProgress() && isUsable(session)) {
            unseen.end(Outcome.COMMITTED);
            unseen = null;
        }
    }

    private static boolean isUsable(SharedSessionContractImplementor session) {
        try {
            LogicalConnectionImplementor connection =
                    session.getJdbcCoordinator().getLogicalConnection();
            return connection.isPhysicallyConnected()
                    && !connection.getPhysicalConnection().isClosed()
                    && connection.getPhysicalConnection().getAutoCommit();
        } catch (SQLException | RuntimeException e) {
            return false;
        }
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
        abandonUnseen();
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
        } catch (SQLException | RuntimeException e) {
            return true;
        }
    }

    private void listenToCompletion(SharedSessionContractImplementor session, TransactionEffects effects) {
        BeforeCompletionCallback before = ignored -> {
            unread.values().forEach(kinds -> kinds.forEach(effects::unseen));
            unread.clear();
            effects.completing();
        };
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
        if (isJta(session) || !wasRolledBack(session)) {
            return Outcome.UNKNOWN;
        }
        if (effects.rollbackIsDefinite()) {
            return Outcome.ROLLED_BACK;
        }
        return effects.rollbackIsTheEnd() ? Outcome.OVER : Outcome.UNKNOWN;
    }

    /** A rollback that failed has rolled nothing back, as far as we know. */
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

    /** What has not been written by then is not written any more. */
    @Override
    public void flushEnd(int entities, int collections) {
        pendingEvents.clear();
    }

    @Override
    public void partialFlushEnd(int entities, int collections) {
        pendingEvents.clear();
    }

    @Override
    public void transactionCompletion(boolean successful) {
        pendingEvents.clear();
        unread.clear();
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
        abandonUnseen();
        pendingEvents.clear();
    }

    private void abandonUnseen() {
        if (unseen != null) {
            unseen.end(unseenBegan ? Outcome.UNKNOWN : Outcome.ROLLED_BACK);
            unseen = null;
        }
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
