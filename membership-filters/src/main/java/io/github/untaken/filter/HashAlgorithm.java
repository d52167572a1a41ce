package io.github.untaken.filter;

/** How a {@link KeyHasher} makes a hash from a string. Both are keyed by 128 secret bits and allocate nothing. */
public enum HashAlgorithm {
    /**
     * Packed words and wide multiplications: the faster one and the default. No way is known to find colliding strings without
     * the key or the hashes, neither of which is ever shown; there is no proof that there is none.
     */
    PACKED_WORDS,

    /**
     * SipHash-1-3, a pseudorandom function as far as anybody knows: for those who want to rely on published cryptanalysis. Costs
     * some nanoseconds more.
     */
    SIP_HASH_1_3
}
