package io.github.untaken.spi;

import java.util.Map;

/**
 * What a database says about the tables that stores read, looked at from outside: over a connection of its own, never
 * one on which the application may have a transaction open. One for all stores of a data source. Thread-safe.
 */
public interface TableCatalog {

    /**
     * One look.
     *
     * @param number rises from look to look; the same for two that were answered as one
     * @param tables the state of each table, by its name. Two looks give the same if the server and the state of the
     *     database are the same, and     nothing has changed between them that adds or loses rows, lets someone write
     *     them by another name, or changes how they compare
     */
    record Look(long number, Map<String, String> tables) {}

    /**
     * Looks now. Blocks, but no longer than a few seconds if the driver can give up.
     *
     * @throws StoreException if the database cannot be asked, or not all of it; whatever was kept open for looks is
     *     then closed
     */
    Look look();

    /**
     * Sets the callback for data definitions made here, after which a look is wanted sooner. It must not block. No
     * callback is called before.
     */
    void onDefinition(Runnable wanted);

    /** Gives back what was kept for looks, until the next one. Never throws. */
    void release();
}
