package io.github.untaken.cluster.mysql;

import io.github.untaken.feed.UnfollowableException;

/** Who is told what the log holds, in its order. Only committed transactions stand there, and prepared ones. */
interface LogListener {
    /** A file goes on, or begins. */
    void file(LogPlace place);

    /**
     * What the present file says of itself.
     *
     * @param at when it was begun, in seconds of the server
     * @param byStart whether that was a start of the server; not known if the file is not read from its beginning
     */
    void begun(long at, boolean byStart) throws UnfollowableException;

    /** A value in a row that somebody has inserted or updated. */
    void wrote(WatchedColumn column, String value);

    /** Rows follow that belong together. */
    void opened();

    /** That was all of them. */
    void closed();

    /** What stands there in place of rows, and in the order of them. */
    void stated(String sql) throws UnfollowableException;

    /** Something has come to its end at the place whose last four bytes these are. */
    void passed(long lowOffset);
}
