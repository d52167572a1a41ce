package io.github.untaken.jpa.hibernate;

import io.github.untaken.IdentifierKind;
import io.github.untaken.jdbc.IdentifierColumn;
import io.github.untaken.jdbc.statement.Judgement;
import io.github.untaken.jdbc.transaction.OpenTransactions;
import io.github.untaken.jdbc.transaction.OpenWrite;
import io.github.untaken.jpa.hibernate.statement.InspectedStatement;
import io.github.untaken.jpa.hibernate.statement.OwnStatements;
import io.github.untaken.jpa.hibernate.statement.PendingEvents;
import java.lang.ref.Reference;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.hibernate.SessionEventListener;
import org.hibernate.StatelessSession;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.resource.transaction.spi.TransactionObserver;
import org.jspecify.annotations.Nullable;

/**
 * The writes of one session. Found by {@link Sessions}, and handed on from there. Holds the session weakly: it must stay
 * collectable. Registers nothing for the end of a transaction: what a rollback leaves behind there would run in the next one.
 *
 * <p>In a transaction all writes have one record, which is over when the session hears that it is completed, no matter how. Under
 * autocommit each write has one, which is over when the POST event comes.
 */
@SuppressWarnings("serial") // a session event listener is Serializable by type; Hibernate never serializes one
final class SessionWrites implements SessionEventListener, TransactionObserver {
    private final transient OpenTransactions open;
    private final transient Reference<SharedSessionContractImplementor> session;
    private final transient Runnable onClose;
    private final transient PendingEvents pendingEvents = new PendingEvents();
    /** The kinds of statements that were sent although only the POST event will tell which names they wrote. */
    private final transient Map<OwnStatements, Set<IdentifierKind>> unread = new HashMap<>(1);

    private transient @Nullable OpenWrite written;
    /** Whether that is under autocommit. */
    private transient boolean alone;
    /** Under autocommit: whether the statement of a pending event has been executed. */
    private transient boolean executed;
    /** Under autocommit: whether what is executed next is a statement that no event tells of. */
    private transient boolean unseenIsNext;

    /** Whether the connection broke under a statement of this transaction. */
    private transient boolean broken;

    private transient boolean closed;

    SessionWrites(OpenTransactions open, Reference<SharedSessionContractImplementor> session, Runnable onClose) {
        this.open = open;
        this.session = session;
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
        // The POST event of a stateless session has not read what the database has made.
        if (voucher != null && session.isTransactionInProgress() && !(session instanceof StatelessSession)) {
            unread.put(voucher, judgement.kinds());
        } else if (!judgement.kinds().isEmpty()) {
            boolean first = pendingEvents.isEmpty() && (written == null || !alone);
            judgement.kinds().forEach(write(session)::unseen);
            unseenIsNext = alone && first;
        }
    }

    /** Before a statement that writes no identifiers. */
    void aboutToPrepareHarmless() {
        unseenIsNext = false;
    }

    /**
     * Under autocommit a statement that no event tells of is over once it has been executed, unless the connection broke. If another was
     * prepared meanwhile, nobody knows which of them that was, and only the end of the session is an end.
     */
    void statementEnded(SharedSessionContractImplementor session) {
        if (unseenIsNext
                && !session.isTransactionInProgress()
                && new SessionConnection(session).isOpenUnderAutocommit()) {
            over();
        }
        unseenIsNext = false;
    }

    /** Where a write that is about to happen belongs. */
    OpenWrite beforeWrite(SharedSessionContractImplementor session) {
        if (alone) {
            abandon(); // its POST event never came: it failed, or nobody knows
        }
        executed = false;
        return write(session);
    }

    /** Where a write that is happening, or has happened, belongs. */
    OpenWrite write(SharedSessionContractImplementor session) {
        boolean autocommit = !session.isTransactionInProgress();
        if (autocommit != alone) {
            abandon();
            alone = autocommit;
        }
        OpenWrite now = written == null ? open.create() : written;
        written = now;
        return now;
    }

    /** A POST event has told all. */
    void writeDone() {
        if (alone && executed) {
            over();
        }
    }

    @Override
    public void jdbcExecuteStatementEnd() {
        executed = true;
        lookAtTheConnection();
    }

    @Override
    public void jdbcExecuteBatchEnd() {
        lookAtTheConnection();
    }

    /** A rollback on a broken connection may be reported though none was sent. */
    private void lookAtTheConnection() {
        SharedSessionContractImplementor executing = session.get();
        broken |= written != null && (executing == null || new SessionConnection(executing).isBroken());
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
    public void afterBegin() {}

    /** Before COMMIT is sent: what should have been told by then, and was not, is unseen. */
    @Override
    public void beforeCompletion() {
        if (!unread.isEmpty()) {
            OpenWrite now = written == null ? open.create() : written;
            written = now;
            unread.values().forEach(kinds -> kinds.forEach(kind -> open.survived(() -> now.unseen(kind))));
        }
    }

    /** As {@link #transactionCompletion}, which is heard before. */
    @Override
    public void afterCompletion(boolean successful, boolean delayed) {}

    @Override
    public void transactionCompletion(boolean successful) {
        pendingEvents.clear();
        unread.clear();
        if (!alone) {
            over();
        }
        broken = false;
    }

    /** The session was closed. */
    @Override
    public void end() {
        closed = true;
        abandon();
        pendingEvents.clear();
        onClose.run();
    }

    private void over() {
        if (written != null) {
            if (!broken) {
                written.over();
            }
            abandon();
        }
    }

    /** Nobody will tell any more of what is still open, as when the session is gone. */
    void abandon() {
        if (written != null) {
            written.ended();
            written = null;
        }
    }
}
