package io.github.untaken.filter.examples;

import io.github.untaken.filter.KeyHasher;
import io.github.untaken.filter.MembershipFilters;
import io.github.untaken.filter.RemovableMembershipFilter;

/** Where a crawler has been. For any number of threads. */
final class VisitedPages {
    private final KeyHasher hasher = KeyHasher.random();
    private final RemovableMembershipFilter visited;

    VisitedPages(long expected) {
        visited = MembershipFilters.cuckoo(expected);
    }

    /** True for one caller a page, who fetches it; up to one page in 8,600 is taken for a visited one, and is missed. */
    boolean isNew(String address) {
        long hash = hasher.hash(address);
        if (visited.mightContain(hash)) { // so it is with most links, and no lock is taken
            return false;
        }
        synchronized (this) {
            if (visited.mightContain(hash)) { // another thread was quicker
                return false;
            }
            if (!visited.add(hash)) {
                throw new IllegalStateException("more than eight times the expected pages");
            }
            return true;
        }
    }
}
