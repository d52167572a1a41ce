package io.github.untaken.jpa.hibernate;

import io.github.untaken.IdentifierKind;
import io.github.untaken.jdbc.IdentifierColumn;
import io.github.untaken.jdbc.statement.Judgement;
import io.github.untaken.jdbc.transaction.OpenTransactions;
import io.github.untaken.jdbc.transaction.TransactionWrites;
import io.github.untaken.jdbc.transaction.TransactionWrites.Outcome;
import io.github.untaken.jpa.hibernate.statement.InspectedStatement;
import io.github.untaken.jpa.hibernate.statement.OwnStatements;
import io.github.untaken.jpa.hibernate.statement.PendingEvents;
import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import org.hibernate.SessionEventListener;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.engine.spi.TransactionCompletionCallbacks.BeforeCompletionCallback;
import org.jspecify.annotations.Nullable;

/**
 * The writes of one session, sorted into transactions. Found by {@link Sessions}, and handed on from there. Holds the
 * session weakly at most: it must stay collectable.
 *
 * <p>In a transaction all writes go together, and its end is heard from the session or from its transaction manager.
 * Under autocommit each write is a transaction of its own, which has been committed when the POST event comes.
 * (Hibernate batches in transactions only; should a POST event ever come before its SQL, the outcome counts as
 * unknown.)
 */
@SuppressWarnings("serial") // a session event listener is Serializable by type; Hibernate never serializes one
final class SessionWrites implements SessionEventListener {
    private final transient OpenTransactions open;
    private final transient Runnable onClose;
    private final transient PendingEvents pendingEvents = new PendingEvents();
    /** The kinds of statements that were sent although only the POST event will tell which names they wrote. */
    private final transient Map<OwnStatements, Set<IdentifierKind>> unread = new HashMap<>(1);

    private transient @Nullable TransactionWrites transaction;
    private transient boolean managed;
    private transient WeakReference<@Nullable Object> ofManager = new WeakReference<>(null);
    private transient @Nullable WeakReference<SharedSessionContractImplementor> uncheckedConnection;

    /** Under autocommit: a write that events tell of. */
    private transient @Nullable TransactionWrites statement;

    private transient boolean executed;
    /** Under autocommit: one that no event tells of. */
    private transient @Nullable UnseenStatement unseen;

    private transient boolean closed;

    SessionWrites(OpenTransactions open, Runnable onClose) {
        this.open = open;
        this.onClose = onClose;
    }

    PendingEvents pendingEvents() {
        return pendingEvents;
    }

    /** Whether its session was closed; should that write once more, it gets another. */
    boolean isClosed() {
        return closed;
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

    /** The POST event of a collection; false if it is of one whose PRE event was not told. */
    boolean endCollection() {
        OwnStatements newest = pendingEvents.newestOfCollection();
        if (newest == null) {
            return false;
        }
        end(newest);
        return true;
    }

    /**
     * Before a statement that may write identifiers: it counts as unseen unless a pending event vouches for it.
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
        TransactionWrites writes = whereUnseenBelongs(session);
        if (judgement.mistrusted()) {
            writes.mistrustRollback();
        }
        judgement.kinds().forEach(writes::unseen);
    }

    private TransactionWrites whereUnseenBelongs(SharedSessionContractImplementor session) {
        if (session.isTransactionInProgress()) {
            return inTransaction(session);
        }
        abandonTransaction();
        if (statement != null && !pendingEvents.isEmpty()) {
            return statement;
        }
        if (unseen == null) {
            unseen = new UnseenStatement(open.create());
        } else {
            unseen.anotherIsPrepared();
        }
        return unseen.writes();
    }

    /** Before a statement that writes no identifiers. */
    void aboutToPrepareHarmless() {
        if (unseen != null) {
            unseen.anotherIsPrepared();
        }
    }

    void statementBegins() {
        if (unseen != null) {
            unseen.begins();
        }
    }

    /**
     * Under autocommit a statement is a transaction, which is over unless the connection broke or does not commit by
     * itself. Then only the end of the session is an end, and nobody knows of what.
     */
    void statementEnded(SharedSessionContractImplementor session) {
        if (unseen != null
                && unseen.isTheOneExecuted()
                && !session.isTransactionInProgress()
                && new SessionConnection(session).isOpenUnderAutocommit()) {
            unseen.committed();
            unseen = null;
        }
    }

    /** Where a write that is about to happen belongs. */
    TransactionWrites beforeWrite(SharedSessionContractImplementor session) {
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
    TransactionWrites afterWrite(SharedSessionContractImplementor session) {
        if (session.isTransactionInProgress()) {
            return inTransaction(session);
        }
        if (statement == null) {
            statement = open.create();
        }
        return statement;
    }

    /** A POST event has told all. */
    void writeDone(SharedSessionContractImplementor session) {
        if (statement != null && executed && !session.isTransactionInProgress()) {
            statement.end(Outcome.COMMITTED);
            statement = null;
        }
    }

    private TransactionWrites inTransaction(SharedSessionContractImplementor session) {
        abandonStatement();
        abandonUnseen();
        if (transaction == null || transaction.hasEnded() || isOfAnother(session)) {
            transaction = open.create();
            managed = ManagerOutcome.listen(session, transaction);
            ofManager = new WeakReference<>(managed ? ManagerOutcome.current(session) : null);
            if (managed) {
                uncheckedConnection = new WeakReference<>(session);
            } else if (new SessionConnection(session).isAutocommit()) {
                // The pool does not do what the settings say of it: a rollback on such a connection rolls nothing back.
                transaction.mistrustRollback();
            }
            listenToCompletion(session, transaction);
        }
        return transaction;
    }

    /** A manager can suspend one and let the session work in another, which ends in its own way. */
    private boolean isOfAnother(SharedSessionContractImplementor session) {
        return managed && !Objects.equals(ofManager.get(), ManagerOutcome.current(session));
    }

    private void listenToCompletion(SharedSessionContractImplementor session, TransactionWrites writes) {
        BeforeCompletionCallback before = ignored -> {
            unread.values().forEach(kinds -> kinds.forEach(writes::unseen));
            unread.clear();
            writes.completing();
        };
        session.getTransactionCompletionCallbacks().registerCallback(before);
        if (!managed) {
            SessionOutcome.listen(session, writes);
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
            if (session == null || new SessionConnection(session).isAutocommit()) {
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
        closed = true;
        abandon();
        onClose.run();
    }

    /** The session is gone: nobody will tell any more how it ended what is still open. */
    void abandon() {
        abandonTransaction();
        abandonStatement();
        abandonUnseen();
        pendingEvents.clear();
    }

    private void abandonUnseen() {
        if (unseen != null) {
            unseen.abandon();
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
