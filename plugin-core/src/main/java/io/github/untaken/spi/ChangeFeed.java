package io.github.untaken.spi;

import io.github.untaken.IdentifierKind;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

    /** Stops, and lets go of whatever would hold back the database's log, unless it is kept for another life. May take a few seconds. Never throws. */
    void disconnect();

    /**
     * A feed that can go on where an earlier process has stopped, so that a generation kept on the disk needs only what was committed
     * since. The database then keeps its log for this process, from the lowest position that {@link #kept} has named last.
     */
    interface Resumable extends ChangeFeed {

        /**
         * That what was kept on the disk covers the log up to these positions, given by {@link #position} in another life. The feed tells
         * {@link ChangeSink#resumed} if it can prove that it will tell of every commit since the lowest of them, by anybody; if it cannot,
         * or there are none, {@link ChangeSink#following}. Asks nobody. Called once, before {@link #connect}; without this call the feed
         * keeps nothing for another life.
         */
        void resume(Set<String> positions);

        /**
         * How far it has told; empty if it does not follow the log now, or could not go on from there in another life. Whatever was
         * committed before the position has been told of, or was there before {@link ChangeSink#following}. Asks nobody.
         *
         * @return a text for {@link #resume}, without any identifier
         */
        Optional<String> position();

        /**
         * That what is on the disk now covers the log up to these positions: what stands before the lowest of them may be forgotten, and
         * what stands behind it must be kept, also past {@link #disconnect}. Empty: nothing need be kept. Asks nobody.
         */
        void kept(Set<String> positions);
    }

    /** A feed that can tell how much of the log there is that it has not told of. */
    interface Measured extends ChangeFeed {
        /** As it was when last looked at, some ten seconds ago at most; empty if nobody could tell then. Asks nobody. */
        Optional<Backlog> backlog();

        /** As it was at the same look, of all processes that follow the log; empty if nobody could tell then. Asks nobody. */
        Optional<Readers> readers();
    }

    /**
     * What stands in the log.
     *
     * @param unreadBytes of all that is written there, whatever its tables: what this feed has not confirmed yet
     * @param heldBytes what the database keeps for this feed, on its disk
     */
    record Backlog(long unreadBytes, long heldBytes) {}

    /**
     * What the database keeps of its log for processes of Untaken, whichever they are.
     *
     * @param heldBytes for the one that is furthest behind
     * @param idle for how many that do not read now: they are gone, or start anew
     */
    record Readers(long heldBytes, int idle) {}
}
