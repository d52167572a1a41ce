package io.github.untaken.jdbc.watch;

import io.github.untaken.IdentifierKind;
import java.lang.ref.WeakReference;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is written over one connection, from when it is lent until it is given back. Each statement is told before it is sent, and is over
 * when the server is done with it. How transactions end does not matter.
 */
final class ConnectionWrites {
    /** How many statements of one transaction have a record each. All further ones share the last. */
    private static final int MOST = 1_000;

    private final Watch watch;
    private final OpenTransactions open;
    /** Weak: a lost connection must go as it would without this watch. It is there during each call. */
    private final WeakReference<Connection> connection;
    /** The objects through which it can be used. */
    private final Set<LentConnections.Hold> holds = new HashSet<>(2); // guarded by this, as is all below
    /** What has been sent in a transaction that has not ended, as far as can be seen. */
    private final List<Sent> sent = new ArrayList<>(1);
    /** What holders of the connection behind this watch may write past it. */
    private @Nullable OpenWrite lent;

    /** Whether a text may have defined data, of which others see nothing before its transaction ends. */
    private boolean defines;
    /** The kinds that the current transaction has defined data for. For others that takes effect when it ends. */
    private final Set<IdentifierKind> defined = new HashSet<>(0);
    /** The end of such a transaction, while under way. */
    private @Nullable OpenWrite ending;
    /** Whether a text, or a holder of the connection behind, may have hidden a watched table behind a temporary one. */
    private boolean mayHide;

    /** Whether the server has answered since somebody was handed the connection behind this watch. */
    private boolean answered;

    /** Whether it is known where it leads. */
    private boolean located;

    private boolean closed;
    /** Whether it is torn down, or about to be. Set without the lock, which may be held by what is to be broken. */
    private volatile boolean torn;

    /** How the call that sent a statement has returned. */
    enum Answer {
        /** The server is done with it. */
        OVER,
        /** The server may be at it until its statement is closed or executed again: there are rows to read, or more results. */
        UNREAD,
        /** Nobody knows. */
        NONE
    }

    /** What has been sent under one record: one call, or very many of one transaction. */
    static final class Sent {
        private final OpenWrite write;
        private final boolean shared;
        private int underWay;
        private int unread;
        /** How many the server may not be done with, as far as is known. */
        private int notOver;

        private Sent(OpenWrite write, boolean shared) {
            this.write = write;
            this.shared = shared;
        }
    }

    ConnectionWrites(Watch watch, Connection connection) {
        this.watch = watch;
        this.open = watch.open();
        this.connection = new WeakReference<>(connection);
    }

    private Connection connection() {
        return Objects.requireNonNull(connection.get());
    }

    /** The connection may be used as long as one of these is not collected. Never throws. */
    void holdBy(Object one) {
        open.survived(() -> keep(open.lent().hold(one, this::lost)));
    }

    private synchronized void keep(LentConnections.Hold hold) {
        if (closed) {
            hold.release();
        } else {
            holds.add(hold);
        }
    }

    private synchronized void lost(LentConnections.Hold hold) {
        holds.remove(hold);
        if (holds.isEmpty()) {
            torn = true;
            closed();
        }
    }

    /**
     * Call before something is sent. Never throws.
     *
     * @return what to hand to {@link #returned} when the call has returned; null if nothing is written
     */
    synchronized @Nullable Sent begin(Execution execution) {
        if (execution.isMistrusted()) {
            defines = true;
            mayHide |= !execution.unseen().isEmpty();
            defined.addAll(execution.unseen());
        }
        if (execution.writesNothing() && defined.isEmpty()) {
            return null;
        }
        locate();
        Sent now = next();
        now.underWay++;
        now.notOver++;
        for (OpenWrite.Identifier one : execution.added()) {
            if (!open.survived(() -> now.write.adding(one.kind(), one.value()))) {
                unseen(one.kind(), now.write);
            }
        }
        execution.unseen().forEach(kind -> unseen(kind, now.write));
        defined.forEach(kind -> unseen(kind, now.write)); // any text may be the COMMIT
        return now;
    }

    /** A connection leads to the same database for life. */
    private void locate() {
        if (!located) {
            located = true;
            boolean unused = open.survived(() -> watch.target().isWrittenOver(connection()));
        }
    }

    private Sent next() {
        if (sent.size() == MOST) {
            return sent.get(MOST - 1);
        }
        Sent next = new Sent(open.create(), sent.size() == MOST - 1);
        sent.add(next);
        return next;
    }

