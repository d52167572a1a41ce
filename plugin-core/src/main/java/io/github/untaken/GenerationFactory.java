package io.github.untaken;

import io.github.untaken.filter.FilterType;
import io.github.untaken.filter.HashAlgorithm;
import io.github.untaken.filter.KeyHasher;
import io.github.untaken.filter.MembershipFilters;

/** Makes the empty generation that a rebuild fills. */
@FunctionalInterface
interface GenerationFactory {

    /**
     * An empty one.
     *
     * @param plannedEntries how many entries it should have room for, 1 or more
     */
    Generation generation(long plannedEntries);

    /** Filters of this type, each under a fresh secret key. */
    static GenerationFactory of(FilterType type, HashAlgorithm algorithm) {
        return planned -> new Generation(KeyHasher.random(algorithm), MembershipFilters.of(type, planned));
    }
}
