package io.github.untaken.cluster.mysql;

import io.github.untaken.IdentifierKind;
import io.github.untaken.feed.Given;
import java.util.Set;
import java.util.function.Supplier;

/** Settings of a feed; each but the address has a default. Not thread-safe. */
public final class MySqlFeedBuilder {
    private final Address address;
    private final Given properties = new Given();
    private Set<IdentifierKind> kinds = Set.of();

    MySqlFeedBuilder(String url) {
        this.address = Address.of(url);
        address.parameters().forEach(Tls::demandKnown);
    }

    /**
     * A database user with the rights to read the log ({@code REPLICATION SLAVE}, and {@code REPLICATION CLIENT} of MySQL or
     * {@code BINLOG MONITOR} of MariaDB) and the columns with identifiers.
     */
    public MySqlFeedBuilder user(String user) {
        return user(() -> user);
    }

    /** As {@link #user(String)}, but asked before each connection, on a thread of the feed. If empty, the address decides. */
    public MySqlFeedBuilder user(Supplier<String> user) {
        properties.ask("user", user);
        return this;
    }

    /** The user's password. */
    public MySqlFeedBuilder password(String password) {
        return password(() -> password);
    }

    /**
     * The user's password, if it may change while the process runs: asked before each connection, on a thread of the feed, which waits for
     * the answer. Empty for none.
     */
    public MySqlFeedBuilder password(Supplier<String> password) {
        properties.ask("password", password);
        return this;
    }

    /**
     * A connection property of the driver. Those that say how the driver encrypts and whom it trusts ({@code sslMode}, {@code trustStore},
     * {@code serverSslCert}, {@code trustCertificateKeyStoreUrl} and so on) also hold for the connection that reads the log; the address
     * overrides them.
     *
     * @throws IllegalArgumentException if that connection cannot do what it asks for, such as a choice of ciphers
     */
    public MySqlFeedBuilder property(String name, String value) {
        Tls.demandKnown(name, value);
        properties.set(name, value);
        return this;
    }

    /** The kinds to cover; it is an error if one cannot be covered. Default: all kinds whose stores name their columns. */
    public MySqlFeedBuilder kinds(IdentifierKind... kinds) {
        this.kinds = Set.of(kinds);
        return this;
    }

    /** A feed for one checker. Opens no connection yet. */
    public MySqlFeed build() {
        return new MySqlFeed(new FeedSettings(address, properties.frozen(), kinds));
    }
}
