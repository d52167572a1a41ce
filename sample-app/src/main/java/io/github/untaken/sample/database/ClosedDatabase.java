package io.github.untaken.sample.database;

import com.zaxxer.hikari.SQLExceptionOverride;
import java.sql.SQLException;
import org.h2.api.ErrorCode;

/**
 * H2 closes a database that it cannot write any more, as when the disk is full, and the next connection opens it again. But its
 * failures have states that HikariCP takes for those of a statement: it would hand out the dead connections for ever.
 */
final class ClosedDatabase implements SQLExceptionOverride {

    @java.lang.Override // the interface has a type of that name
    public Override adjudicate(SQLException failure) {
        return switch (failure.getErrorCode()) {
            case ErrorCode.DATABASE_IS_CLOSED, ErrorCode.DATABASE_CALLED_AT_SHUTDOWN -> Override.MUST_EVICT;
            default -> Override.CONTINUE_EVICT;
        };
    }
}
