package io.github.untaken.jdbc.watch;

import java.sql.Connection;

/** A connection that was handed out before there was a watch: anything may be written over it until it is given back. */
public final class UnwatchedConnection {
    private final OpenTransactions open;
    private final ConnectionWrites writes;

    /** Counts from now on. */
    public UnwatchedConnection(Watch watch, Connection connection) {
        this.open = watch.open();
        this.writes = new ConnectionWrites(watch, connection);
        writes.lend();
        writes.holdBy(connection);
    }

    /** Call before it is given back: asks the server whether it is done with everything. Never throws. */
    public void givingBack() {
        open.survived(writes::givingBack);
    }

    /** It was given back. Never throws. */
    public void givenBack() {
        open.survived(writes::closed);
    }
}