    private void unseen(IdentifierKind kind, OpenWrite write) {
        open.survived(() -> write.unseen(kind));
    }

    private boolean isAutocommit() {
        try {
            return connection().getAutoCommit();
        } catch (SQLException | RuntimeException e) {
            return false;
        }
    }

    /** Call after each statement. */
    synchronized void returned() {
        if (defines && isAutocommit()) {
            defined.clear();
            tellOfDefinitions();
        }
    }

    synchronized void returned(Sent one, Answer answer) {
        one.underWay--;
        if (answer == Answer.OVER) {
            over(one);
        } else if (answer == Answer.UNREAD) {
            one.unread++;
        }
        if (closed && one.underWay == 0) {
            end(one); // no more news of it will come
        }
    }

    /** Its statement was closed, or executed again. */
    synchronized void read(Sent one) {
        one.unread--;
        over(one);
    }

    private void over(Sent one) {
        one.notOver--;
        if (!one.shared) {
            one.write.over();
        }
        if (one.notOver == 0 && isAutocommit()) {
            end(one);
        }
    }

    /**
     * Call before sending a commit, or what may be one. What was defined counted as unseen when it was sent, and a generation may have been
     * born since. But only now do others see another table, or what is written through a view that only this transaction knew.
     */
    synchronized void ending() {
        if (!defined.isEmpty() && ending == null) {
            OpenWrite end = open.create();
            ending = end;
            defined.forEach(kind -> unseen(kind, end));
        }
    }

    /** Autocommit was turned on, which commits if there was a transaction. */
    synchronized void autocommits(boolean said) {
        if (!defined.isEmpty()) {
            completed(said);
        }
    }

    private void hasEnded(boolean said) {
        defined.clear();
        OpenWrite end = ending;
        if (end != null) {
            ending = null;
            if (said) {
                end.over();
            }
            end.ended();
        }
    }

    /** Call after a commit or a rollback, whatever it returned. A driver may have sent none while there are rows to read. */
    synchronized void completed(boolean said) {
        tellOfDefinitions();
        if (nothingIsUnread()) {
            answered |= said;
            hasEnded(said);
            endAll();
        }
    }

    private boolean nothingIsUnread() {
        return sent.stream().noneMatch(one -> one.unread > 0);
    }

    private void tellOfDefinitions() {
        if (defines) {
            defines = false;
            open.survived(watch::defined);
        }
    }

    /** Except calls that have not returned: the server may be at those for as long as it likes. */
    private void endAll() {
        for (Sent one : List.copyOf(sent)) {
            if (one.underWay == 0) {
                end(one);
            }
        }
    }

    private void end(Sent one) {
        sent.remove(one);
        if (one.shared && one.notOver == 0) {
            one.write.over();
        }
        one.write.ended();
    }

    /** Something behind this watch is handed out: anything may be written there, until the connection is given back. */
    synchronized void lend() {
        mayHide = true;
        answered = false;
        OpenWrite write = lent;
        if (write == null) {
            write = open.create();
            lent = write;
        }
        for (IdentifierKind kind : watch.kinds()) {
            unseen(kind, write);
        }
        if (closed) {
            lent = null;
            write.ended();
        }
    }

    /** Call before the connection is torn down, which waits for nobody; {@link #closed} follows. */
    void tearing() {
        torn = true;
    }

    /**
     * Call before the connection is given back. Whatever was sent behind this watch is over if the server answers over this very
     * connection. In a transaction it is not asked, since the question may begin one; the last end of one must have been answered.
     */
    void givingBack() {
        if (isToBeAsked() && LastQuestion.isAnswered(connection())) {
            hasAnswered();
        }
        uncover();
    }

    private synchronized boolean isToBeAsked() {
        return lent != null && !torn && nothingIsUnread() && isAutocommit();
    }

    private synchronized void hasAnswered() {
        answered = true;
    }

    private synchronized void uncover() {
        if (mayHide) {
            mayHide = false;
            watch.uncover(connection());
        }
    }

    /** The connection was given back, torn down, or lost. */
    synchronized void closed() {
        closed = true;
        holds.forEach(LentConnections.Hold::release);
        holds.clear();
        tellOfDefinitions();
        hasEnded(!torn && nothingIsUnread());
        endAll();
        if (lent != null) {
            if (answered && !torn) {
                lent.over();
            }
            lent.ended();
            lent = null;
        }
    }
}
