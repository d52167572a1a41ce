package io.github.untaken.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.untaken.Seed;
import io.github.untaken.spi.RegisteredIdentifierStore;
import io.github.untaken.spi.StoreException;
import io.github.untaken.text.Letters;
import java.text.Normalizer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Databases that compare by any function, which is the oracle: what has one value of it must have one fold. */
class LetterDrawingTest {
    private static final long SEED = Seed.of(LetterDrawingTest.class, 20261128);
    private static final Pattern MARKS = Pattern.compile("\\p{M}");
    private static final String PLAIN = "abcdefghijklmnopqrstuvwxyz0123456789._-";

    private static class Sorting implements RegisteredIdentifierStore.Grouping {
        private final UnaryOperator<String> weight;

        Sorting(UnaryOperator<String> weight) {
            this.weight = weight;
        }

        @Override
        public Presence exists(String text, Duration timeout) {
            return Presence.ABSENT;
        }

        @Override
        public void scan(Consumer<String> values) {}

        @Override
        public ColumnDescription describe() {
            return new ColumnDescription("users.username", true, "made up", "made up");
        }

        @Override
        public List<Boolean> heldEqual(List<ValuePair> pairs) {
            return pairs.stream()
                    .map(pair -> weight.apply(pair.left()).equals(weight.apply(pair.right())))
                    .toList();
        }

        @Override
        public List<List<Integer>> heldEqualAmong(List<String> values) {
            Map<String, List<Integer>> sets = new HashMap<>();
            for (int i = 0; i < values.size(); i++) {
                sets.computeIfAbsent(weight.apply(values.get(i)), first -> new ArrayList<>(1))
                        .add(i);
            }
            return sets.values().stream().filter(set -> set.size() > 1).toList();
        }
    }

    private static String bare(String text) {
        return MARKS.matcher(Normalizer.normalize(text, Normalizer.Form.NFKD))
                .replaceAll("")
                .toLowerCase(Locale.ROOT);
    }

    /** An a is another letter with a ring, which may stand behind other marks. */
    private static String ringed(String text) {
        return text.toLowerCase(Locale.ROOT).replaceAll("a([\u0300-\u0309\u030b-\u036f]*)\u030a", "\u00e5$1");
    }

    static Stream<Named<UnaryOperator<String>>> weights() {
        return Stream.of(
                Named.of("itself", text -> text),
                Named.of("no case", text -> text.toUpperCase(Locale.ROOT).toLowerCase(Locale.ROOT)),
                Named.of("no accents", LetterDrawingTest::bare),
                Named.of("no accents, the sharp s two letters", text -> bare(text.replace("\u00df", "ss"))),
                Named.of(
                        "no accents, and two letters one",
                        text -> bare(text.replaceAll("[aA][aA]", "\u00e5")
                                .replace("\u00e5", "\u0001")
                                .replace("\u00c5", "\u0001"))),
                Named.of(
                        "no hyphens and no blanks at the end",
                        text -> text.replace("-", "").stripTrailing()),
                Named.of("composed", text -> Normalizer.normalize(text, Normalizer.Form.NFKC)),
                Named.of(
                        "small letters, composed",
                        text -> Normalizer.normalize(text.toLowerCase(Locale.ROOT), Normalizer.Form.NFKC)),
                Named.of(
                        "a vowel before its consonant", text -> text.replaceAll("\u0e40([\u0e01-\u0e2e])", "$1\u0e40")),
                Named.of("a ring above, below whatever stands between", LetterDrawingTest::ringed),
                Named.of(
                        "all beyond the first plane one",
                        text -> text.codePoints()
                                .map(c -> c > 0xffff ? 0xfffd : c)
                                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                                .toString()));
    }

