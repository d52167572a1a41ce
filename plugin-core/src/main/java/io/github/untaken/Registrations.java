package io.github.untaken;

/**
 * The write side for applications without JPA: announce each registration before its SQL, and report its commit. Thread-safe;
 * nothing here does I/O, except what is passed to {@link #bulk}.
 */
public interface Registrations {

    /**
     * Makes an identifier visible as taken, before its row is inserted. A rename is an announcement of the new name and,
     * after the commit, a release of the old.
     *
     * @throws IllegalArgumentException if there is no such kind
     */
    Announcement announce(IdentifierKind kind, String text);

    /**
     * As {@link #announce}, for a caller that does not know whether the request at hand registers anything. Unless {@link
     * Announcement#committed} is called, one store read on the registry's threads decides at the end, and an identifier that is
     * not there is dropped. A commit that comes after the end is not covered. A text of more than 2,097,152 characters is not read: the
     * store answers until a rescan that begins ten minutes after the end.
     *
     * @throws IllegalArgumentException if there is no such kind
     */
    Announcement watch(IdentifierKind kind, String text);

    /**
     * To be called after the commit of a delete or a rename, with the name that became free. One read on the registry's threads
     * checks that it is free; from then on it is available from memory. Calling this too often, or for a name that is still taken,
     * costs only that read.
     *
     * @throws IllegalArgumentException if there is no such kind
     */
    void released(IdentifierKind kind, String text);

    /**
     * Runs bulk work on the identifiers that nobody announces one by one. Checks ask the database from now until a rescan that begins
     * after the work has returned; if it throws, nobody knows whether it was committed, and that rescan begins ten minutes later.
     *
     * @throws IllegalArgumentException if there is no such kind
     */
    void bulk(IdentifierKind kind, Runnable work);
}
