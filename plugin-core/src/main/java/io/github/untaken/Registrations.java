package io.github.untaken;

/**
 * The write side, for applications whose writes no source reports: announce each registration before its SQL. Neither
 * commits nor deletions need reporting. Thread-safe; nothing here does I/O, except what is passed to {@link #bulk}.
 */
public interface Registrations {

    /**
     * Announces identifiers that are about to be inserted, or to become the new name of a row. From now on memory calls
     * none of them available, and the database is asked. A scan that begins up to ten minutes after the announcement
     * was closed, or lost, is told of them too, so it may be closed as soon as the transaction has ended, whatever the
     * outcome.
     *
     * @throws IllegalArgumentException if there is no such kind
     */
    Announcement announce(IdentifierKind kind, String... texts);

    /**
     * As {@link #announce}, for callers that do not know whether the request at hand registers anything, and for texts
     * chosen by strangers. The database is asked for the text until this is closed. Then one read on the registry's
     * threads decides, and a text that is absent is forgotten. A commit after that is not covered. A text of more than
     * 2,097,152 characters is not read: it counts as unseen until ten minutes after the end, and so does one on which
     * the normalizer fails.
     *
     * @throws IllegalArgumentException if there is no such kind
     */
    Announcement watch(IdentifierKind kind, String text);

    /**
     * Runs bulk work on identifiers that are not announced one by one. From now on checks ask the database, until the
     * end of a rescan that begins after the work has returned. If the work throws, that rescan begins ten minutes
     * later, since it is unknown what the database is still doing; the same holds if the database does not show which
     * transactions are still open.
     *
     * @throws IllegalArgumentException if there is no such kind
     */
    void bulk(IdentifierKind kind, Runnable work);
}
