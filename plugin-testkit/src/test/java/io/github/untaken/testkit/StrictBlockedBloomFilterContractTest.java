package io.github.untaken.testkit;

import io.github.untaken.filter.MembershipFilter;
import io.github.untaken.filter.MembershipFilters;

class StrictBlockedBloomFilterContractTest extends MembershipFilterContract {
    @Override
    protected MembershipFilter create(long expectedEntries) {
        return MembershipFilters.blockedBloom(expectedEntries, 1e-5);
    }

    @Override
    protected FilterAbilities abilities() {
        return new FilterAbilities(1e-5, false, true, 0);
    }
}
