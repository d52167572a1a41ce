package io.github.untaken.normalize;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.github.untaken.Seed;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is claimed of every text is tried on every code point, and on texts put together from the difficult ones. */
class FoldedTextTest {

    private static final long SEED = Seed.of(FoldedTextTest.class, 0x5EED_F01DL);
    private static final int TEXTS = 50_000;

    /** The letters i and j, sigmas, a sharp s, letter-like signs, iotas, Hangul letters; marks of several classes. */
    private static final int[] KNOWN_FOR_TROUBLE =
            ("iIjJ\u0130\u0131\u0132\u00CD\u012F\u1ECB\u1E2D\u03A3\u03C3\u03C2\u00DF\u1E9E\u017Fs"
                            + "\u212A\u212BaA\u01C5\u03B1\u1FB3\u1FBC\u0399\u1100\u1161\u11A8\u30AB\uFF76\uFF9E\uD800\uDC00"
                            + "\u0301\u0307\u0308\u0323\u0327\u0328\u0330\u0345\u035C\u1AB5\u05B0\u3099\u0303")
                    .codePoints()
                    .toArray();

    @Test
    void isItsOwnFoldForEveryCodePoint() {
        for (int c = 0; c <= Character.MAX_CODE_POINT; c++) {
            String folded = FoldedText.of(Character.toString(c));
            if (!FoldedText.of(folded).equals(folded)) {
                fail("not its own fold: " + hex(Character.toString(c)));
            }
        }
    }

    @Test
    void isItsOwnFoldForTextsOfDifficultCharacters() {
        everyText(text -> {
            String folded = FoldedText.of(text);
            return FoldedText.of(folded).equals(folded);
        });
    }

    @Test
    void isItsOwnFoldForEveryBaseWithEveryMarkThatComposes() {
        List<String> seconds = new ArrayList<>();
        List<String> firsts = new ArrayList<>();
        for (int c = 0; c <= Character.MAX_CODE_POINT; c++) {
            String parts = Normalizer.normalize(Character.toString(c), Normalizer.Form.NFD);
            if (Character.getType(c) != Character.SURROGATE
                    && parts.codePointCount(0, parts.length()) > 1
                    && !hangul(c)) {
                firsts.add(Character.toString(c));
                firsts.add(Character.toString(parts.codePointAt(0)));
                seconds.add(Character.toString(parts.codePointBefore(parts.length())));
            }
        }
        List<String> marks = seconds.stream().distinct().toList();
        List<String> bases = firsts.stream().distinct().toList();
        assertThat(marks).hasSizeGreaterThan(50);
        for (String base : bases) {
            for (String mark : marks) {
                String folded = FoldedText.of(base + mark);
                if (!FoldedText.of(folded).equals(folded)) {
                    fail("not its own fold: " + hex(base + mark));
                }
            }
        }
    }

    @Test
    void isNormalizedAndSmall() {
        everyText(text -> {
            String folded = FoldedText.of(text);
            return Normalizer.isNormalized(folded, Normalizer.Form.NFKC)
                    && folded.codePoints().allMatch(c -> Character.toLowerCase(c) == c);
        });
    }

    @Test
    void joinsWhatCompatibilityAndCanonicalFormsJoin() {
        UnaryOperator<String> composed = text -> Normalizer.normalize(text, Normalizer.Form.NFKC);
        UnaryOperator<String> decomposed = text -> Normalizer.normalize(text, Normalizer.Form.NFKD);
        everyCodePoint(text -> sameFold(text, composed) && sameFold(text, decomposed));
        everyText(text -> sameFold(text, composed) && sameFold(text, decomposed));
    }

    @Test
    void joinsWhatLowerCaseJoins() {
        everyCodePoint(text -> sameFold(text, t -> t.toLowerCase(Locale.ROOT)));
        everyText(text -> sameFold(text, t -> t.toLowerCase(Locale.ROOT)));
    }

    @Test
    void joinsWhatEqualsIgnoreCaseJoins() {
        // equalsIgnoreCase compares the lower case of the upper case of each character.
        UnaryOperator<String> ignoringCase = text -> {
            StringBuilder result = new StringBuilder();
            text.codePoints()
                    .map(Character::toUpperCase)
                    .map(Character::toLowerCase)
                    .forEach(result::appendCodePoint);
            return result.toString();
        };
        everyCodePoint(text -> hasCombiningIota(text) || sameFold(text, ignoringCase));
        everyText(text ->
                hasCombiningIota(text) || (sameFold(text, ignoringCase) && sameFold(text, FoldedTextTest::swapCase)));
    }

    /** The first was found by a random text. */
    @ParameterizedTest
    @CsvSource({"\u0130\u0330,i\u0330", "\u0130\u0323\u0301,\u1ECB\u0301", "I\u0328\u0307,\u012F", "i\u0307\u0307,I"})
    void joinsAnIWithAndWithoutItsDotWhateverMarksItBears(String one, String other) {
        assertThat(FoldedText.of(one)).isEqualTo(FoldedText.of(other));
    }

    @Test
    void leavesTheCombiningIotaApartFromTheLetter() {
        assertThat(FoldedText.of("x\u0345")).isEqualTo("x\u0345");
    }

    @Test
    void theShortCutIsTheLongWay() {
        for (char c = 0; c < Character.MAX_VALUE; c++) {
            if (FoldedText.isPlain(c)) {
                // The sharp s sends the text the long way.
                String alone = Character.toString(c);
                assertThat(FoldedText.of("\u00DF" + alone)).as(hex(alone)).isEqualTo("\u00DF" + alone);
            }
        }
    }

