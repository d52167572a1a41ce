package io.github.untaken.jpa.hibernate;

import io.github.untaken.jdbc.transaction.WatchedConnection;
import java.sql.Connection;
import java.sql.SQLException;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.resource.jdbc.spi.LogicalConnectionImplementor;
import org.jspecify.annotations.Nullable;

/** The connection that a session has, or would get for its next statement. */
record SessionConnection(SharedSessionContractImplementor session) {

    /** Takes one from the pool if the session has none. */
    Connection physical() {
        return logical().getPhysicalConnection();
    }

    /** As {@link #physical}; null if nobody reads what is sent over it, or if it cannot be had. */
    @Nullable WatchedConnection watched() {
        try {
            return physical() instanceof WatchedConnection watched ? watched : null;
        } catch (RuntimeException e) {
            return null;
        }
    }

    private LogicalConnectionImplementor logical() {
        return session.getJdbcCoordinator().getLogicalConnection();
    }

    /** Whether it broke under what was sent last, as far as the driver knows; asks no server. */
    boolean isBroken() {
        try {
            return logical().isPhysicallyConnected() && physical().isClosed();
        } catch (SQLException | RuntimeException e) {
            return true;
        }
    }

    /**
     * Whether the session still has it, it is open, and each statement is committed by itself; false if that cannot be
     * told.
     */
    boolean isOpenUnderAutocommit() {
        try {
            return logical().isPhysicallyConnected()
                    && !physical().isClosed()
                    && physical().getAutoCommit();
        } catch (SQLException | RuntimeException e) {
            return false;
        }
    }
}
