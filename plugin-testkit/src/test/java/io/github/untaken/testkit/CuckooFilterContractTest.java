package io.github.untaken.testkit;

import io.github.untaken.filter.FilterSizing;
import io.github.untaken.filter.MembershipFilters;
import io.github.untaken.filter.RemovableMembershipFilter;

class CuckooFilterContractTest extends RemovableMembershipFilterContract {
    @Override
    protected RemovableMembershipFilter create(long expectedEntries) {
        return MembershipFilters.cuckoo(expectedEntries);
    }

    @Override
    protected FilterAbilities abilities() {
        return new FilterAbilities(FilterSizing.CUCKOO_ERROR_RATE, true, true, 65_534);
    }
}
