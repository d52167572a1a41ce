package io.github.untaken.spi;

import io.github.untaken.IdentifierKind;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A database's own log, as this process reads it: it reports every identifier that anyone commits, on this machine, on
 * another or at a console, in commit order. With one, several processes may write the database and all answer from
 * memory.
 *
 * <p>Reporting a commit twice, late, or again from the start does no harm, since memory only grows. Omitting one does:
 * a feed that cannot prove that it has reported every commit since {@link ChangeSink#following} calls
 * {@link ChangeSink#gap}.
 *
 * <p>A feed serves one checker. Thread-safe.
 */
public interface ChangeFeed {

    /**
     * Those of the checker's kinds that it covers, each with all its tables. Asks no one.
     *
     * @param stores of each kind
     * @throws IllegalStateException if it was told to cover a kind, and cannot know the table of one of its stores
     */
    Set<IdentifierKind> covers(Map<IdentifierKind, List<RegisteredIdentifierStore>> stores);

    /**
     * Starts to follow the log in the background, and goes on until {@link #disconnect}, whatever fails. Returns at
     * once. Called once, after {@link #covers}.
     */
    void connect(ChangeSink sink);

    /**
     * Asks the primary a question that puts a mark into the log. Returns once this feed has reported everything before
     * the mark: every commit acknowledged to anyone before this call. The answer also proves that the log is still the
     * one this feed follows, and holds the same tables; if not, {@link ChangeSink#gap} has been called when this
     * throws.
     *
     * <p>Blocks; called by one thread at a time, not by the one that calls the sink.
     *
     * @param timeout how long it may take, positive
     * @throws StoreException if that is not known in time
     */
    void awaitMark(Duration timeout);

    /**
     * Whether a commit may stand in the log before others can see it, and be acknowledged later still. A scan may then
     * miss what the log reported before {@link ChangeSink#following}, so a kind becomes ready only where each of its
     * stores proves that the transactions which were open when the scan began have ended, see
     * {@link RegisteredIdentifierStore.Barrier}. Default false.
     */
    default boolean runsAhead() {
        return false;
    }

    /**
     * Stops, and releases whatever would hold back the database's log, unless it is kept for a later process. May take
     * a few seconds. Never throws.
     */
    void disconnect();

    /**
     * A feed that can resume where an earlier process stopped, so that a generation kept on disk needs only what was
     * committed since. The database keeps its log for this process, from the lowest position in the last call of
     * {@link #kept}.
     */
    interface Resumable extends ChangeFeed {

        /**
         * Resumes from positions that {@link #position} returned to an earlier process; what was kept on disk covers
         * the log up to them. The feed calls {@link ChangeSink#resumed} if it can prove that it will report every
         * commit since the lowest of them, by anyone; otherwise, or if there are none, {@link ChangeSink#following}.
         * Asks no one. Called once, before {@link #connect}; without this call the feed keeps nothing for a later
         * process.
         */
        void resume(Set<String> positions);

        /**
         * How far it has reported; empty if it does not follow the log now, or a later process could not resume there.
         * Whatever was committed before the position has been reported, or was there before
         * {@link ChangeSink#following}. Asks no one.
         *
         * @return a text for {@link #resume}, without any identifier
         */
        Optional<String> position();

        /**
         * The files now on disk cover the log up to these positions: anything before the lowest may be discarded;
         * anything after it must be kept, even after {@link #disconnect}. Empty: nothing need be kept. Asks no one.
         */
        void kept(Set<String> positions);
    }

    /** A feed that can tell how much of the log it has not reported yet. */
    interface Measured extends ChangeFeed {
        /** Those of the last look, some ten seconds ago at most. Asks no one. */
        Figures figures();
    }

    /**
     * How much of the log waits.
     *
     * @param backlog for this feed; empty if unknown
     * @param readers for all processes that follow the log; empty if unknown
     */
    record Figures(Optional<Backlog> backlog, Optional<Readers> readers) {
        public static final Figures UNKNOWN = new Figures(Optional.empty(), Optional.empty());
    }

    /**
     * The state of the log.
     *
     * @param unreadBytes everything written there, for any table, that this feed has not confirmed yet
     * @param heldBytes what the database keeps on its disk for this feed
     */
    record Backlog(long unreadBytes, long heldBytes) {}

    /**
     * What the database keeps of its log for all processes of Untaken.
     *
     * @param heldBytes for the one that is furthest behind
     * @param idle number of processes it keeps the log for that do not read now: they are gone, or restarting
     */
    record Readers(long heldBytes, int idle) {}
}
