package io.github.untaken.filter;

/** The types of filters; {@link FilterSizing#compare} shows what each costs. */
public enum FilterType {
    /**
     * A cuckoo filter: forgets what is removed, about 17 bits an entry, one false "maybe" in about 8,600 queries when
     * full. The default.
     */
    CUCKOO,

    /**
     * A Bloom filter: never forgets, so deleted entries stay a "maybe" until the filter is rebuilt. Reaches any error
     * rate, at 1.44 bits an entry for each halving.
     */
    BLOOM,

    /**
     * A Bloom filter with all bits of an entry side by side: never forgets. If the table is larger than the caches, it
     * is filled in two thirds of the plain one's time and answers in half of it, whether an entry is there or not;
     * while the table fits the caches it is no faster. A fifth larger at a rate of 1e-4, twice as large at 1e-9, its
     * strictest.
     */
    BLOCKED_BLOOM,

    /**
     * A Bloom filter of 4-bit counters: forgets what is removed, at any error rate and four times the bits of the plain
     * one.
     */
    COUNTING_BLOOM,

    /**
     * Fingerprints and counters in four subtables: forgets what is removed, about 43 bits an entry, one false "maybe"
     * in five million queries.
     */
    D_LEFT_COUNTING_BLOOM,

    /**
     * A chain of Bloom filters that grows when it is full: never forgets, need not know how many entries will come, and
     * becomes slower as it grows.
     */
    SCALABLE
}
