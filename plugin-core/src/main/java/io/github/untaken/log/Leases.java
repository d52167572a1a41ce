package io.github.untaken.log;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * For how long one kind's memory is trusted: as long as the tables it was filled from are known to be unchanged; where
 * the log is followed, as long as its news is recent enough; and where others would go unheard, as long as this process
 * is known to be the only writer. A check reads the leases before anything else, and tests those same leases at its
 * end.
 */
public final class Leases {
    private final @Nullable FollowedLog log;
    private final Freshness news;
    private final CatalogLease tables;
    private volatile Freshness alone = Freshness.UNBOUNDED;

    /** @param log the database's log, if it is followed */
    public Leases(@Nullable FollowedLog log, CatalogLease tables) {
        this.log = log;
        this.news = log == null ? Freshness.UNBOUNDED : log.freshness();
        this.tables = tables;
    }

    /** Sets how old the last look that showed no other writer may be; called before the first check. */
    public void whileAlone(Freshness bound) {
        alone = bound;
    }

    /** The last look that showed no other writer. */
    public @Nullable Lease alone() {
        return alone.lease();
    }

    /** How recent the news must be. */
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
     * Whether the leases read earlier still hold. Reading the clocks is the most expensive part of a check, so it is
     * done once for all, and not at all if nothing is bounded.
     *
     * @param demanded how recent the news must be
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
     * Whether, on return, everything committed before this call is known. Does not wait while there is no news and no
     * question is answered, as on a node that is cut off.
     */
    public boolean hearAll(Duration atMost) {
        return log == null || (log.isHeard() && log.hearsAll(atMost));
    }
}
