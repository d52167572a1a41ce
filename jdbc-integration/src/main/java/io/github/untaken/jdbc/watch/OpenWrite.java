package io.github.untaken.jdbc.watch;

import io.github.untaken.IdentifierKind;
import io.github.untaken.spi.IdentifierWrite;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What one statement, or another piece of work, may write of identifiers. It is told at once while a checker is connected, and remembered
 * until it has ended for a checker that comes later. Its lock makes connecting exact: a write is either among those handed over, or sees
 * the sink. Thread-safe.
 */
public final class OpenWrite {
    /** How many texts are remembered. If there are more, a checker that comes later waits for the end before it scans. */
    static final int MOST_REMEMBERED = 100_000;

    record Identifier(IdentifierKind kind, String value) {
        @Override
        public String toString() {
            return kind + " ***";
        }
    }

    private final OpenTransactions source;
    private final Set<Identifier> texts = new LinkedHashSet<>(2); // guarded by this, as is all below
    private final Set<IdentifierKind> unseen = new HashSet<>(1);
    private boolean over;
    private boolean forgetful;
    /** Whether the listening checker was not told everything. */
    private boolean unheard;

    private @Nullable IdentifierWrite told;
    /** What was added after this was over; nothing can be added to this one then. */
    private @Nullable OpenWrite later;

    OpenWrite(OpenTransactions source) {
        this.source = source;
    }

    /** Call before the SQL. A value that the database generated is told after it, but before its transaction ends. */
    synchronized void adding(IdentifierKind kind, String value) {
        if (over) {
            later().adding(kind, value);
            return;
        }
        Identifier one = new Identifier(kind, value);
        if (texts.contains(one)) {
            return;
        }
        IdentifierWrite heard = connected();
        if (heard != null) {
            tell(heard, one); // first: what fails is told the next time
        }
        if (texts.size() < MOST_REMEMBERED) {
            texts.add(one);
        } else {
            forgetful = true;
        }
    }

    /** Call before the SQL of a write whose values nobody can name. */
    synchronized void unseen(IdentifierKind kind) {
        if (over) {
            later().unseen(kind);
            return;
        }
        IdentifierWrite heard = connected();
        if (heard != null && !unseen.contains(kind)) {
            heard.unseen(kind); // first, as remembering takes memory
        }
        unseen.add(kind);
    }

    private OpenWrite later() {
        OpenWrite now = later == null ? source.create() : later;
        later = now;
        return now;
    }

    /** Who is told, if anybody. All that was written before has then been told too. */
    private @Nullable IdentifierWrite connected() {
        source.isOpen(this);
        if (told == null) {
            told = source.begin();
            tellAll();
        }
        return told;
    }

    /** A checker is there; this write may have ended meanwhile. */
    synchronized void connect() {
        if (told == null && !(texts.isEmpty() && unseen.isEmpty())) {
            unheard = forgetful;
            connected();
        }
    }

    /** The columns turned out to have other room than was known. */
    synchronized void retell() {
        if (told != null) {
            unheard |= forgetful;
            tellAll();
        }
    }

    private void tellAll() {
        IdentifierWrite heard = told;
        if (heard != null) {
            unseen.forEach(heard::unseen);
            texts.forEach(one -> tell(heard, one));
            if (over) {
                heard.over();
            }
        }
    }

    private void tell(IdentifierWrite heard, Identifier one) {
        CutText.formsOf(one.value(), source.room()).forEach(form -> heard.adding(one.kind(), form));
    }

    /** The checker leaves. */
    synchronized void disconnect() {
        IdentifierWrite left = told;
        told = null;
        if (left != null) {
            source.survived(left::ended);
        }
    }

    /** The database is done with it, and has said so. Never throws. */
    synchronized void over() {
        if (later != null) {
            later.over();
        }
        IdentifierWrite heard = told;
        if (heard != null && !over) {
            source.survived(heard::over);
        }
        over = true;
    }

    /** Its transaction has ended as far as can be seen, or no more news of it will come. Never throws. */
    public synchronized void ended() {
        if (later != null) {
            later.ended();
            later = null;
        }
        source.hasEnded(this);
        disconnect();
        texts.clear();
        unseen.clear();
        over = false;
        forgetful = false;
        unheard = false;
    }

    /** Whether the connected checker was not told everything, and so waits for its end. */
    synchronized boolean isUnheard() {
        return unheard;
    }
}
