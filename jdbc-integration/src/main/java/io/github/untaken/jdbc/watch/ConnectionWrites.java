package io.github.untaken.jdbc.watch;

import io.github.untaken.IdentifierKind;
import io.github.untaken.jdbc.transaction.TransactionWrites;
import io.github.untaken.jdbc.transaction.TransactionWrites.Outcome;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransientConnectionException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is written over one connection, from when it is lent to when it is given back, and how its transactions end.
 *
 * <p>Left nothing has only a transaction whose {@code rollback()} returned on the thread that wrote, if autocommit was off and no
 * text came by that may begin or end one. What its connection was given back with, what was ended in any other way, and what failed
 * under autocommit is unknown: a batch may have stored a part, and the next borrower may commit the rest. So is what was written
 * under an autocommit that the server does not know of.
 */
final class ConnectionWrites {
    private final Watch watch;
    private final Connection connection;
    private @Nullable TransactionWrites transaction; // guarded by this, as is all below
    /** What may be written past this watch, by whoever holds the connection behind it. */
    private @Nullable TransactionWrites lent;
    /** Whether a text may have begun or ended a transaction, so that the flag of autocommit proves nothing. */
    private boolean textsDecide;
    /** What a call of setAutoCommit under way makes of the transaction. */
    private @Nullable Outcome ofChange;
    /** How many statements of the transaction have been sent and have not returned. */
    private int underWay;
    /** Whether a call that commits is under way. */
    private boolean completing;
    /** Whether one was while a statement was, on another thread, or may have been: nobody knows which of the two came first. */
    private boolean crossed;

    /** Whether a text may have defined data, of which others see nothing before its transaction ends. */
    private boolean defines;
    /** Counts the beginnings and ends of calls that may change autocommit. */
    private int changes;

    /** Whether a text, or whoever holds the connection behind, may have put a temporary table before a watched one. */
    private boolean mayHide;

    /** What has returned under autocommit and may still be at work. */
    private final Map<TransactionWrites, Sent> atWork = new HashMap<>(0);

    private boolean closed;
    /** Whether it is torn down, or about to be: said without the lock, which may be held by what is to be broken. */
    private volatile boolean torn;

    /**
     * @param understood whether it is one statement, whose values are known
     * @param named whether some of what it writes has a name: nobody waits for the end of its transaction once that is told
     * @param alone whether it is a transaction by itself
     * @param changes how often autocommit may have changed by then
     * @param earlier what was still at work by then: when this has returned, the server has answered all of it
     */
    record Sent(
            TransactionWrites writes,
            boolean understood,
            boolean named,
            boolean alone,
            int changes,
            Set<TransactionWrites> earlier) {}

    ConnectionWrites(Watch watch, Connection connection) {
        this.watch = watch;
        this.connection = connection;
    }

    /** The connection itself, for questions to the catalog. */
    Connection connection() {
        return connection;
    }

    /**
     * Before something is sent. Never throws.
     *
     * @return what {@link #ended} is told of when it has returned; null if nothing is written
     */
    synchronized @Nullable Sent begin(Execution execution) {
        boolean textsHaveDecided = textsDecide;
        if (execution.isMistrusted()) {
            textsDecide = true;
            defines = true;
            mayHide |= !execution.unseen().isEmpty();
            watch.forgetFacts();
            if (transaction != null) {
                transaction.mistrustRollback();
            }
        }
        if (execution.writesNothing()) {
            return null;
        }
        boolean alone = closed || !textsHaveDecided && isAutocommit();
        TransactionWrites writes = alone ? watch.open().create() : transaction();
        execution.forEachAdded((kind, value) -> {
            if (!watch.open().survived(() -> writes.adding(kind, value))) {
                unseen(kind, writes);
            }
        });
        execution.unseen().forEach(kind -> unseen(kind, writes));
        if (!alone) {
            underWay++;
            crossed |= completing;
        }
        return new Sent(
                writes, execution.unseen().isEmpty(), execution.names(), alone, changes, Set.copyOf(atWork.keySet()));
    }

    private void unseen(IdentifierKind kind, TransactionWrites writes) {
        watch.open().survived(() -> writes.unseen(kind));
    }

    private TransactionWrites transaction() {
        TransactionWrites writes = transaction;
        if (writes == null) {
            writes = watch.open().create();
            transaction = writes;
        }
        if (textsDecide) {
            writes.mistrustRollback();
        }
        return writes;
    }

    /** If that cannot be told, nothing that ends here proves anything. */
    private boolean isAutocommit() {
        try {
            return connection.getAutoCommit();
        } catch (SQLException | RuntimeException e) {
            textsDecide = true;
            return false;
        }
    }

    /** After each statement: what others have asked meanwhile was true before. */
    synchronized void returned() {
        if (defines) {
            watch.forgetFacts();
            defines = !isAutocommit();
        }
    }

