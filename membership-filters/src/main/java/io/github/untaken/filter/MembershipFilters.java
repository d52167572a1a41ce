package io.github.untaken.filter;

/**
 * Makes membership filters. Each allocates its whole table at once, {@link FilterSizing#bytes} of it, and throws
 * {@link OutOfMemoryError} if the heap has no room.
 *
 * <p>For all of them: any number of threads may query at any time. A query takes no lock, writes nothing and allocates
 * nothing, except some hundred bytes a call of {@link MembershipFilter#mightContainAll}. Several threads may also add
 * and remove, as in a bulk load; they take turns under the filter's own lock, so this is safe and no faster than one
 * thread. No hash makes them throw, and {@code toString} shows none.
 */
public final class MembershipFilters {
    private MembershipFilters() {}

    /**
     * A cuckoo filter with an error rate of at most {@link FilterSizing#CUCKOO_ERROR_RATE} up to its planned size.
     * Beyond that it grows, part by part and without the keys, to eight times as much. Each doubling doubles the error
     * rate, see {@link FilterSizing#cuckooErrorRate}, and {@link MembershipFilter#wantsRebuild} shows that one has
     * begun. An add that meets a full part copies it, up to 256 MiB in some tenths of a second, for which other writers
     * wait and readers do not. Beyond that, or without memory for it, {@code add} refuses. Copies of one hash are
     * counted exactly up to 65,534; of more, one stays for good.
     *
     * @param expectedEntries 1 to about 65 billion
     * @throws IllegalArgumentException if it is out of this range
     */
    public static RemovableMembershipFilter cuckoo(long expectedEntries) {
        return new CuckooFilter(FilterSizing.plan(FilterType.CUCKOO, expectedEntries));
    }

    /**
     * A Bloom filter. It never refuses an entry; over its capacity the error rate rises. It can be combined with others
     * made without a hasher; the caller must then make sure that they are fed by the same one.
     *
     * @param expectedEntries 1 or more; the table must fit 16 GiB
     * @param targetErrorRate the share of false "maybe" at that size, {@link FilterSizing#MIN_ERROR_RATE} to less than
     *     1
     * @throws IllegalArgumentException if an argument is out of its range
     */
    public static CombinableMembershipFilter bloom(long expectedEntries, double targetErrorRate) {
        return new BloomFilter(FilterSizing.plan(FilterType.BLOOM, expectedEntries, targetErrorRate));
    }

    /**
     * A Bloom filter for the hashes of one hasher, which can be combined with others for the same hasher.
     *
     * @param expectedEntries 1 or more; the table must fit 16 GiB
     * @param targetErrorRate the share of false "maybe" at that size, {@link FilterSizing#MIN_ERROR_RATE} to less than
     *     1
     * @param hasher what makes the hashes; it is not kept
     * @throws IllegalArgumentException if an argument is out of its range
     */
    public static CombinableMembershipFilter bloom(long expectedEntries, double targetErrorRate, KeyHasher hasher) {
        return new BloomFilter(FilterSizing.plan(FilterType.BLOOM, expectedEntries, targetErrorRate), hasher);
    }

    /**
     * A blocked Bloom filter. It never refuses an entry; over its capacity the error rate rises. It can be combined
     * with others made without a hasher; the caller must then make sure that they are fed by the same one.
     *
     * @param expectedEntries 1 or more; the table must fit 16 GiB
     * @param targetErrorRate the share of false "maybe" at that size, {@link FilterSizing#BLOCKED_BLOOM_ERROR_RATE} to
     *     less than 1
     * @throws IllegalArgumentException if an argument is out of its range
     */
    public static CombinableMembershipFilter blockedBloom(long expectedEntries, double targetErrorRate) {
        return new BlockedBloomFilter(FilterSizing.plan(FilterType.BLOCKED_BLOOM, expectedEntries, targetErrorRate));
    }

    /**
     * A blocked Bloom filter for the hashes of one hasher, which can be combined with others for the same hasher.
     *
     * @param expectedEntries 1 or more; the table must fit 16 GiB
     * @param targetErrorRate the share of false "maybe" at that size, {@link FilterSizing#BLOCKED_BLOOM_ERROR_RATE} to
     *     less than 1
     * @param hasher what makes the hashes; it is not kept
     * @throws IllegalArgumentException if an argument is out of its range
     */
    public static CombinableMembershipFilter blockedBloom(
            long expectedEntries, double targetErrorRate, KeyHasher hasher) {
        return new BlockedBloomFilter(
                FilterSizing.plan(FilterType.BLOCKED_BLOOM, expectedEntries, targetErrorRate), hasher);
    }

    /**
     * A Bloom filter of counters that stick at 15, so copies of one hash are counted exactly up to 14; of more, one
     * stays for good. It never refuses an entry; over its capacity the error rate rises.
     *
     * @param expectedEntries 1 or more; the table must fit 16 GiB
     * @param targetErrorRate the share of false "maybe" at that size, {@link FilterSizing#MIN_ERROR_RATE} to less than
     *     1
     * @throws IllegalArgumentException if an argument is out of its range
     */
    public static RemovableMembershipFilter countingBloom(long expectedEntries, double targetErrorRate) {
        return new CountingBloomFilter(FilterSizing.plan(FilterType.COUNTING_BLOOM, expectedEntries, targetErrorRate));
    }

    /**
     * A d-left counting Bloom filter with an error rate of at most {@link FilterSizing#D_LEFT_ERROR_RATE} up to its
     * planned size. It refuses an entry whose four buckets are full, which was never seen below 1.1 times that size.
     * Copies of one hash are counted exactly up to 14; of more, one stays for good.
     *
     * @param expectedEntries 1 to about 3.2 billion
     * @throws IllegalArgumentException if it is out of this range
     */
    public static RemovableMembershipFilter dLeftCountingBloom(long expectedEntries) {
        return new DLeftCountingBloomFilter(FilterSizing.plan(FilterType.D_LEFT_COUNTING_BLOOM, expectedEntries));
    }

    /**
     * A chain of Bloom filters that keeps its error rate while it grows. {@code add} refuses only if the next layer,
     * twice as large as the last, does not fit an array or the heap.
     *
     * @param expectedEntries room of the first layer, 1 or more; it must fit 16 GiB
     * @param targetErrorRate the share of false "maybe" at any size, {@link FilterSizing#MIN_ERROR_RATE} to less than 1
     * @throws IllegalArgumentException if an argument is out of its range
     */
    public static MembershipFilter scalable(long expectedEntries, double targetErrorRate) {
        return new ScalableFilter(FilterSizing.plan(FilterType.SCALABLE, expectedEntries, targetErrorRate));
    }

    /**
     * The filter of this type with the usual error rate, {@link FilterSizing#CUCKOO_ERROR_RATE}; a d-left counting
     * Bloom filter has its own, stricter one.
     *
     * @param expectedEntries 1 or more, as many as the type's own factory allows
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
