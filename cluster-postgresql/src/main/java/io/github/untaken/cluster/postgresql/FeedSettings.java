package io.github.untaken.cluster.postgresql;

import io.github.untaken.IdentifierKind;
import java.time.Duration;
import java.util.Properties;
import java.util.Set;

/**
 * What {@link PostgreSqlFeedBuilder} was told.
 *
 * @param kinds empty: those that can be
 * @param node part of the names of slots
 */
record FeedSettings(
        String url,
        Properties properties,
        Set<IdentifierKind> kinds,
        String publication,
        String node,
        boolean createPublication,
        boolean keepSlots,
        Duration slotTimeout,
        Duration orphanAge) {

    /** Without the address and the properties, which may hold a password. */
    @Override
    public String toString() {
        return "publication " + publication + ", node " + node;
    }
}