    /**
     * Whether what has returned is certainly over only when its statement is closed or executed again: under autocommit, what returns rows
     * is committed when the last has been sent, and what is not understood may be several statements. In a transaction it is so with the
     * drivers of MariaDB and MySQL: before the last row they do not know that a transaction is open, and send neither COMMIT nor ROLLBACK.
     */
    synchronized boolean mayGoOn(Sent sent, @Nullable Object result) {
        endEarlierThan(sent);
        boolean rows = result instanceof ResultSet || Boolean.TRUE.equals(result);
        if (!sent.alone()) {
            return rows && sent.named() && watch.mayBeMySql(connection);
        }
        boolean goesOn = !closed && (rows || !sent.understood());
        if (goesOn) {
            atWork.put(sent.writes(), sent);
        }
        return goesOn;
    }

    synchronized void ended(Sent sent, @Nullable Throwable thrown) {
        TransactionWrites alone = sent.writes();
        atWork.remove(alone);
        if (thrown == null) {
            endEarlierThan(sent);
        }
        if (!sent.alone()) {
            underWay--;
        } else if (closed || torn || changes != sent.changes() || sent.named() && textsDecide) {
            alone.end(Outcome.UNKNOWN);
        } else if (thrown == null) {
            alone.end(watch.mayBeInTransaction(connection) ? Outcome.UNKNOWN : Outcome.COMMITTED);
        } else {
            boolean over = wasAnswered(thrown) && !watch.mayBeInTransaction(connection);
            alone.end(over && alone.rollbackIsTheEnd() ? Outcome.OVER : Outcome.UNKNOWN);
        }
    }

    private void endEarlierThan(Sent sent) {
        for (TransactionWrites earlier : sent.earlier()) {
            Sent before = atWork.get(earlier);
            if (before != null) {
                ended(before, null);
            }
        }
    }

    /** Something that was begun, and of whose end nothing will be heard. */
    synchronized void abandon(Sent sent) {
        if (sent.alone()) {
            sent.writes().end(Outcome.UNKNOWN);
        } else {
            underWay--;
            crossed = true;
        }
    }

    /** Whether the server has said so, and is not still at work. */
    private static boolean wasAnswered(Throwable thrown) {
        return thrown instanceof SQLException refused
                && !(refused instanceof SQLNonTransientConnectionException)
                && !(refused instanceof SQLTransientConnectionException)
                && !(refused instanceof SQLRecoverableException)
                && refused.getSQLState() != null
                && !refused.getSQLState().startsWith("08");
    }

    synchronized void committing() {
        completing = true;
        crossed |= underWay > 0;
        if (transaction != null) {
            transaction.completing();
        }
    }

    synchronized void committed(boolean returned) {
        end(returned ? Outcome.COMMITTED : Outcome.UNKNOWN);
    }

    synchronized void rolledBack(boolean returned) {
        crossed |= underWay > 0;
        if (transaction == null) {
            end(Outcome.UNKNOWN);
        } else if (returned && transaction.rollbackIsDefinite()) {
            end(Outcome.ROLLED_BACK);
        } else {
            end(returned && transaction.rollbackIsTheEnd() ? Outcome.OVER : Outcome.UNKNOWN);
        }
    }

    /** A change of autocommit commits what is open, unless a text has changed it before: then the server sees no change. */
    synchronized void changingAutocommit(boolean on) {
        changes++;
        ofChange = null;
        if (transaction != null && isAutocommit() != on) {
            committing();
            ofChange = on && !textsDecide ? Outcome.COMMITTED : Outcome.UNKNOWN;
        }
    }

    synchronized void changedAutocommit(boolean returned) {
        changes++;
        if (ofChange != null) {
            end(returned ? ofChange : Outcome.UNKNOWN);
            ofChange = null;
        }
    }

    /** Something behind this watch is handed out: anything may be written there, until the connection is given back. */
    synchronized void lend() {
        mayHide = true;
        TransactionWrites writes = lent;
        if (writes == null) {
            writes = watch.open().create();
            lent = writes;
        }
        for (IdentifierKind kind : watch.kinds()) {
            unseen(kind, writes);
        }
        if (closed) {
            lent = null;
            writes.end(Outcome.UNKNOWN);
        }
    }

    /** Before the connection is torn down, which waits for nobody and is followed by {@link #closing}. */
    void tearing() {
        torn = true;
    }

    /** Before the connection is given back, or after it was torn down: what the next borrower makes of an open transaction is not heard here. */
    synchronized void closing() {
        closed = true;
        end(Outcome.UNKNOWN);
        atWork.keySet().forEach(writes -> writes.end(Outcome.UNKNOWN));
        atWork.clear();
        if (lent != null) {
            boolean over = !torn && !textsDecide && isAutocommit() && !watch.mayBeInTransaction(connection);
            lent.end(over ? Outcome.OVER : Outcome.UNKNOWN);
            lent = null;
        }
    }

    /** Before the connection is given back. */
    synchronized void uncover() {
        if (mayHide) {
            mayHide = false;
            watch.uncover(connection);
        }
    }

    private void end(Outcome outcome) {
        if (defines) {
            watch.forgetFacts();
            defines = false;
        }
        if (transaction != null) {
            transaction.end(crossed || torn ? Outcome.UNKNOWN : outcome);
            transaction = null;
        }
        completing = false;
        crossed = false;
    }
}
