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
     * A Bloom filter. It may be combined with others that were made without a hasher; that they are fed by one is then up to
     * the caller.
     *
     * @param expectedEntries 1 or more; the table must fit 16 GiB
     * @param errorRate the share of false "maybe" at that size, {@link FilterSizing#MIN_ERROR_RATE} to less than 1
     * @throws IllegalArgumentException if an argument is out of its range
     */
    public static CombinableMembershipFilter bloom(long expectedEntries, double errorRate) {
        return new BloomFilter(FilterSizing.plan(FilterType.BLOOM, expectedEntries, errorRate));
    }

    /**
     * A Bloom filter for the hashes of one hasher, which may be combined with others for the same.
     *
     * @param expectedEntries 1 or more; the table must fit 16 GiB
     * @param errorRate the share of false "maybe" at that size, {@link FilterSizing#MIN_ERROR_RATE} to less than 1
     * @param hasher what makes the hashes; it is not kept
     * @throws IllegalArgumentException if an argument is out of its range
     */
    public static CombinableMembershipFilter bloom(long expectedEntries, double errorRate, KeyHasher hasher) {
        return new BloomFilter(FilterSizing.plan(FilterType.BLOOM, expectedEntries, errorRate), hasher);
    }

    /**
     * A blocked Bloom filter. It may be combined with others that were made without a hasher; that they are fed by one is then
     * up to the caller.
     *
     * @param expectedEntries 1 or more; the table must fit 16 GiB
     * @param errorRate the share of false "maybe" at that size, {@link FilterSizing#BLOCKED_BLOOM_ERROR_RATE} to less than 1
     * @throws IllegalArgumentException if an argument is out of its range
     */
    public static CombinableMembershipFilter blockedBloom(long expectedEntries, double errorRate) {
        return new BlockedBloomFilter(FilterSizing.plan(FilterType.BLOCKED_BLOOM, expectedEntries, errorRate));
    }

    /**
     * A blocked Bloom filter for the hashes of one hasher, which may be combined with others for the same.
     *
     * @param expectedEntries 1 or more; the table must fit 16 GiB
     * @param errorRate the share of false "maybe" at that size, {@link FilterSizing#BLOCKED_BLOOM_ERROR_RATE} to less than 1
     * @param hasher what makes the hashes; it is not kept
     * @throws IllegalArgumentException if an argument is out of its range
     */
    public static CombinableMembershipFilter blockedBloom(long expectedEntries, double errorRate, KeyHasher hasher) {
        return new BlockedBloomFilter(FilterSizing.plan(FilterType.BLOCKED_BLOOM, expectedEntries, errorRate), hasher);
    }

    /**
     * A Bloom filter of counters that stick at 15.
     *
     * @param expectedEntries 1 or more; the table must fit 16 GiB
     * @param errorRate the share of false "maybe" at that size, {@link FilterSizing#MIN_ERROR_RATE} to less than 1
     * @throws IllegalArgumentException if an argument is out of its range
     */
    public static RemovableMembershipFilter countingBloom(long expectedEntries, double errorRate) {
        return new CountingBloomFilter(FilterSizing.plan(FilterType.COUNTING_BLOOM, expectedEntries, errorRate));
    }

    /**
     * A d-left counting Bloom filter with an error rate of at most {@link FilterSizing#D_LEFT_ERROR_RATE} up to its planned
     * size.
     *
     * @param expectedEntries 1 to about 3.2 billion
     * @throws IllegalArgumentException if it is out of this range
     */
    public static RemovableMembershipFilter dLeftCountingBloom(long expectedEntries) {
        return new DLeftCountingBloomFilter(FilterSizing.plan(FilterType.D_LEFT_COUNTING_BLOOM, expectedEntries));
    }

    /**
     * A chain of Bloom filters that keeps its error rate while it grows.
     *
     * @param expectedEntries room of the first layer, 1 or more; it must fit 16 GiB
     * @param errorRate the share of false "maybe" at any size, {@link FilterSizing#MIN_ERROR_RATE} to less than 1
     * @throws IllegalArgumentException if an argument is out of its range
     */
    public static MembershipFilter scalable(long expectedEntries, double errorRate) {
        return new ScalableFilter(FilterSizing.plan(FilterType.SCALABLE, expectedEntries, errorRate));
    }

    /**
     * The filter of this type with the error rate all are usually used with.
     *
     * @throws IllegalArgumentException if the size is out of range for the type
     */
    public static MembershipFilter of(FilterType type, long expectedEntries) {
        return switch (type) {
            case CUCKOO -> cuckoo(expectedEntries);
            case BLOOM -> bloom(expectedEntries, FilterSizing.CUCKOO_ERROR_RATE);
            case BLOCKED_BLOOM -> blockedBloom(expectedEntries, FilterSizing.CUCKOO_ERROR_RATE);
            case COUNTING_BLOOM -> countingBloom(expectedEntries, FilterSizing.CUCKOO_ERROR_RATE);
            case D_LEFT_COUNTING_BLOOM -> dLeftCountingBloom(expectedEntries);
            case SCALABLE -> scalable(expectedEntries, FilterSizing.CUCKOO_ERROR_RATE);
        };
    }
}
