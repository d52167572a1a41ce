package io.github.untaken.cluster.mysql;

import io.github.untaken.feed.UnfollowableException;

/** Who is told what the log holds, in its order. Only committed transactions stand there, and prepared ones. */
interface LogListener {
    /** A file goes on, or begins. */
    void file(LogPlace place);

    /** The present file was begun at that moment, in seconds of the server. */
    void begun(long at) throws UnfollowableException;

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
