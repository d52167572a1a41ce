package io.github.untaken.cluster.mysql;

import io.github.untaken.feed.UnfollowableException;

/** Hears what the log holds, in its order: only committed transactions, and prepared ones. */
interface LogListener {
    /** A file goes on, or begins. */
    void file(LogPlace place);

    /**
     * What the present file says of itself.
     *
     * @param at when it was begun, in seconds, by the server's clock
     * @param byStart whether the server began it when it started; unknown if the file is not read from its beginning
     */
    void begun(long at, boolean byStart) throws UnfollowableException;

    /** A value in a row that somebody has inserted or updated. */
    void wrote(WatchedColumn column, String value);

    /** Rows follow that belong together. */
    void opened();

    /** That was all of them. */
    void closed();

    /** A statement that stands in the log in place of rows, in order with them. */
    void stated(String sql) throws UnfollowableException;

    /** Something ends at the place whose low four bytes these are. */
    void passed(long lowOffset);
}
