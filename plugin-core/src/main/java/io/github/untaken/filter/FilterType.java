package io.github.untaken.filter;

/** Which membership filter holds the keys of a registry. */
public enum FilterType {
    /**
     * A cuckoo filter: forgets what is removed, about 17 bits an entry, a false "maybe" in about 8,600 questions when full.
     * The default.
     */
    CUCKOO,

    /**
     * A Bloom filter: never forgets, so that a deleted identifier costs a store read until the next rebuild. Reaches any
     * error rate, at 1.44 bits an entry for each halving.
     */
    BLOOM
}
