package io.github.untaken.jpa.hibernate;

import java.sql.Connection;
import java.sql.SQLException;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.resource.jdbc.spi.LogicalConnectionImplementor;

/** The connection that a session has, or would get for its next statement. */
record SessionConnection(SharedSessionContractImplementor session) {

    /** Takes one from the pool if the session has none. */
    Connection physical() {
        return logical().getPhysicalConnection();
    }

    private LogicalConnectionImplementor logical() {
        return session.getJdbcCoordinator().getLogicalConnection();
    }

    /** Whether each statement is committed by itself; true if that cannot be told. */
    boolean isAutocommit() {
        try {
            return physical().getAutoCommit();
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
