package io.github.untaken.memory;

import io.github.untaken.filter.FilterType;
import io.github.untaken.filter.HashAlgorithm;
import io.github.untaken.filter.KeyHasher;
import io.github.untaken.filter.MembershipFilters;

/** Makes the empty generation that a scan fills. */
@FunctionalInterface
public interface GenerationFactory {

    /**
     * An empty one.
     *
     * @param plannedEntries how many entries it should have room for, 1 or more
     */
    Generation generation(long plannedEntries);

    /** Filters of this type, each under a fresh secret key. */
    static GenerationFactory of(FilterType type, HashAlgorithm algorithm, Generation.Limits limits) {
        return planned -> new Generation(KeyHasher.random(algorithm), MembershipFilters.of(type, planned), limits);
    }

    /** As {@link #of}, of which those with a cuckoo filter can be kept in files under the key. */
    static GenerationFactory keepable(
            FilterType type, HashAlgorithm algorithm, Generation.Limits limits, SnapshotKey key) {
        return planned -> {
            Salt salt = Salt.random();
            return Generation.keepable(key.hasher(algorithm, salt), salt, MembershipFilters.of(type, planned), limits);
        };
    }
}
