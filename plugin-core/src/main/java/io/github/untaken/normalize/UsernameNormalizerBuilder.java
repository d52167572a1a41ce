package io.github.untaken.normalize;

import java.util.function.IntPredicate;

/** Builds a {@link UsernameNormalizer}. Not thread-safe. */
public final class UsernameNormalizerBuilder {
    int leastLength = 3;
    int greatestLength = 32;
    IntPredicate characters = UsernameCharacters.DEFAULT;
    IntPredicate edges = UsernameCharacters::mayStandAtAnEdge;
    boolean mixedScripts;
    boolean accents = true;
    boolean apostrophes;

    UsernameNormalizerBuilder() {}

    /**
     * The lengths of a name, in code points of its key; 3 to 32 by default. For the least length some characters count
     * as more: three for a Han character or a Hangul syllable, two for kana and for any other letter without a capital,
     * because it stands for a syllable or leaves its vowel unwritten.
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
     * Replaces the allowed characters. The test is called for each code point of a key, so capital letters and other
     * variants that a key never contains need no mention. Whatever it says, control characters and lone surrogates are
     * refused, and the rules for marks hold. Default: {@link UsernameNormalizer#defaultCharacters}. With the default,
     * and only then, joiners and the Tibetan tsheg are also allowed where a script needs them. With other characters
     * they are allowed everywhere or nowhere, as the test says.
     *
     * @param allowed thread-safe, with the same answer each time
     */
    public UsernameNormalizerBuilder characters(IntPredicate allowed) {
        characters = allowed;
        return this;
    }

    /** As {@link #characters} with {@code a} to {@code z}, {@code 0} to {@code 9} and {@code . _ -}. */
    public UsernameNormalizerBuilder ascii() {
        return characters(c -> c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '.' || c == '_' || c == '-');
    }

    /**
     * Replaces the test of the first and last code point of a key. Default: everything allowed except {@code . _ -}.
     *
     * @param allowed thread-safe, with the same answer each time
     */
    public UsernameNormalizerBuilder edges(IntPredicate allowed) {
        edges = allowed;
        return this;
    }

    /**
     * Whether a name may mix scripts, such as Latin and Cyrillic, or decimal digits of several systems. Default false:
     * {@code \u0430lice} with a Cyrillic first letter could not be told from {@code alice}. Does not affect keys.
     */
    public UsernameNormalizerBuilder mixedScripts(boolean allowed) {
        mixedScripts = allowed;
        return this;
    }

    /**
     * Makes keys in which accents do not count, for columns whose collation merges them: {@code Jos\u00e9},
     * {@code jos\u00e9} and {@code jose} are one name, as are {@code S\u00f8ren} and {@code soren}, {@code Stra\u00dfe}
     * and {@code strasse}. It also folds what else such collations merge: strokes through letters, ligatures, katakana
     * and small kana, digits of other systems, and invisible characters, which new names may not contain.
     *
     * <p>The column compares in its own way, whatever the keys are. A policy's characters are those of keys: for a
     * policy of Latin letters, {@code a} to {@code z} are enough.
     */
    public UsernameNormalizerBuilder accentInsensitive() {
        accents = false;
        return this;
    }

    /**
     * Whether a name may contain what people write inside words: an apostrophe between two letters ({@code o'brien}),
     * or after a Hebrew one, and the Catalan middle dot between two {@code l}, the dot only with the default
     * characters. Default false: an apostrophe ends a quoted text in SQL, HTML and shells, and a name is passed on to
     * many places.
     *
     * <p>Keys become coarser: all apostrophes are {@code '}, because keyboards differ in what they type. U+2019, the
     * letter U+02BC and the Hebrew geresh are the same. If several were registered before, as is possible with the
     * letter, each of them still blocks the others.
     */
    public UsernameNormalizerBuilder apostrophes(boolean allowed) {
        apostrophes = allowed;
        return this;
    }

    /** Makes the normalizer. The builder may be used again. */
    public UsernameNormalizer build() {
        return new UsernameNormalizer(this);
    }
}
