package io.github.untaken.cluster.postgresql;

import io.github.untaken.IdentifierKind;
import io.github.untaken.feed.Given;
import java.time.Duration;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/** Settings of a feed; each but the address has a default. Not thread-safe. */
public final class PostgreSqlFeedBuilder {
    private static final Pattern PUBLICATION = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,62}");
    private static final int MOST_SLOTS = 64;

    private final String url;
    private final Given properties = new Given();
    private Set<IdentifierKind> kinds = Set.of();
    private String publication = "untaken";
    private boolean createPublication;
    private boolean keepSlots;
    private int slots = 8;
    private Duration slotTimeout = Duration.ofMinutes(1);
    private Duration orphanAge = Duration.ofMinutes(10);

    PostgreSqlFeedBuilder(String url) {
        this.url = url;
    }

    /** A database user with the right to replicate ({@code ALTER ROLE ... REPLICATION}), and to read the columns with identifiers. */
    public PostgreSqlFeedBuilder user(String user) {
        return user(() -> user);
    }

    /** As {@link #user(String)}, but asked before each connection, on a thread of the feed. If empty, the address decides. */
    public PostgreSqlFeedBuilder user(Supplier<String> user) {
        properties.ask("user", user);
        return this;
    }

    /** The user's password. */
    public PostgreSqlFeedBuilder password(String password) {
        return password(() -> password);
    }

    /**
     * The user's password, if it may change while the process runs: asked before each connection, on a thread of the feed, which waits
     * for the answer. Empty for none.
     */
    public PostgreSqlFeedBuilder password(Supplier<String> password) {
        properties.ask("password", password);
        return this;
    }

    /**
     * A connection property of PostgreSQL's driver, such as {@code sslmode}. What the feed sets itself overrides it, and what the address
     * says: {@code ApplicationName}, {@code socketTimeout}, {@code replication}, and the others of docs/cluster.md.
     */
    public PostgreSqlFeedBuilder property(String name, String value) {
        properties.set(name, value);
        return this;
    }

    /**
     * The kinds to cover; it is an error if one cannot be covered. Default: all kinds whose stores name their columns.
     */
    public PostgreSqlFeedBuilder kinds(IdentifierKind... kinds) {
        this.kinds = Set.of(kinds);
        return this;
    }

    /** The publication to read, named exactly as in the catalog: letters, digits and {@code _}, at most 63. Default {@code untaken}. */
    public PostgreSqlFeedBuilder publication(String publication) {
        this.publication = matching(PUBLICATION, "publication", publication);
        return this;
    }

    /**
     * How many processes may follow the log for this publication at once, 1 to 64: they share that many slots of the server, and never
     * take more, however many start and are killed. Must be the same in all of them. Default 8.
     */
    public PostgreSqlFeedBuilder slots(int slots) {
        if (slots < 1 || slots > MOST_SLOTS) {
            throw new IllegalArgumentException("slots must be from 1 to " + MOST_SLOTS + ", but was " + slots);
        }
        this.slots = slots;
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
     * Whether slots outlast a lost connection even if nothing limits what the server keeps for them. A process that is paused for long
     * then fills the primary's disk. If {@code max_slot_wal_keep_size} is set, they always do. Default: false; a lost
     * connection then means a new scan.
     */
    public PostgreSqlFeedBuilder keepSlots(boolean acceptRisk) {
        this.keepSlots = acceptRisk;
        return this;
    }

    /** How long making a slot waits for open transactions before it is tried again, 1 s to 1 h. Default 1 min. */
    public PostgreSqlFeedBuilder slotTimeout(Duration slotTimeout) {
        this.slotTimeout = between(Duration.ofSeconds(1), Duration.ofHours(1), "slotTimeout", slotTimeout);
        return this;
    }

    /** How long one of our slots stays if no process reads it, 1 s to 30 days. Default 10 min. */
    public PostgreSqlFeedBuilder orphanAge(Duration orphanAge) {
        this.orphanAge = between(Duration.ofSeconds(1), Duration.ofDays(30), "orphanAge", orphanAge);
        return this;
    }

    /** A feed for one checker. Opens no connection yet. */
    public PostgreSqlFeed build() {
        return new PostgreSqlFeed(
                new Server(url, properties.frozen()),
                new FeedSettings(
                        kinds,
                        publication,
                        createPublication,
                        new FeedSettings.Slots(slots, keepSlots, slotTimeout, orphanAge)));
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
