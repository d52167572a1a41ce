package io.github.untaken.testkit;

import io.github.untaken.filter.FilterSizing;
import io.github.untaken.filter.MembershipFilters;
import io.github.untaken.filter.RemovableMembershipFilter;
import java.util.Arrays;

class DLeftCountingBloomFilterContractTest extends RemovableMembershipFilterContract {
    @Override
    protected RemovableMembershipFilter create(long expectedEntries) {
        return MembershipFilters.dLeftCountingBloom(expectedEntries);
    }

    @Override
    protected FilterAbilities abilities() {
        return new FilterAbilities(FilterSizing.D_LEFT_ERROR_RATE, true, true, 14);
    }

    /** Only the highest bits of a hash count, so others with the same are easily made, and hard to find. */
    @Override
    protected long[] collidingHashes(RemovableMembershipFilter filter, long[] held, int wanted) {
        return Arrays.stream(held).limit(wanted).map(hash -> hash ^ 1).toArray();
    }
}
