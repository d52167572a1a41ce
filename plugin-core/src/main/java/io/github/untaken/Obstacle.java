package io.github.untaken;

/** What keeps a kind from answering from memory, however complete that is: waiting for a scan does not help. */
public enum Obstacle {
    /** The database treats values as equal that the kind's key tells apart; until that is changed. */
    COARSER_DATABASE,
    /** Another process, or another checker in this one, may be writing unreported; until one of them ends. */
    OTHER_WRITER,
    /**
     * It is unknown whether there is another; at the start, while the database is away, and with a store that has no
     * way to tell.
     */
    WRITERS_UNKNOWN,
    /** Others' writes are not reported at present, because the database's log is not followed. */
    LOG_NOT_FOLLOWED
}
