package io.github.untaken.cluster.mysql;

import io.github.untaken.IdentifierKind;
import java.util.Properties;
import java.util.Set;
import java.util.function.Supplier;

/**
 * What {@link MySqlFeedBuilder} was told.
 *
 * @param properties asked before each connection
 * @param kinds empty: those that can be
 */
record FeedSettings(Address address, Supplier<Properties> properties, Set<IdentifierKind> kinds) {

    /** Without the properties, which may hold a password. */
    @Override
    public String toString() {
        return address.host() + ':' + address.port();
    }
}
