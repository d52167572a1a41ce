package io.github.untaken.spi;

import java.util.Map;

/**
 * What a database says of the tables that stores read, looked at from outside: over a connection of its own, never over one that an
 * application may be in the middle of a transaction with. One for all stores of a data source. Thread-safe.
 */
public interface TableCatalog {

    /**
     * One look.
     *
     * @param number rises from look to look; the same for two that were answered as one
     * @param tables what there is of each table, by its name: two looks give the same as long as nothing has changed between them that
     *     adds or loses rows, lets somebody write them by another name, or changes how they compare, and the server and the state of the
     *     database are the same
     */
    record Look(long number, Map<String, String> tables) {}

    /**
     * Looks now. Blocks, and no longer than a few seconds where the driver can give up.
     *
     * @throws StoreException if the database cannot be asked, or not all of it; what was kept open for looks is ended then
     */
    Look look();

    /** Whom to tell that somebody here has defined data, so that a look is wanted sooner. Must not block; none is told before. */
    void onDefinition(Runnable wanted);

    /** Gives back what was kept for looks, until the next one. Never throws. */
    void release();
}
