package io.github.untaken.normalize;

import io.github.untaken.spi.IdentifierNormalizer;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * The normalizer of user names. Case, width and other compatibility variants do not make a second name; a policy
 * decides which names may be registered.
 *
 * <p><b>The key</b> is a text in NFKC with small letters, independent of any locale. Two texts have the same key if
 * they are equal under NFKC, under {@link String#equalsIgnoreCase}, under
 * {@link String#toLowerCase(java.util.Locale) toLowerCase(Locale.ROOT)}, or under any mixture of these (the one
 * exception: the Greek combining iota is not the letter, whatever {@code equalsIgnoreCase} says). So it is coarser than
 * lower case in two ways. Letters that share a capital are one, as are the final sigma and the sigma, the dotless
 * {@code i} and the {@code i}, and a few historic Cyrillic letters and their modern forms; and a combining dot above
 * makes no other {@code i}. It is no coarser than that: accents count, the sharp s is not {@code ss}, spaces are kept,
 * and characters that merely look alike stay apart. The key of a text does not change with the Java version, except for
 * characters unknown to the older version.
 *
 * <p>With {@link UsernameNormalizerBuilder#accentInsensitive} keys are coarser: accents do not count. With
 * {@link UsernameNormalizerBuilder#apostrophes} all apostrophes are one.
 *
 * <p><b>The policy</b> refuses with one of the codes below, tested in this order. Lengths are code points of the key.
 *
 * <ul>
 *   <li>{@code too_short}: the empty text
 *   <li>{@code too_long}: longer than the greatest length, 32 by default
 *   <li>{@code illegal_character}: a character outside the policy, a mark at the start, a mark on an ASCII digit or
 *       punctuation mark, or more than four marks in a row. By default letters, digits and marks of any script and
 *       {@code . _ -} are allowed; spaces, symbols, emoji, phonetic small capitals and everything invisible are not.
 *       Three characters are allowed between letters that need them: the non-joiner in Arabic script where both sides
 *       would be joined, and in Devanagari, Bengali, Gujarati, Odia, Telugu, Kannada and Malayalam after a virama; the
 *       joiner after a virama in Sinhala, and after that of ra in Devanagari; the tsheg in Tibetan
 *   <li>{@code illegal_edge}: starts or ends with {@code .}, {@code _}, {@code -} or a tsheg
 *   <li>{@code too_short}: shorter than the least length, 3 by default. Some characters count as more than one:
 *       three for a Han character or a Hangul syllable, two for kana and for any other letter without a capital, as in
 *       Arabic, Hebrew or Devanagari
 *   <li>{@code mixed_scripts}: letters of several scripts, or decimal digits of several systems, unless the builder
 *       allows it. Han and Latin go together, and with them either kana, Bopomofo or Hangul; ASCII digits go with every
 *       script, but not with other digits
 * </ul>
 *
 * <p>The policy is about new names: someone registered under a name that it refuses keeps the name, and a check of that
 * name answers what the policy says, never that it is available.
 *
 * <p>Immutable, thread-safe, never blocks. {@link #key} allocates nothing for a text that is its own key and consists
 * of ASCII, Han, kana, Hangul syllables, or common small Latin, Greek or Cyrillic letters; nor does {@link #rejection}
 * for a typed name of such characters that it accepts.
 */
public final class UsernameNormalizer implements IdentifierNormalizer.Named {

    private static final Optional<String> TOO_SHORT = Optional.of("too_short");
    private static final Optional<String> TOO_LONG = Optional.of("too_long");
    private static final Optional<String> ILLEGAL_CHARACTER = Optional.of("illegal_character");
    private static final Optional<String> ILLEGAL_EDGE = Optional.of("illegal_edge");
    private static final Optional<String> MIXED_SCRIPTS = Optional.of("mixed_scripts");

    /** More than any orthography stacks; beyond this, marks only smear over neighbouring lines. */
    private static final int MARKS_IN_A_ROW = 4;

    private static final UsernameNormalizer DEFAULTS = builder().build();

    private final int leastLength;
    private final int greatestLength;
    private final IntPredicate characters;
    private final IntPredicate legal;
    private final IntPredicate edges;
    private final boolean mixedScripts;
    private final boolean accents;
    private final boolean connectors;
    private final boolean apostrophes;
    /** The ASCII characters that a key may contain, and those it may start or end with. */
    private final AsciiSet parts;

    private final AsciiSet ends;
    private final boolean plain;

    UsernameNormalizer(UsernameNormalizerBuilder builder) {
        leastLength = builder.leastLength;
        greatestLength = builder.greatestLength;
        characters = builder.characters;
        legal = this::isLegal;
        edges = builder.edges;
        mixedScripts = builder.mixedScripts;
        accents = builder.accents;
        connectors = characters == UsernameCharacters.DEFAULT;
        apostrophes = builder.apostrophes;
        // Excludes characters allowed only between letters: this test sees no neighbours.
        parts = AsciiSet.of(c -> FoldedText.isPlain((char) c) && isLegal(c));
        ends = AsciiSet.of(c -> parts.contains(c) && edges.test(c));
        plain = IntStream.range(0, 0x80).allMatch(c -> !parts.contains(c) || UsernameCharacters.allowed(c));
    }

    /** The policy described above. */
    public static UsernameNormalizer defaults() {
        return DEFAULTS;
    }

    /** Starts from the policy described above. */
    public static UsernameNormalizerBuilder builder() {
        return new UsernameNormalizerBuilder();
    }

    /** The characters allowed by default, as a test of code points, for building a policy on. */
    public static IntPredicate defaultCharacters() {
        return UsernameCharacters.DEFAULT;
    }

    /** Leaves out the policy, which does not affect keys. */
    @Override
    public String name() {
        return (accents ? FoldedText.NAME : BaseLetters.NAME) + (apostrophes ? ", one apostrophe" : "");
    }

    @Override
    public String key(String value) {
        String key = accents ? FoldedText.of(value) : BaseLetters.of(value);
        return apostrophes ? Apostrophes.asOne(key) : key;
    }

    @Override
    public Optional<String> rejection(String text, String key) {
        if (key.isEmpty()) {
            return TOO_SHORT;
        }
        if (isTooLong(key)) {
            return TOO_LONG;
        }
        if (hasIllegalCharacter(key, legal) || !accents && hidesSomething(text)) {
            return ILLEGAL_CHARACTER;
        }
        if (hasIllegalEdge(key)) {
            return ILLEGAL_EDGE;
        }
        if (isTooShort(key)) {
            return TOO_SHORT;
        }
        return mixedScripts || !MixedScripts.in(key) ? Optional.empty() : MIXED_SCRIPTS;
    }

    /**
     * Looks once at each character of an ASCII text, whose length in characters equals its code points and its weight.
     */
    @Override
    public boolean acceptsAsIs(String text) {
        int length = text.length();
        if (length < leastLength || length > greatestLength) {
            return false;
        }
        return parts.containsAll(text) && ends.contains(text.charAt(0)) && ends.contains(text.charAt(length - 1));
    }

    /**
     * Whether {@link #acceptsAsIs} accepts only texts of small ASCII letters, digits, dots, hyphens and underscores.
     */
    public boolean acceptsPlainAsIs() {
        return plain;
    }

    private boolean isLegal(int c) {
        return !UsernameCharacters.neverAllowed(c) && characters.test(c);
    }

    /** Whether a character that the policy does not allow by itself may stand here, because of its neighbours. */
    private boolean fits(String text, int at) {
        return connects(text.codePointAt(at)) && Connectors.fits(text, at);
    }

    private boolean connects(int c) {
        return c == Connectors.APOSTROPHE
                ? apostrophes
                : connectors && (Connectors.isOfAScript(c) || apostrophes && c == Connectors.MIDDLE_DOT);
    }

    private boolean hasIllegalEdge(String key) {
        int first = key.codePointAt(0);
        int last = key.codePointBefore(key.length());
        if (!edges.test(first) || !edges.test(last)) {
            return true;
        }
        // A character that is here without being legal by itself connects, and at an edge there is nothing to connect.
        return !isLegal(first) || !isLegal(last) && !Connectors.mayEnd(key);
    }

    private boolean isTooLong(String key) {
        // A code point takes at most two chars; the code points of far too long texts are not counted.
        return key.length() > 2L * greatestLength || key.codePointCount(0, key.length()) > greatestLength;
    }

    private boolean isTooShort(String key) {
        int weight = 0;
        for (int i = 0; i < key.length() && weight < leastLength; ) {
            int c = key.codePointAt(i);
            weight += UsernameCharacters.weight(c);
            i += Character.charCount(c);
        }
        return weight < leastLength;
    }

    /** What the key leaves out must be neither invisible nor a heap of marks. */
    private boolean hidesSomething(String text) {
        return hasIllegalCharacter(FoldedText.of(text), c -> !BaseLetters.isInvisible(c));
    }

    private boolean hasIllegalCharacter(String key, IntPredicate legal) {
        int marks = 0;
        boolean carrier = false;
        for (int i = 0; i < key.length(); ) {
            int c = key.codePointAt(i);
            if (!legal.test(c) && !fits(key, i)) {
                return true;
            }
            if (!UsernameCharacters.mark(c)) {
                marks = 0;
                carrier = UsernameCharacters.carriesMarks(c);
            } else if (!carrier || ++marks > MARKS_IN_A_ROW) {
                return true;
            }
            i += Character.charCount(c);
        }
        return false;
    }
}
