package io.github.untaken.memory;

import io.github.untaken.filter.FilterType;
import io.github.untaken.filter.HashAlgorithm;
import io.github.untaken.filter.KeyHasher;
import io.github.untaken.filter.MembershipFilters;

/** Makes the empty generation that a rebuild fills. */
@FunctionalInterface
public interface GenerationFactory {

    /**
     * An empty one.
     *
     * @param plannedEntries how many entries it should have room for, 1 or more
     * @param foldsAsciiCase whether the store finds values by their keys that differ from them in the case of a to z alone
     */
    Generation generation(long plannedEntries, boolean foldsAsciiCase);

    /** Filters of this type, each under a fresh secret key, and beside them so many odd spellings. */
    static GenerationFactory of(FilterType type, HashAlgorithm algorithm, int maxOdd) {
        return (planned, folds) ->
                new Generation(KeyHasher.random(algorithm), MembershipFilters.of(type, planned), folds, maxOdd);
    }

    /** As {@link #of}, of which those with a cuckoo filter can be kept in files under the key. */
    static GenerationFactory keepable(FilterType type, HashAlgorithm algorithm, int maxOdd, SnapshotKey key) {
        return (planned, folds) -> {
            Salt salt = Salt.random();
            return Generation.keepable(
                    key.hasher(algorithm, salt), salt, MembershipFilters.of(type, planned), folds, maxOdd);
        };
    }
}
