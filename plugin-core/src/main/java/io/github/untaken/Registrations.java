package io.github.untaken;

/**
 * The write side for applications without JPA: tell of each registration before its SQL and after its commit. Thread-safe;
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
     * As {@link #announce}, where the caller does not know whether the request at hand registers anything. Whatever is said
     * at the end but {@link Announcement#committed}, one store read on the registry's threads decides, and an identifier
     * that is not there is dropped. A commit that comes after the end is outside its scope.
     *
     * @throws IllegalArgumentException if there is no such kind
     */
    Announcement watch(IdentifierKind kind, String text);

    /**
     * To be called after the commit of a delete or a rename, with the name that became free. One read on the registry's threads
     * looks whether it is; from then on it is available from memory. Calling it too often, or for a name still taken, costs that
     * read.
     *
     * @throws IllegalArgumentException if there is no such kind
     */
    void released(IdentifierKind kind, String text);

    /**
     * Runs bulk work on the identifiers that nobody announces one by one. Checks ask the database from now until a rescan
     * that begins after the work has finished.
     *
     * @throws IllegalArgumentException if there is no such kind
     */
    void bulk(IdentifierKind kind, Runnable work);
}
