package io.github.untaken.testkit;

import io.github.untaken.filter.MembershipFilters;
import io.github.untaken.filter.RemovableMembershipFilter;

class CountingBloomFilterContractTest extends RemovableMembershipFilterContract {
    @Override
    protected RemovableMembershipFilter create(long expectedEntries) {
        return MembershipFilters.countingBloom(expectedEntries, 0.001);
    }

    @Override
    protected FilterAbilities abilities() {
        return new FilterAbilities(0.001, false, true, 14);
    }
}