    @Tag("ci")
    @ParameterizedTest
    @MethodSource("weights")
    void whateverIsHeldEqualHasOneFold(UnaryOperator<String> weight) {
        Sorting store = new Sorting(weight);
        Letters letters = new LetterDrawing(List.of(store), new SplittableRandom(SEED)).draw("made up");
        Likely likely = new Likely(new SplittableRandom(SEED + 1));
        int pairs = 0;
        for (int i = 0; i < 300; i++) {
            List<String> texts = List.copyOf(likely.family());
            for (List<Integer> equal : store.heldEqualAmong(texts)) {
                String first = letters.of(texts.get(equal.get(0)));
                for (int place : equal) {
                    assertThat(letters.of(texts.get(place)))
                            .as(
                                    "seed %d, set %s",
                                    SEED, equal.stream().map(texts::get).toList())
                            .isEqualTo(first);
                    pairs++;
                }
            }
        }
        System.out.printf("%,d texts of sets%n", pairs);
        PLAIN.chars()
                .mapToObj(Character::toString)
                .forEach(letter -> assertThat(letters.of(letter))
                        .isEqualTo(weight.apply("-").isEmpty() && letter.equals("-") ? "" : letter));
    }

    @Test
    void whatIsToldApartKeepsAFoldOfItsOwnWhereNothingSpeaksAgainstIt() {
        Letters letters = new LetterDrawing(List.of(new Sorting(LetterDrawingTest::bare)), new SplittableRandom(SEED))
                .draw("made up");
        assertThat(letters.of("Jos\u00e9")).isEqualTo("jose");
        assertThat(letters.of("\u041e\u043b\u044f")).isEqualTo(letters.of("\u043e\u043b\u044f"));
        assertThat(Stream.of(
                                "jose",
                                "\u043e\u043b\u044f",
                                "\u043e\u043b\u0430",
                                "\u5f20\u4f1f",
                                "\ud83d\ude00",
                                "stra\u00dfe")
                        .map(letters::of))
                .doesNotHaveDuplicates();
        assertThat(letters.keepsPlain()).isTrue();
        String plain = new String("jose7");
        assertThat(letters.of(plain)).isSameAs(plain);
    }

    @Test
    void severalDatabasesAreFoldedAsTheCoarsestOfThemWould() {
        Letters letters = new LetterDrawing(
                        List.of(new Sorting(LetterDrawingTest::bare), new Sorting(text -> text.replace('u', 'v'))),
                        new SplittableRandom(SEED))
                .draw("made up");
        assertThat(letters.of("\u00dcber")).isEqualTo(letters.of("vber"));
    }

    /** Each for the sake of a collation that compares it in no other text, and no text that a database cannot have. */
    @Test
    void asksForCharactersPairsBlanksAndMarksAndForTwoOfAnEmptyPlane() {
        Set<String> asked = new HashSet<>();
        LetterDrawing drawing = new LetterDrawing(
                List.of(new Sorting(text -> text) {
                    @Override
                    public List<List<Integer>> heldEqualAmong(List<String> values) {
                        asked.addAll(values);
                        throw new StoreException("that is all");
                    }
                }),
                new SplittableRandom(SEED));
        assertThatThrownBy(() -> drawing.draw("made up")).hasMessage("that is all");
        assertThat(asked)
                .contains(
                        "",
                        "\u0001",
                        "\uffff",
                        "\ud83d\ude00",
                        Character.toString(0x3ffff),
                        Character.toString(0xe0001))
                .contains("a-", "Z_", " .")
                .contains("xxx\u0301\uff58", "xxxx ", "xxxx\u3000")
                .contains("x\u0301\u24c5p", "xp\u24c5")
                .contains("\u0323\u0301", "\u0301\u0323", "\u0323\u0317\u0323\u0317");
        assertThat(asked).noneMatch(text -> text.codePoints().anyMatch(c -> c >= 0xd800 && c <= 0xdfff));
        assertThat(asked.stream()
                        .filter(text -> text.codePointCount(0, text.length()) == 1)
                        .map(text -> text.codePointAt(0))
                        .filter(c -> c >> 16 == 5))
                .containsExactlyInAnyOrder(0x50000, 0x5fffd);
    }

    @Test
    void anIndexThatLeavesOutDigitsHasNoTableAndTheReasonNamesOne() {
        LetterDrawing drawing = new LetterDrawing(
                List.of(new Sorting(text -> text.replaceAll("[0-9]+$", ""))), new SplittableRandom(SEED));
        assertThatThrownBy(() -> drawing.draw("made up"))
                .isInstanceOf(LetterDrawing.NotDrawn.class)
                .hasMessageMatching("in some texts it ignores '[0-9]'");
    }
}
