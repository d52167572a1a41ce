package io.github.untaken.benchmarks.subjects;

import static io.github.untaken.benchmarks.subjects.Ability.READERS;
import static io.github.untaken.benchmarks.subjects.Ability.REMOVES;
import static io.github.untaken.filter.FilterSizing.CUCKOO_ERROR_RATE;

import java.util.EnumSet;
import java.util.List;
import org.apache.commons.collections4.bloomfilter.ArrayCountingBloomFilter;
import org.apache.commons.collections4.bloomfilter.EnhancedDoubleHasher;
import org.apache.commons.collections4.bloomfilter.Hasher;
import org.apache.commons.collections4.bloomfilter.Shape;
import org.apache.commons.collections4.bloomfilter.SimpleBloomFilter;

/** Apache Commons Collections, which asks its user for the hash and is given the cheapest. */
final class CommonsFilters {
    private CommonsFilters() {}

    static List<SubjectEntry> entries() {
        return List.of(
                new SubjectEntry(
                                "commons-bloom",
                                "SimpleBloomFilter, EnhancedDoubleHasher of the limit's hash",
                                EnumSet.of(READERS),
                                3,
                                CommonsFilters::commons)
                        .atMost(100_000_000),
                new SubjectEntry(
                                "commons-counting",
                                "ArrayCountingBloomFilter, EnhancedDoubleHasher of the limit's hash",
                                EnumSet.of(REMOVES, READERS),
                                100,
                                CommonsFilters::commonsCounting)
                        .atMost(20_000)); // every add makes a bitmap as long as the filter
    }

    /**
     * Both halves are reduced to the number of bits. If that is a multiple of 16, equal low bits of two hashes must not mean
     * equal low bits of their increments; so a product alone will not do, and its high half is folded in.
     */
    private static Hasher hasher(String key) {
        long hash = BareHash.hash(key);
        long increment = hash * 0x9e37_79b9_7f4a_7c15L;
        return new EnhancedDoubleHasher(hash, increment ^ (increment >>> 32));
    }

    private static Subject commons(int keys) {
        SimpleBloomFilter filter = new SimpleBloomFilter(Shape.fromNP(keys, CUCKOO_ERROR_RATE));
        return new ByFunctions(key -> filter.merge(hasher(key)), key -> filter.contains(hasher(key)));
    }

    private static Subject commonsCounting(int keys) {
        ArrayCountingBloomFilter filter = new ArrayCountingBloomFilter(Shape.fromNP(keys, CUCKOO_ERROR_RATE));
        return ByFunctions.removable(
                key -> filter.merge(hasher(key)),
                key -> filter.contains(hasher(key)),
                key -> filter.remove(hasher(key)));
    }
}
