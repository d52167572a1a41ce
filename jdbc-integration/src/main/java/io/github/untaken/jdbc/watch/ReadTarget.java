package io.github.untaken.jdbc.watch;

import io.github.untaken.fault.FaultLog;
import java.sql.Connection;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The database that identifiers are read from, and whether writes over the watched connections go to the same one. A data source may lead
 * its callers to several, by tenant or thread; the checker's threads are led to one. Thread-safe.
 */
final class ReadTarget {
    /** Whoever has a database per customer has read the first few. */
    private static final int MOST_TOLD = 4;

    private final Set<String> tables;
    private final FaultLog log = new FaultLog("io.github.untaken.jdbc");
    private final Set<DatabaseAddress> told = ConcurrentHashMap.newKeySet();
    private volatile @Nullable DatabaseAddress read;

    ReadTarget(Set<String> tables) {
        this.tables = tables;
    }

    void isReadFrom(@Nullable DatabaseAddress address) {
        if (address != null && !address.equals(read)) {
            log.say(System.Logger.Level.INFO, "Identifiers of {0} are read from {1}", tables, address);
        }
        read = address;
    }

    /** Logs, once for each other database, that names are written to it. */
    void isWrittenOver(Connection connection) {
        DatabaseAddress own = read;
        DatabaseAddress other = own == null || told.size() == MOST_TOLD ? null : DatabaseAddress.of(connection);
        if (other != null && !other.equals(own) && told.add(other)) {
            log.say(
                    System.Logger.Level.WARNING,
                    "Identifiers of {0} are written to {1}, and read from {2}, so names registered there look"
                            + " available. If the data source routes to several databases, give each its own"
                            + " source and kind",
                    tables,
                    other,
                    own);
        }
    }
}
