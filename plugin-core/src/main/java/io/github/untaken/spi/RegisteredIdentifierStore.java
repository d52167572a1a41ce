package io.github.untaken.spi;

import java.time.Duration;
import java.util.function.Consumer;

/**
 * The truth about one kind: the committed identifiers in the database. Everything else is a copy.
 *
 * <p>Both methods read the primary, never a replica, in a fresh transaction that has read nothing before, and read the
 * bare table: rows hidden by soft deletion, a tenant or any other restriction still hold their names. Both may block; the
 * registry calls them on threads of its own. Implementations are thread-safe.
 *
 * <p>What a database can do beyond this is a subtype: {@link Counted}, {@link Barrier}, {@link SpellingProbe}. A store
 * implements those it can keep.
 */
public interface RegisteredIdentifierStore {

    /**
     * Whether a committed row holds this key. Must find every stored value that has this key, so the column holds keys, or
     * the predicate folds like the normalizer.
     *
     * @param key the normalised identifier
     * @param timeout how long the database may take, positive
     * @throws StoreException if the database could not answer in time; never mistaken for absence
     */
    boolean exists(String key, Duration timeout);

    /**
     * Hands every committed value to the consumer, streaming, in bounded memory. Either one snapshot, or ranges of a column
     * that never changes. Nulls are skipped. An exception of the consumer ends the scan and is passed on.
     *
     * @throws StoreException if the scan is incomplete
     */
    void scan(Consumer<String> values);

    /** A store that knows roughly how many values a scan will deliver; it sizes the filter and tells the time left. */
    interface Counted extends RegisteredIdentifierStore {
        /** The number of values, 0 or more; may be off by what changes meanwhile. */
        long count();
    }

    /** A store that can tell when the transactions of this moment have ended, including those of other programs. */
    interface Barrier extends RegisteredIdentifierStore {
        /**
         * Returns once every transaction that had written anything when this was called has ended, so that a scan begun
         * afterwards sees all of it.
         *
         * @throws StoreException if some are still open after the timeout; they are never assumed to have ended
         */
        void awaitOpenTransactions(Duration timeout);
    }

    /** A store that can find out, faster than a scan, whether {@link #exists} may overlook a stored spelling. */
    interface SpellingProbe extends RegisteredIdentifierStore {
        /** Whether some stored value differs from its own folding, so that absence cannot be trusted before a scan. */
        boolean storesOtherSpellings();
    }
}
