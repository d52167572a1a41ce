package io.github.untaken.filter;

/** How a {@link KeyHasher} hashes a string. Both are keyed by 128 secret bits and allocate nothing. */
public enum HashAlgorithm {
    /**
     * Packed words and wide multiplications: the faster one and the default. There is no known way to find colliding
     * strings without the key or the hashes, neither of which is ever shown; there is no proof that none exists.
     */
    PACKED_WORDS,

    /**
     * SipHash-1-3, a pseudorandom function as far as is known: for those who want to rely on published cryptanalysis.
     * Costs a few nanoseconds more.
     */
    SIP_HASH_1_3
}
