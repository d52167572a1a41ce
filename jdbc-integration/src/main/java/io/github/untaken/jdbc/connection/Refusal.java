package io.github.untaken.jdbc.connection;

import java.io.IOException;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransientConnectionException;
import java.util.Set;

/** Tells what a server has refused from what it may still be doing. */
public final class Refusal {
    /** H2 counts a lost connection, and a database closed under a statement, among its own errors. */
    private static final Set<String> H2_BROKEN = Set.of("90067", "90098", "90121");

    private Refusal() {}

    /** Whether the server has said no and is done with all that was sent, including each statement of a batch. */
    public static boolean is(Throwable thrown) {
        if (!(thrown instanceof SQLException first)) {
            return false;
        }
        for (Throwable each : first) { // with its causes and the exceptions chained to it
            if (each instanceof IOException || each instanceof SQLException one && !isOfServer(one)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isOfServer(SQLException one) {
        String state = one.getSQLState();
        return state != null
                && !state.startsWith("08")
                && !H2_BROKEN.contains(state)
                && !(one instanceof SQLNonTransientConnectionException)
                && !(one instanceof SQLTransientConnectionException)
                && !(one instanceof SQLRecoverableException)
                && !(one instanceof SQLTimeoutException);
    }
}
