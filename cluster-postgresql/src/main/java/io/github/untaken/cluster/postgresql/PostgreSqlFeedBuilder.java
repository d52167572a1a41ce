package io.github.untaken.cluster.postgresql;

import io.github.untaken.IdentifierKind;
import java.time.Duration;
import java.util.Properties;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;

/** Settings of a feed; each but the address has a default. Not thread-safe. */
public final class PostgreSqlFeedBuilder {
    private static final Pattern PUBLICATION = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,62}");
    private static final Pattern NODE = Pattern.compile("[a-z0-9_]{1,40}");

    private final String url;
    private final Properties properties = new Properties();
    private Set<IdentifierKind> kinds = Set.of();
    private String publication = "untaken";
    private String node = UUID.randomUUID().toString().replace("-", "");
    private boolean createPublication;
    private boolean keepSlots;
    private Duration slotTimeout = Duration.ofMinutes(1);
    private Duration orphanAge = Duration.ofMinutes(10);

    PostgreSqlFeedBuilder(String url) {
        this.url = url;
    }

    /** A database user with the right to replicate ({@code ALTER ROLE ... REPLICATION}), and to read the columns with identifiers. */
    public PostgreSqlFeedBuilder user(String user) {
        return property("user", user);
    }

    /** The user's password. */
    public PostgreSqlFeedBuilder password(String password) {
        return property("password", password);
    }

    /**
     * A connection property of PostgreSQL's driver, such as {@code sslmode}. What the feed sets itself goes before it, and before what
     * the address says: {@code ApplicationName}, {@code socketTimeout}, {@code replication}, and the others of docs/cluster.md.
     */
    public PostgreSqlFeedBuilder property(String name, String value) {
        properties.setProperty(name, value);
        return this;
    }

    /**
     * The kinds to be covered; it is an error if one cannot be. Default: all those whose stores say in which columns they are.
     */
    public PostgreSqlFeedBuilder kinds(IdentifierKind... kinds) {
        this.kinds = Set.of(kinds);
        return this;
    }

    /** The publication to be read; exactly so in the catalog: letters, digits and {@code _}, at most 63. Default {@code untaken}. */
    public PostgreSqlFeedBuilder publication(String publication) {
        this.publication = matching(PUBLICATION, "publication", publication);
        return this;
    }

    /**
     * This process's name in the names of its slots, unlike that of any other process: lower-case letters, digits and {@code _}, 1 to
     * 40. Default: random.
     */
    public PostgreSqlFeedBuilder node(String node) {
        this.node = matching(NODE, "node", node);
        return this;
    }

    /**
     * Whether a publication that does not exist is created. It never is for a table whose updates would fail from then on: one without
     * primary key or other replica identity, or with {@code REPLICA IDENTITY FULL}. Default: false.
     */
    public PostgreSqlFeedBuilder createPublication(boolean createPublication) {
        this.createPublication = createPublication;
        return this;
    }

    /**
     * Whether slots outlast a lost connection even where nothing limits what the server keeps for them: then a process that is paused
     * for long fills the primary's disk. Where {@code max_slot_wal_keep_size} is set they always do. Default: false; a lost
     * connection then means a new scan.
     */
    public PostgreSqlFeedBuilder keepSlots(boolean acceptRisk) {
        this.keepSlots = acceptRisk;
        return this;
    }

    /** How long the making of a slot waits for transactions that are under way, 1 s to 1 h. Default 1 min; then it is tried again. */
    public PostgreSqlFeedBuilder slotTimeout(Duration slotTimeout) {
        this.slotTimeout = between(Duration.ofSeconds(1), Duration.ofHours(1), "slotTimeout", slotTimeout);
        return this;
    }

    /** After how long a slot of ours that no process reads is dropped, 1 s to 30 days. Default 10 min. */
    public PostgreSqlFeedBuilder orphanAge(Duration orphanAge) {
        this.orphanAge = between(Duration.ofSeconds(1), Duration.ofDays(30), "orphanAge", orphanAge);
        return this;
    }

    /** A feed for one checker. Opens no connection yet. */
    public PostgreSqlFeed build() {
        Properties given = new Properties();
        given.putAll(properties);
        return new PostgreSqlFeed(new FeedSettings(
                url, given, kinds, publication, node, createPublication, keepSlots, slotTimeout, orphanAge));
    }

    private static String matching(Pattern pattern, String what, String text) {
        if (!pattern.matcher(text).matches()) {
            throw new IllegalArgumentException(what + " must match " + pattern + ", but was '" + text + "'");
        }
        return text;
    }

    private static Duration between(Duration least, Duration most, String what, Duration given) {
        if (given.compareTo(least) < 0 || given.compareTo(most) > 0) {
            throw new IllegalArgumentException(what + " must be from " + least + " to " + most + ", but was " + given);
        }
        return given;
    }
}
