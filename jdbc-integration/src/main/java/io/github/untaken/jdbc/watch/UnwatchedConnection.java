package io.github.untaken.jdbc.watch;

import java.sql.Connection;

/** A connection that somebody was handed before there was a watch: anything may be written over it until it is given back. */
public final class UnwatchedConnection {
    private final Watch watch;
    private final ConnectionWrites writes;

    /** From now on. */
    public UnwatchedConnection(Watch watch, Connection connection) {
        this.watch = watch;
        this.writes = new ConnectionWrites(watch, connection);
        writes.lend();
        writes.holdBy(connection);
    }

    /** Before it is given back: whether the server is done with all is asked of the server. Never throws. */
    public void givingBack() {
        watch.open().survived(writes::givingBack);
    }

    /** It was given back. Never throws. */
    public void givenBack() {
        watch.open().survived(writes::closed);
    }
}
