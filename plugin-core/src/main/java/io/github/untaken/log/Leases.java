package io.github.untaken.log;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * For how long one kind's memory is believed: as long as the tables that it was filled from are known to be what they were, and where
 * the log is followed, for as long as the news from it are young enough, and where others would not be heard, for as long as this process is
 * known to be the only writer. A check reads the leases before anything else, and at its end tests the very ones that it has read.
 */
public final class Leases {
    private final @Nullable FollowedLog log;
    private final Freshness news;
    private final CatalogLease tables;
    private volatile Freshness alone = Freshness.UNBOUNDED;

    /** @param log the database's, if it is followed */
    public Leases(@Nullable FollowedLog log, CatalogLease tables) {
        this.log = log;
        this.news = log == null ? Freshness.UNBOUNDED : log.freshness();
        this.tables = tables;
    }

    /** To be told, before the first check, how old the last look may be that has shown no other writer. */
    public void whileAlone(Freshness bound) {
        alone = bound;
    }

    /** The last look that has shown no other writer. */
    public @Nullable Lease alone() {
        return alone.lease();
    }

    /** How young the news must be. */
    public Freshness news() {
        return news;
    }

    public CatalogLease tables() {
        return tables;
    }

    /** The last look at the tables. */
    public @Nullable Lease looked() {
        return tables.freshness().lease();
    }

    /**
     * Whether what was read earlier still holds. Reading the clocks is the dearest part of a check, so it is done once for all, and not
     * at all where nothing is bounded.
     *
     * @param demanded how young the news must be
     */
    public boolean hold(Freshness demanded, @Nullable Lease heard, @Nullable Lease looked, @Nullable Lease seenAlone) {
        Freshness shown = tables.freshness();
        Freshness bounded = demanded.isBounded() ? demanded : shown.isBounded() ? shown : alone;
        if (!bounded.isBounded()) {
            return true;
        }
        Lease now = bounded.now();
        return demanded.holds(heard, now) && shown.holds(looked, now) && alone.holds(seenAlone, now);
    }

    /**
     * Whether all that was committed before this call is known when this returns. Not waited for while there are no news and questions
     * find no answer: a node that is cut off.
     */
    public boolean hearAll(Duration atMost) {
        return log == null || (log.isHeard() && log.hearsAll(atMost));
    }
}
