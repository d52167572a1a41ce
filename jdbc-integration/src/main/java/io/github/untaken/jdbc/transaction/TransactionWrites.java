package io.github.untaken.jdbc.transaction;

import io.github.untaken.IdentifierKind;
import io.github.untaken.spi.IdentifierTransaction;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What one database transaction writes of identifiers: kept here while no checker is connected, passed on at once when
 * one is. Made by the thread that writes first. Its lock makes connecting exact: a write is either in the buffer that is handed over, or sees the sink.
 */
public final class TransactionWrites {
    /**
     * How many writes one transaction may have buffered before a checker is connected. Beyond that they are forgotten,
     * and the first scan waits for the end of the transaction instead.
     */
    static final int BUFFER_LIMIT = 100_000;

    /** How it ended, as far as anybody can know. */
    public enum Outcome {
        COMMITTED,
        ROLLED_BACK,
        /** It is over, so that nothing of it is still to come, but nobody knows what it has left. */
        OVER,
        UNKNOWN
    }

    private record Identifier(IdentifierKind kind, String value) {
        @Override
        public String toString() {
            return kind + " ***";
        }
    }

    private enum Change {
        ADDING,
        REMOVING
    }

    private record Write(Identifier identifier, Change change) {}

    private final OpenTransactions open;
    private final Thread announcer = Thread.currentThread();
    private final List<Write> buffer = new ArrayList<>(2); // guarded by this, as is all below
    /** What it has announced already. */
    private final Set<Identifier> announced = new HashSet<>(2);
    /** The kinds of which it writes values that nobody can name. */
    private final Set<IdentifierKind> unseen = new HashSet<>(1);

    /** What was known of the room of columns when it announced first. */
    private @Nullable Set<Integer> room;

    private @Nullable IdentifierTransaction transaction;
    private boolean forgotten;
    private boolean severalThreads;
    private boolean rollbackMistrusted;
    private boolean completing;
    private boolean ended;

    TransactionWrites(OpenTransactions open) {
        this.open = open;
    }

    /** Before the SQL. What the registry throws is passed on: a key it has not taken in must not be written. */
    public synchronized void adding(IdentifierKind kind, String value) {
        announceAsKept(kind, value);
        Set<Integer> known = open.room();
        room = room == null ? known : room;
        for (int characters : known) {
            CutText.of(value, characters).forEach(cut -> announceAsKept(kind, cut));
        }
    }

    private void announceAsKept(IdentifierKind kind, String value) {
        announce(new Identifier(kind, value));
        String kept = withoutBlanksAtTheEnd(value);
        if (!kept.equals(value)) {
            announce(new Identifier(kind, kept));
        }
    }

    /** A column that has no room for them drops them in silence, and holds the value without them. */
    private static String withoutBlanksAtTheEnd(String value) {
        int end = value.length();
        while (end > 0 && value.charAt(end - 1) == ' ') {
            end--;
        }
        return value.substring(0, end);
    }

    private void announce(Identifier identifier) {
        write(new Write(identifier, Change.ADDING));
        if (announced.size() < BUFFER_LIMIT) { // what is told twice changes nothing
            announced.add(identifier);
        }
    }

    /** After the SQL: announces what nobody had announced before, such as a value made by the database. */
    public synchronized void added(IdentifierKind kind, String value) {
        if (!announced.contains(new Identifier(kind, value))) {
            adding(kind, value);
        }
    }

    /** After the SQL. */
    public synchronized void removing(IdentifierKind kind, String value) {
        Write write = new Write(new Identifier(kind, value), Change.REMOVING);
        // If a removal gets lost, a recheck finds the name: no reason to fail the application's statement.
        open.survived(() -> write(write));
    }

    /** Before the SQL of a write that no event tells of. What the registry throws is passed on, as in {@link #adding}. */
    public synchronized void unseen(IdentifierKind kind) {
        touch();
        connectIfPossible();
        if (unseen.add(kind) && transaction != null) {
            transaction.unseen(kind);
        }
    }

    private void touch() {
        if (ended) {
            throw new IllegalStateException("the transaction has ended; two threads use it at once");
        }
        severalThreads |= Thread.currentThread() != announcer;
    }

    private void write(Write write) {
        touch();
        connectIfPossible();
        if (transaction != null) {
            tell(transaction, write);
        } else if (buffer.size() < BUFFER_LIMIT && !forgotten) {
            buffer.add(write);
        } else {
            forgotten = true;
            buffer.clear();
        }
    }

    /** Hands over what was buffered, unless it has ended: then it was committed before any scan, or left nothing. */
    synchronized void connect() {
        if (!ended) {
            connectIfPossible();
        }
    }

    private void connectIfPossible() {
        if (transaction != null) {
            return;
        }
        IdentifierTransaction begun = open.begin();
        if (begun != null) {
            transaction = begun;
            unseen.forEach(begun::unseen);
            buffer.forEach(write -> tell(begun, write));
            buffer.clear();
        }
    }

    /** The checker leaves. A later one cannot be told what this one was told, and so has to wait for the end. */
    synchronized void disconnect() {
        if (transaction != null && !ended) {
            open.survived(transaction::unknown);
            transaction = null;
            forgotten = true;
        }
    }

    private static void tell(IdentifierTransaction transaction, Write write) {
        IdentifierKind kind = write.identifier().kind();
        String value = write.identifier().value();
        switch (write.change()) {
            case ADDING -> transaction.adding(kind, value);
            case REMOVING -> transaction.removing(kind, value);
        }
    }

    /** COMMIT may be sent from now on. */
    public synchronized void completing() {
        completing = true;
    }

    /** A rollback will prove nothing. */
    public synchronized void mistrustRollback() {
        rollbackMistrusted = true;
    }

    /** Whether a rollback that is reported now is certain to leave nothing. */
    public synchronized boolean rollbackIsDefinite() {
        return !completing && !rollbackMistrusted && !severalThreads && Thread.currentThread() == announcer;
    }

    /**
     * Whether a rollback that is reported now is at least the end, although it may have left something. That is of use
     * only if a scan follows, which finds it.
     */
    public synchronized boolean rollbackIsTheEnd() {
        return !unseen.isEmpty() && !completing && !severalThreads && Thread.currentThread() == announcer;
    }

    /** The first outcome counts. Never throws. */
    public synchronized void end(Outcome outcome) {
        if (ended) {
            return;
        }
        ended = true;
        open.ended(this);
        buffer.clear();
        announced.clear();
        IdentifierTransaction told = transaction;
        if (told == null) {
            return;
        }
        boolean settled = open.survived(() -> {
            switch (outcome) {
                case COMMITTED, OVER -> told.committed(); // after OVER, the scan that follows drops what is not there
                case ROLLED_BACK -> told.rolledBack();
                case UNKNOWN -> told.unknown();
            }
        });
        if (!settled && outcome != Outcome.UNKNOWN) {
            open.survived(told::unknown);
        }
    }

    public synchronized boolean hasEnded() {
        return ended;
    }

    /** Whether it has written what no checker was told of, or may have been cut by a column unknown then. */
    synchronized boolean isUnheard() {
        return (forgotten || room != null && !room.equals(open.room())) && !ended;
    }
}
