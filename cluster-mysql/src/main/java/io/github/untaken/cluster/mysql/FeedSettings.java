package io.github.untaken.cluster.mysql;

import io.github.untaken.IdentifierKind;
import java.util.Properties;
import java.util.Set;
import java.util.function.Supplier;

/**
 * What {@link MySqlFeedBuilder} was given.
 *
 * @param properties asked before each connection
 * @param kinds the kinds to cover; empty for all that can be covered
 */
record FeedSettings(Address address, Supplier<Properties> properties, Set<IdentifierKind> kinds) {

    /** Without the properties, which may hold a password. */
    @Override
    public String toString() {
        return address.host() + ':' + address.port();
    }
}
