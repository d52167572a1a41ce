package io.github.untaken;

/**
 * The write side for applications whose writes no source reports: announce each registration before its SQL. Whether it is committed
 * need not be said. A deletion need not be told of. Thread-safe; nothing here does I/O, except what is passed to {@link #bulk}.
 */
public interface Registrations {

    /**
     * Tells of identifiers that are about to be inserted, or to become the new name of a row. From now on memory calls none of them
     * available, and the database is asked. Until ten minutes after it was closed, or was lost, a scan that begins hears of them too,
     * so it may be closed as soon as the transaction has ended, whatever became of it.
     *
     * @throws IllegalArgumentException if there is no such kind
     */
    Announcement announce(IdentifierKind kind, String... texts);

    /**
     * As {@link #announce}, for a caller that does not know whether the request at hand registers anything, and for texts that a
     * stranger chooses: the database is asked for them until this is closed. Then one read on the registry's threads decides, and a text
     * that is not there is forgotten. A commit that comes after that is not covered. A text of more than 2,097,152 characters is not read:
     * it counts as unseen until ten minutes after the end, as does one that the normalizer fails on.
     *
     * @throws IllegalArgumentException if there is no such kind
     */
    Announcement watch(IdentifierKind kind, String text);

    /**
     * Runs bulk work on the identifiers that nobody announces one by one. Checks ask the database from now until a rescan
     * that begins after the work has returned; if it throws, a rescan that begins ten minutes later, since nobody knows what the
     * database is still doing, and likewise where the database does not show transactions that are open still.
     *
     * @throws IllegalArgumentException if there is no such kind
     */
    void bulk(IdentifierKind kind, Runnable work);
}
