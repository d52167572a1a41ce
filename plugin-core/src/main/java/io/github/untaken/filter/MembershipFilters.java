package io.github.untaken.filter;

/** Makes membership filters. Each allocates its whole table at once, {@link FilterSizing#bytes} of it. */
public final class MembershipFilters {
    private MembershipFilters() {}

    /**
     * A cuckoo filter with an error rate of at most {@link FilterSizing#CUCKOO_ERROR_RATE} up to its planned size. Beyond
     * it grows, part by part and without the keys, to eight times as much; each doubling doubles the error rate, see {@link
     * FilterSizing#cuckooErrorRate}, and {@link MembershipFilter#wantsRebuild} says that one has begun.
     *
     * @param expectedEntries 1 to about 65 billion
     * @throws IllegalArgumentException if it is out of this range
     */
    public static RemovableMembershipFilter cuckoo(long expectedEntries) {
        return new CuckooFilter(FilterSizing.plan(FilterType.CUCKOO, expectedEntries));
    }

    /**
     * A Bloom filter.
     *
     * @param expectedEntries 1 or more; the table must fit 16 GiB
     * @param errorRate the share of false "maybe" at that size, {@link FilterSizing#MIN_ERROR_RATE} to less than 1
     * @throws IllegalArgumentException if an argument is out of its range
     */
    public static MembershipFilter bloom(long expectedEntries, double errorRate) {
        return new BloomFilter(FilterSizing.plan(FilterType.BLOOM, expectedEntries, errorRate));
    }

    /**
     * The filter of this type with the error rate it is usually used with.
     *
     * @throws IllegalArgumentException if the size is out of range for the type
     */
    public static MembershipFilter of(FilterType type, long expectedEntries) {
        return switch (type) {
            case CUCKOO -> cuckoo(expectedEntries);
            case BLOOM -> bloom(expectedEntries, FilterSizing.CUCKOO_ERROR_RATE);
        };
    }
}
