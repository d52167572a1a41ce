package io.github.untaken;

/** What keeps a kind from answering from memory, however complete its picture is: waiting for a scan does not help. */
public enum Obstacle {
    /** The database holds values equal that the kind's key tells apart; until that is changed. */
    COARSER_DATABASE,
    /** Another process, or another checker of this one, may be writing and tells nobody here; until one of them ends. */
    OTHER_WRITER,
    /** Nobody can tell whether there is another; at the start, while the database is away, and of a store that has no way to tell. */
    WRITERS_UNKNOWN,
    /** What others write is not heard of at present, for the log of the database is not followed. */
    LOG_NOT_FOLLOWED
}
