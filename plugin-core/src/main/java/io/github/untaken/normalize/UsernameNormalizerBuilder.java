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
     * The lengths of a name, in code points of its key; 3 to 32 by default. For the least length
     * a character may count as more: three for a Han character or a Hangul syllable, two for kana and for any other letter that has no
     * capital, because it stands for a syllable or leaves its vowel unwritten.
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
     * rules for marks hold. {@link UsernameNormalizer#defaultCharacters} is what stands here by default; beside it, and only then,
     * joiners and the Tibetan tsheg are allowed where a script needs them. With other characters they are allowed everywhere, or
     * nowhere, as this says.
     *
     * @param allowed thread-safe, and with the same answer each time
     */
    public UsernameNormalizerBuilder characters(IntPredicate allowed) {
        characters = allowed;
        return this;
    }

    /**
     * As {@link #characters} with {@code a} to {@code z}, {@code 0} to {@code 9} and {@code . _ -}.
     */
    public UsernameNormalizerBuilder ascii() {
        return characters(c -> c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '.' || c == '_' || c == '-');
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

    /**
     * Makes keys in which accents do not count, for columns whose collation merges them: {@code Jos\u00e9}, {@code jos\u00e9} and
     * {@code jose} are one name, as are {@code S\u00f8ren} and {@code soren}, {@code Stra\u00dfe} and {@code strasse}. Beside accents it
     * folds what such collations merge as well: strokes through letters, ligatures, katakana and small kana, digits of other systems,
     * and characters that nobody sees, which new names may not have.
     *
     * <p>What the column holds equal is its own affair, and compared by it whatever the keys are. The characters of a policy are those of
     * keys: for one of Latin letters {@code a} to {@code z} will do.
     */
    public UsernameNormalizerBuilder accentInsensitive() {
        accents = false;
        return this;
    }

    /**
     * Whether a name may have what people write inside words: an apostrophe between two letters ({@code o'brien}), or after a Hebrew one,
     * and the Catalan middle dot between two {@code l}, the dot only with the default characters. False by default: an apostrophe ends a
     * quoted text in SQL, HTML and shells, and a name is passed on to many places.
     *
     * <p>It makes coarser keys, in which all apostrophes are {@code '}, because keyboards differ in what they type: U+2019, the letter U+02BC
     * and the Hebrew geresh are the same. Where several were registered before, as the letter may be, each of them still blocks the others.
     */
    public UsernameNormalizerBuilder apostrophes(boolean allowed) {
        apostrophes = allowed;
        return this;
    }

    /** The normalizer. The builder may be used on. */
    public UsernameNormalizer build() {
        return new UsernameNormalizer(this);
    }
}
