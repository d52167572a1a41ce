package io.github.untaken.jdbc.watch;

import java.io.IOException;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransientConnectionException;

/** Tells what a server has refused from what it may be at still. */
final class Refusal {
    /** H2 counts a lost connection among its own errors. */
    private static final String H2_BROKEN = "90067";

    private Refusal() {}

    /** Whether the server has said no, and is done with all that was sent: to each statement of a batch. */
    static boolean is(Throwable thrown) {
        if (!(thrown instanceof SQLException first)) {
            return false;
        }
        for (Throwable each : first) { // with what it was caused by, and those that follow
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
                && !state.equals(H2_BROKEN)
                && !(one instanceof SQLNonTransientConnectionException)
                && !(one instanceof SQLTransientConnectionException)
                && !(one instanceof SQLRecoverableException)
                && !(one instanceof SQLTimeoutException);
    }
}
