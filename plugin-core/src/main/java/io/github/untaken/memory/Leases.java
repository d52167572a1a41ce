package io.github.untaken.memory;

import org.jspecify.annotations.Nullable;

/**
 * For how long one kind's memory is trusted: as long as the tables it was filled from are known to be unchanged; where
 * the log is followed, as long as its news is recent enough; and where others would go unheard, as long as this process
 * is known to be the only writer.
 */
public final class Leases {
    private final Freshness news;
    private final Freshness tables;
    private volatile Freshness alone = Freshness.UNBOUNDED;

    public Leases(Freshness news, Freshness tables) {
        this.news = news;
        this.tables = tables;
    }

    /** Sets how old the last look that showed no other writer may be; called before the first check. */
    public void whileAlone(Freshness bound) {
        alone = bound;
    }

    /** A check reads the leases before anything else, and tests those same leases at its end. */
    public Read read() {
        return new Read(news);
    }

    /** The same for what is true whatever the news. */
    public Read readWithoutNews() {
        return new Read(Freshness.UNBOUNDED);
    }

    /** The leases as they were when they were read. */
    public final class Read {
        private final Freshness demanded;
        private final @Nullable Lease heard;
        private final @Nullable Lease looked = tables.lease();
        private final @Nullable Lease seenAlone = alone.lease();

        private Read(Freshness demanded) {
            this.demanded = demanded;
            this.heard = demanded.lease();
        }

        /**
         * Whether they still hold. Reading the clocks is the most expensive part of a check, so it is done once for
         * all, and not at all if nothing is bounded.
         */
        public boolean hold() {
            Freshness bounded = demanded.isBounded() ? demanded : tables.isBounded() ? tables : alone;
            if (!bounded.isBounded()) {
                return true;
            }
            Lease now = bounded.now();
            return demanded.holds(heard, now) && tables.holds(looked, now) && alone.holds(seenAlone, now);
        }
    }
}