    @Test
    void noCharacterOfTheShortCutIsASecondHalf() {
        for (int c = 0; c <= Character.MAX_CODE_POINT; c++) {
            String parts = Normalizer.normalize(Character.toString(c), Normalizer.Form.NFD);
            int first = Character.charCount(parts.codePointAt(0));
            for (int i = first; i < parts.length(); i++) {
                assertThat(FoldedText.isPlain(parts.charAt(i))).as(hex(parts)).isFalse();
            }
        }
    }

    @Test
    void returnsTheTextItselfWhereItIsFolded() {
        for (String text :
                List.of("", "alice", "a.b_c-9", "\u5F20\u4F1F", "\u00DF", "\u0E2A\u0E21", "\uD83D\uDE00", "\uD800")) {
            assertThat(FoldedText.of(text)).isSameAs(text);
        }
    }

    @Test
    void isTheSameOnEveryJavaVersionForCharactersThatJava17Knew() {
        long hash = 1125899906842597L;
        for (int c : CodePointsOfJava17.all()) {
            String folded = FoldedText.of("a" + Character.toString(c));
            for (int i = 0; i < folded.length(); i++) {
                hash = 31 * hash + folded.charAt(i);
            }
        }
        assertThat(hash).isEqualTo(6872406302668101063L);
    }

    private static boolean sameFold(String text, UnaryOperator<String> variant) {
        return FoldedText.of(text).equals(FoldedText.of(variant.apply(text)));
    }

    private static boolean hasCombiningIota(String text) {
        return text.indexOf('\u0345') >= 0;
    }

    private static String swapCase(String text) {
        StringBuilder swapped = new StringBuilder();
        text.codePoints()
                .map(c -> Character.isLowerCase(c) ? Character.toUpperCase(c) : Character.toLowerCase(c))
                .forEach(swapped::appendCodePoint);
        return swapped.toString();
    }

    /** Beyond 30 marks in a row too, where stream-safe text ends. */
    @Test
    void whatIsClaimedHoldsForLongTextsToo() {
        int[] difficult = difficult();
        SplittableRandom random = new SplittableRandom(SEED);
        for (int n = 0; n < TEXTS / 50; n++) {
            int[] alphabet = random.nextBoolean() ? KNOWN_FOR_TROUBLE : difficult;
            boolean onlyMarks = random.nextBoolean();
            StringBuilder text = new StringBuilder("i");
            for (int i = random.nextInt(600); i >= 0; i--) {
                int c = alphabet[random.nextInt(alphabet.length)];
                if (!onlyMarks || UsernameCharacters.mark(c)) {
                    text.appendCodePoint(c);
                }
            }
            String typed = text.toString();
            String folded = FoldedText.of(typed);
            boolean holds = FoldedText.of(folded).equals(folded)
                    && Normalizer.isNormalized(folded, Normalizer.Form.NFKC)
                    && sameFold(typed, t -> Normalizer.normalize(t, Normalizer.Form.NFC))
                    && sameFold(typed, t -> Normalizer.normalize(t, Normalizer.Form.NFD))
                    && sameFold(typed, t -> Normalizer.normalize(t, Normalizer.Form.NFKC))
                    && sameFold(typed, t -> Normalizer.normalize(t, Normalizer.Form.NFKD))
                    && sameFold(typed, t -> t.toLowerCase(Locale.ROOT));
            if (!holds) {
                fail("does not hold for " + hex(typed) + ", long text " + n + " of seed " + SEED);
            }
        }
    }

    private interface Claim {
        boolean holds(String text);
    }

    private static void everyCodePoint(Claim claim) {
        for (int c = 0; c <= Character.MAX_CODE_POINT; c++) {
            String text = Character.toString(c);
            if (Character.getType(c) != Character.PRIVATE_USE && Character.isDefined(c) && !claim.holds(text)) {
                fail("does not hold for " + hex(text));
            }
        }
    }

    private static void everyText(Claim claim) {
        int[] difficult = difficult();
        SplittableRandom random = new SplittableRandom(SEED);
        for (int n = 0; n < TEXTS; n++) {
            int[] alphabet = random.nextBoolean() ? KNOWN_FOR_TROUBLE : difficult;
            StringBuilder text = new StringBuilder();
            int length = 1 + random.nextInt(6);
            for (int i = 0; i < length; i++) {
                text.appendCodePoint(
                        random.nextInt(16) == 0
                                ? random.nextInt(Character.MAX_CODE_POINT + 1)
                                : alphabet[random.nextInt(alphabet.length)]);
            }
            if (!claim.holds(text.toString())) {
                fail("does not hold for " + hex(text.toString()) + ", text " + n + " of seed " + SEED);
            }
        }
    }

    /** Whatever has case, a decomposition, or a combining class of its own, and lone surrogates. */
    private static int[] difficult() {
        return IntStream.rangeClosed(0, Character.MAX_CODE_POINT)
                .filter(c -> !hangul(c))
                .filter(c -> (c >= 0xD7F0 && c < 0xE010)
                        || Character.toUpperCase(c) != c
                        || Character.toLowerCase(c) != c
                        || Character.getType(c) == Character.NON_SPACING_MARK
                        || !Normalizer.isNormalized(Character.toString(c), Normalizer.Form.NFKD))
                .toArray();
    }

    private static boolean hangul(int c) {
        return c >= 0xAC00 && c <= 0xD7A3;
    }

    private static String hex(String text) {
        return text.codePoints()
                .mapToObj(c -> String.format("U+%04X", c))
                .toList()
                .toString();
    }
}
