package io.github.untaken.spi;

import io.github.untaken.IdentifierKind;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A database's own log, as this process reads it: it tells of every identifier that anybody commits, on this machine, on another or at
 * a console, in the order of the commits. With one, several processes may write the database and all answer from memory.
 *
 * <p>Telling of a commit twice, late, or again from the start does no harm, since memory only grows. Not telling of one does: where a
 * feed cannot prove that it has told of every commit since {@link ChangeSink#following}, it says {@link ChangeSink#gap}.
 *
 * <p>A feed serves one checker. Thread-safe.
 */
public interface ChangeFeed {

    /**
     * Those of the checker's kinds that it tells of, each with all its tables. Asks nobody.
     *
     * @param stores of each kind
     * @throws IllegalStateException if it was told to cover a kind, and cannot know the table of one of its stores
     */
    Set<IdentifierKind> covers(Map<IdentifierKind, List<RegisteredIdentifierStore>> stores);

    /**
     * Begins to follow the log, in the background, and goes on until {@link #disconnect}, whatever fails. Returns at once. Called once,
     * after {@link #covers}.
     */
    void connect(ChangeSink sink);

    /**
     * Puts a mark into the log by a question to the primary, and returns once this feed has told of all that stands before the mark:
     * every commit that was acknowledged to anybody before this was called. The answer to the question also proves that the log is
     * still the one this feed follows, and holds the same tables; if it is not, {@link ChangeSink#gap} has been called when this throws.
     *
     * <p>Blocks; called by one thread at a time, not by the one that calls the sink.
     *
     * @param timeout how long it may take, positive
     * @throws StoreException if that is not known in time
     */
    void awaitMark(Duration timeout);

    /**
     * Waits until no other process scans, so that one database is not scanned by all of them at once. Blocks. A courtesy, no lock:
     * after the wait, or when this feed is disconnected, the turn is given all the same.
     */
    default Turn takeTurn(Duration wait) {
        return () -> {};
    }

    /** Stops, and lets go of whatever would hold back the database's log. May take a few seconds. Never throws. */
    void disconnect();

    /** A process's turn to scan. */
    @FunctionalInterface
    interface Turn {
        /** Lets the next process scan. Called once; never throws. */
        void end();
    }
}
