package io.github.untaken.spi;

/** What kept a {@link ChangeFeed} from proving that it has told of every commit. Few, for gaps are counted by them. */
public enum GapReason {
    /** Following the log needs something that is missing: a right, a setting of the server, a table. */
    SET_UP,
    /** The connection was lost, and the place in the log with it; or there has been none yet. */
    CONNECTION,
    /** The place in the log is gone, has been read on by somebody else, or was not given in time. */
    PLACE,
    /** Another server answers, or the same one after a restart, a restore or a promotion. */
    SERVER,
    /** What the log tells of was altered: tables, their columns, or which of them it is told to tell of. */
    ALTERED,
    /** The stores read another database or table than the one whose log is followed, or cannot say which. */
    STORE,
    /** The log holds what the feed does not understand. */
    CONTENT,
    /** Anything else, such as a fault of the feed itself. */
    OTHER
}
