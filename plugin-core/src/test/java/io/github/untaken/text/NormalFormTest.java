package io.github.untaken.text;

import static org.assertj.core.api.Assertions.fail;

import io.github.untaken.Seed;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The JDK is the oracle; the texts are longer than what it is given at once, and short enough for the square of their length. */
class NormalFormTest {
    private static final long SEED = Seed.of(NormalFormTest.class, 0x5EED_F0A3L);
    private static final int TEXTS = 4_000;

    /** Few marks of many places, so that they meet often; parts of Hangul syllables and of vowels; halves of characters. */
    private static final int[] OFTEN =
            ("aI\u00C5\u1E2D\uFDFA\uFB03\u1100\u1161\u11A8\uAC00\u0F73\u0344\u0345\u0334\u0301\u0315\u0323\u0327"
                            + "\u05B0\u093C\u3099\u30AB\u09C7\u09BE\u0DD9\u0DCF\u0DCA\u034F\uD81B\uDD67\uD805\uDD1E\uD804\uDFC2\uD800\uDC00")
                    .codePoints()
                    .toArray();

    private static final int[] DIFFICULT = IntStream.rangeClosed(0, Character.MAX_CODE_POINT)
            .filter(c -> NormalForm.isMark(c) || !Normalizer.isNormalized(Character.toString(c), Normalizer.Form.NFKD))
            .toArray();

    @Test
    void isThatOfTheJdkForTextsOfDifficultCharacters() {
        SplittableRandom random = new SplittableRandom(SEED);
        for (int n = 0; n < TEXTS; n++) {
            int[] alphabet = random.nextBoolean() ? OFTEN : DIFFICULT;
            int starters = random.nextInt(3); // some have runs of hundreds of marks, others of one or two
            StringBuilder text = new StringBuilder();
            for (int i = random.nextInt(500); i >= 0; i--) {
                int c = alphabet[random.nextInt(alphabet.length)];
                if (starters > 0 || NormalForm.isMark(c) || random.nextInt(200) == 0) {
                    text.appendCodePoint(c);
                }
            }
            assertIsThatOfTheJdk(text.toString(), "text " + n + " of seed " + SEED);
        }
    }

    @Test
    void sortsAllMarksThereAreAsTheJdkDoes() {
        List<Integer> marks = new ArrayList<>(IntStream.rangeClosed(0, Character.MAX_CODE_POINT)
                .filter(NormalForm::isMark)
                .boxed()
                .toList());
        Random random = new Random(SEED);
        for (int n = 0; n < 20; n++) {
            Collections.shuffle(marks, random);
            StringBuilder text = new StringBuilder("a");
            marks.forEach(text::appendCodePoint);
            assertIsThatOfTheJdk(text.toString(), "order " + n + " of seed " + SEED);
        }
    }

    /** A piece may end in the midst of anything. */
    @Test
    void cutsWhereNothingIsLost() {
        for (String unit : List.of(
                "\uD81B\uDD67", "\u1100\u1161\u11A8", "\u0344", "a\u0301\u0323", "\uD83D\uDE00", "\uD800", "\uDC00")) {
            for (int before = 0; before < 6; before++) {
                assertIsThatOfTheJdk("b".repeat(before) + unit.repeat(400), unit);
            }
        }
    }

    private static void assertIsThatOfTheJdk(String text, String which) {
        if (!NormalForm.decomposed(text).equals(Normalizer.normalize(text, Normalizer.Form.NFKD))) {
            fail("NFKD of " + which);
        }
        if (!NormalForm.composed(text).equals(Normalizer.normalize(text, Normalizer.Form.NFKC))) {
            fail("NFKC of " + which);
        }
    }
}
