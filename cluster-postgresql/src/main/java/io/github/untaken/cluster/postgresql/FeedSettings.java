package io.github.untaken.cluster.postgresql;

import io.github.untaken.IdentifierKind;
import java.time.Duration;
import java.util.Properties;
import java.util.Set;
import java.util.function.Supplier;

/**
 * What {@link PostgreSqlFeedBuilder} was told.
 *
 * @param kinds empty: those that can be
 * @param properties asked before each connection
 * @param slots how many processes may follow the log
 */
record FeedSettings(
        String url,
        Supplier<Properties> properties,
        Set<IdentifierKind> kinds,
        String publication,
        boolean createPublication,
        boolean keepSlots,
        int slots,
        Duration slotTimeout,
        Duration orphanAge) {

    /** Without the address and the properties, which may hold a password. */
    @Override
    public String toString() {
        return "publication " + publication;
    }
}
