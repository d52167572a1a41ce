package io.github.untaken.jdbc.watch;

import io.github.untaken.IdentifierKind;
import io.github.untaken.jdbc.transaction.OpenWrite;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is written over one connection, from when it is lent to when it is given back: each statement is told before it is sent, and is
 * over when the server is done with it. How transactions end is not asked.
 */
final class ConnectionWrites {
    /** How many statements of one transaction have a record each. The last is shared by all that follow. */
    private static final int MOST = 1_000;

    private final Watch watch;
    private final Connection connection;
    /** What has been sent, and whose transaction has not ended as far as can be seen. */
    private final List<Sent> sent = new ArrayList<>(1); // guarded by this, as is all below
    /** What may be written past this watch, by whoever holds the connection behind it. */
    private @Nullable OpenWrite lent;

    /** Whether a text may have defined data, of which others see nothing before its transaction ends. */
    private boolean defines;
    /** Whether a text, or whoever holds the connection behind, may have put a temporary table before a watched one. */
    private boolean mayHide;

    private boolean closed;
    /** Whether it is torn down, or about to be: said without the lock, which may be held by what is to be broken. */
    private volatile boolean torn;

    /** How the call that sent a statement has returned. */
    enum Answer {
        /** The server is done with it. */
        OVER,
        /** The server may be at it until its statement is closed or executed again: there are rows to be read, or more results. */
        UNREAD,
        /** Nobody knows. */
        NONE
    }

    /** What has been sent under one record: a call, or very many of one transaction. */
    static final class Sent {
        private final OpenWrite write;
        private final boolean shared;
        private int underWay;
        private int unread;
        /** How many the server may not be done with, for all that is known. */
        private int notOver;

        private Sent(OpenWrite write, boolean shared) {
            this.write = write;
            this.shared = shared;
        }
    }

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
     * @return what {@link #returned} is told of when it has returned; null if nothing is written
     */
    synchronized @Nullable Sent begin(Execution execution) {
        if (execution.isMistrusted()) {
            defines = true;
            mayHide |= !execution.unseen().isEmpty();
            watch.forgetFacts();
        }
        if (execution.writesNothing()) {
            return null;
        }
        Sent now = next();
        now.underWay++;
        now.notOver++;
        execution.forEachAdded((kind, value) -> {
            if (!watch.open().survived(() -> now.write.adding(kind, value))) {
                unseen(kind, now.write);
            }
        });
        execution.unseen().forEach(kind -> unseen(kind, now.write));
        return now;
    }

    private Sent next() {
        if (sent.size() == MOST) {
            return sent.get(MOST - 1);
        }
        Sent next = new Sent(watch.open().create(), sent.size() == MOST - 1);
        sent.add(next);
        return next;
    }

    private void unseen(IdentifierKind kind, OpenWrite write) {
        watch.open().survived(() -> write.unseen(kind));
    }

    private boolean isAutocommit() {
        try {
            return connection.getAutoCommit();
        } catch (SQLException | RuntimeException e) {
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

    synchronized void returned(Sent one, Answer answer) {
        one.underWay--;
        if (answer == Answer.OVER) {
            over(one);
        } else if (closed) {
            end(one); // nothing more will be heard of it
        } else if (answer == Answer.UNREAD) {
            one.unread++;
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
        if (one.notOver == 0 && (closed || isAutocommit())) {
            end(one);
        }
    }

    /** After a commit or a rollback, whatever it said. A driver may have sent none while there are rows to be read. */
    synchronized void completed() {
        forgetDefinitions();
        if (sent.stream().noneMatch(one -> one.unread > 0)) {
            endAll();
        }
    }

    private void forgetDefinitions() {
        if (defines) {
            watch.forgetFacts();
            defines = false;
        }
    }

    /** But for calls that have not returned: the server may be at those for as long as it likes. */
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
        OpenWrite write = lent;
        if (write == null) {
            write = watch.open().create();
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

    /** Before the connection is torn down, which waits for nobody and is followed by {@link #closing}. */
    void tearing() {
        torn = true;
    }

    /** Before the connection is given back, or after it was torn down. */
    synchronized void closing() {
        closed = true;
        forgetDefinitions();
        endAll();
        if (lent != null) {
            if (!torn) {
                lent.over();
            }
            lent.ended();
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
}
