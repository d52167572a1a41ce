package io.github.untaken.testkit;

import io.github.untaken.filter.MembershipFilter;
import io.github.untaken.filter.MembershipFilters;

class BlockedBloomFilterContractTest extends MembershipFilterContract {
    @Override
    protected MembershipFilter create(long expectedEntries) {
        return MembershipFilters.blockedBloom(expectedEntries, 0.001);
    }

    @Override
    protected FilterAbilities abilities() {
        return new FilterAbilities(0.001, false, true, 0);
    }
}
