package io.github.untaken.memory;

import io.github.untaken.filter.FilterType;
import io.github.untaken.filter.HashAlgorithm;
import io.github.untaken.filter.KeyHasher;
import io.github.untaken.filter.MembershipFilters;
import io.github.untaken.text.Fold;

/** Makes the empty generation that a scan fills. */
@FunctionalInterface
public interface GenerationFactory {

    /**
     * Makes an empty generation.
     *
     * @param fold how it makes texts equal
     * @param plannedEntries how many entries it should have room for, 1 or more
     */
    Generation generation(Fold fold, long plannedEntries);

    /** Generations with filters of this type, each under a fresh secret key. */
    static GenerationFactory of(FilterType type, HashAlgorithm algorithm, Generation.Limits limits) {
        return (fold, planned) ->
                new Generation(fold, KeyHasher.random(algorithm), MembershipFilters.of(type, planned), limits);
    }

    /** As {@link #of}; those with a cuckoo filter can be kept in files under the key. */
    static GenerationFactory keepable(
            FilterType type, HashAlgorithm algorithm, Generation.Limits limits, SnapshotKey key) {
        return (fold, planned) -> {
            Salt salt = Salt.random();
            return Generation.keepable(
                    fold, key.hasher(algorithm, salt), salt, MembershipFilters.of(type, planned), limits);
        };
    }
}
