package io.github.untaken.testkit;

import io.github.untaken.filter.FilterSizing;
import io.github.untaken.filter.MembershipFilters;
import io.github.untaken.filter.RemovableMembershipFilter;

class DLeftCountingBloomFilterContractTest extends RemovableMembershipFilterContract {
    @Override
    protected RemovableMembershipFilter create(long expectedEntries) {
        return MembershipFilters.dLeftCountingBloom(expectedEntries);
    }

    @Override
    protected FilterAbilities abilities() {
        return new FilterAbilities(FilterSizing.D_LEFT_ERROR_RATE, true, true, 14);
    }
}
