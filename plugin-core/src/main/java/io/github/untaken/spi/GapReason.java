package io.github.untaken.spi;

/**
 * What kept a {@link ChangeFeed} from proving that it has reported every commit. Few values, because gaps are counted
 * by them.
 */
public enum GapReason {
    /** Something needed to follow the log is missing: a privilege, a server setting, a table. */
    SET_UP,
    /** The connection was lost, and with it the place in the log; or there has been none yet. */
    CONNECTION,
    /** The place in the log is gone, was consumed by someone else, or was not granted in time. */
    PLACE,
    /** Another server answers, or the same one after a restart, a restore or a promotion. */
    SERVER,
    /** What the log covers was altered: tables, their columns, or which of them it publishes. */
    ALTERED,
    /** The stores read another database or table than the one whose log is followed, or cannot say which. */
    STORE,
    /** The log contains something that the feed does not understand. */
    CONTENT,
    /** Anything else, such as a fault of the feed itself. */
    OTHER
}
