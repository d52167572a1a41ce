package io.github.untaken.filter;

import java.security.SecureRandom;

/**
 * Makes 64-bit key hashes from strings, under a secret 128-bit key. Equal strings give equal hashes under equal keys
 * and algorithms; nothing else is promised. The hash is not a digest, must not be stored apart from its key, and must
 * not be shown to anyone.
 *
 * <p>Immutable and thread-safe; hashing allocates nothing. {@code toString} never shows the key.
 */
public abstract sealed class KeyHasher permits PackedWordHasher, SipHasher {
    /** Bits of a four-character word that are set in a lane if its character needs more than eight bits. */
    static final long WIDE = 0xff00_ff00_ff00_ff00L;

    /** The bits that are not set in any four ASCII characters. */
    static final long NOT_ASCII = 0xff80_ff80_ff80_ff80L;

    KeyHasher() {}

    /** A hasher by {@link HashAlgorithm#PACKED_WORDS} under a fresh key from the system's secure random source. */
    public static KeyHasher random() {
        return random(HashAlgorithm.PACKED_WORDS);
    }

    /** A hasher under a fresh key from the system's secure random source. */
    public static KeyHasher random(HashAlgorithm algorithm) {
        SecureRandom random = new SecureRandom();
        return of(algorithm, random.nextLong(), random.nextLong());
    }

    /** A hasher by {@link HashAlgorithm#PACKED_WORDS} under a given key, see {@link #of(HashAlgorithm, long, long)}. */
    public static KeyHasher of(long k0, long k1) {
        return of(HashAlgorithm.PACKED_WORDS, k0, k1);
    }

    /**
     * A hasher under a given key. Two hashers with equal algorithms and keys agree on every string, in every JVM.
     *
     * @param k0 one half of the key, secret and from a secure random source; any value works
     * @param k1 the other half
     */
    public static KeyHasher of(HashAlgorithm algorithm, long k0, long k1) {
        return switch (algorithm) {
            case PACKED_WORDS -> new PackedWordHasher(k0, k1);
            case SIP_HASH_1_3 -> new SipHasher(k0, k1);
        };
    }

    /** The hash of the key's UTF-16 code units; any string works, including the empty one and lone surrogates. */
    public abstract long hash(String key);

    /** Four characters from this index on, 16 bits each, the first one lowest. */
    static long four(String key, int at) {
        return key.charAt(at)
                | ((long) key.charAt(at + 1) << 16)
                | ((long) key.charAt(at + 2) << 32)
                | ((long) key.charAt(at + 3) << 48);
    }

    /** All of at most three characters. */
    static long upToThree(String key, int length) {
        if (length == 0) {
            return 0;
        }
        return key.charAt(0) | ((long) key.charAt(length >> 1) << 16) | ((long) key.charAt(length - 1) << 32);
    }
}
