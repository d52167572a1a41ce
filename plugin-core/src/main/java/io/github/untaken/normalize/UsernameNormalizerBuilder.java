package io.github.untaken.normalize;

import java.util.function.IntPredicate;

/** Builds a {@link UsernameNormalizer}. Not thread-safe. */
public final class UsernameNormalizerBuilder {
    int leastLength = 3;
    int greatestLength = 32;
    IntPredicate characters = UsernameCharacters::allowed;
    IntPredicate edges = UsernameCharacters::mayStandAtAnEdge;
    boolean mixedScripts;

    UsernameNormalizerBuilder() {}

    /**
     * The lengths of a name, in code points of its key; 3 to 32 by default. For the least length a Han, kana or Hangul
     * character counts as two.
     *
     * @throws IllegalArgumentException unless {@code 1 <= least <= greatest <= 1000}
     */
    public UsernameNormalizerBuilder length(int least, int greatest) {
        if (least < 1 || least > greatest || greatest > 1000) {
            throw new IllegalArgumentException(
                    "length must be 1 <= least <= greatest <= 1000 code points, but was " + least + " to " + greatest);
        }
        leastLength = least;
        greatestLength = greatest;
        return this;
    }

    /**
     * Replaces the characters allowed, asked for each code point of a key; so capital letters and other variants that
     * a key never has need no mention. Whatever it says, control characters and lone surrogates are refused, and the
     * rules for marks hold. {@link UsernameNormalizer#defaultCharacters} is what stands here by default.
     *
     * @param allowed thread-safe, and with the same answer each time
     */
    public UsernameNormalizerBuilder characters(IntPredicate allowed) {
        characters = allowed;
        return this;
    }

    /**
     * Replaces the test of the first and the last code point of a key; by default all that is allowed but
     * {@code . _ -}.
     *
     * @param allowed thread-safe, and with the same answer each time
     */
    public UsernameNormalizerBuilder edges(IntPredicate allowed) {
        edges = allowed;
        return this;
    }

    /**
     * Whether a name may mix scripts, such as Latin and Cyrillic, or decimal digits of several systems. False by default:
     * {@code \u0430lice} with a Cyrillic first letter could not be told from {@code alice}. Keys are the same either way.
     */
    public UsernameNormalizerBuilder mixedScripts(boolean allowed) {
        mixedScripts = allowed;
        return this;
    }

    /** The normalizer. The builder may be used on. */
    public UsernameNormalizer build() {
        return new UsernameNormalizer(this);
    }
}
