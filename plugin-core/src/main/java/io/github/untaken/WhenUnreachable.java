package io.github.untaken;

/**
 * What a process answers that cannot tell whether another writes the database, since the database does not answer. Nobody can have both: free
 * names while the database is away, and no name called free that another process has registered meanwhile. Where the database's log is
 * followed there is no such choice, for news that do not come end what memory may say.
 */
public enum WhenUnreachable {
    /** The database is asked for everything, and what it does not answer is {@code UNKNOWN}. */
    ASK,
    /** Memory goes on answering, for {@link AvailabilityCheckerBuilder#unreachableFor a while}; for applications of which one process runs. */
    MEMORY
}
