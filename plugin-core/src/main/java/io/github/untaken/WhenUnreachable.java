package io.github.untaken;

/**
 * What a process answers while it cannot tell whether another one writes the database, because the database does not
 * respond. There is no having both: free names while the database is away, and never calling a name free that another
 * process has registered meanwhile. Where the database's log is followed there is no such choice: without news, memory
 * must stop answering.
 */
public enum WhenUnreachable {
    /** The database is asked for everything; if it does not answer, the check is {@code UNKNOWN}. */
    ASK,
    /**
     * Memory keeps answering, for {@link AvailabilityCheckerBuilder#unreachableFor a while}; for applications that run
     * as one process.
     */
    MEMORY
}
