package io.github.untaken.benchmarks.whitelist;

import io.github.untaken.filter.MembershipFilter;
import io.github.untaken.filter.MembershipFilters;

/** Which names were asked for of late, in two Bloom filters that relieve each other: what has been asked before may be let in. */
final class AskedBefore {
    private static final double ERROR_RATE = 0.01;

    private final long names;
    private MembershipFilter now;
    private MembershipFilter before;

    /** @param names after so many new ones the older filter is given up */
    AskedBefore(long names) {
        this.names = names;
        now = MembershipFilters.bloom(names, ERROR_RATE);
        before = MembershipFilters.bloom(names, ERROR_RATE);
    }

    /** Whether it was, and from now on it was. */
    boolean wasAsked(long hash) {
        if (now.mightContain(hash)) {
            return true;
        }
        boolean was = before.mightContain(hash);
        now.add(hash);
        if (now.entries() >= names) {
            before = now;
            now = MembershipFilters.bloom(names, ERROR_RATE);
        }
        return was;
    }

    long bytes() {
        return now.bytes() + before.bytes();
    }
}
