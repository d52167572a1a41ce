package io.github.untaken.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.spi.IdentifierNormalizer;
import io.github.untaken.spi.RegisteredIdentifierStore.Grouping;
import io.github.untaken.store.LetterProof.Merged;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What a database merges is found wherever it could make a new name look free, and nowhere else. */
class LetterProofTest {
    private static final IdentifierNormalizer SMALL = new IdentifierNormalizer() {
        @Override
        public String key(String value) {
            return value.toLowerCase(Locale.ROOT);
        }

        @Override
        public Optional<String> rejection(String text, String key) {
            return Optional.empty();
        }
    };
    private static final Predicate<String> ASCII_LETTERS =
            Pattern.compile("[A-Za-z]*").asMatchPredicate();
    private static final String A_RING = "\u00e5";

    /** Holds equal what has one weight. */
    private record Weighing(UnaryOperator<String> weight, List<String> asked) implements Grouping {
        Weighing(UnaryOperator<String> weight) {
            this(weight, new ArrayList<>());
        }

        @Override
        public List<List<Integer>> heldEqualAmong(List<String> texts) {
            asked.addAll(texts);
            Map<String, List<Integer>> places = new LinkedHashMap<>();
            for (int i = 0; i < texts.size(); i++) {
                places.computeIfAbsent(weight.apply(texts.get(i)), text -> new ArrayList<>())
                        .add(i);
            }
            return places.values().stream().filter(group -> group.size() > 1).toList();
        }

        @Override
        public List<Boolean> heldEqual(List<ValuePair> pairs) {
            throw new UnsupportedOperationException();
        }

        @Override
        public ColumnDescription describe() {
            throw new UnsupportedOperationException();
        }

        @Override
        public Presence exists(String key, Duration timeout) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void scan(Consumer<String> values) {
            throw new UnsupportedOperationException();
        }
    }

    private static Optional<Merged> firstMerged(UnaryOperator<String> weight) {
        return new LetterProof(SMALL, ASCII_LETTERS).firstMerged(new Weighing(weight));
    }

    @Test
    void whatTheKeysMergeTooIsFine() {
        assertThat(firstMerged(SMALL::key)).isEmpty();
    }

    @Test
    void aLetterThatCountsAsAnotherIsFound() {
        assertThat(firstMerged(text -> SMALL.key(text).replace(A_RING, "a"))).contains(new Merged("A", "\u00c5"));
        assertThat(firstMerged(text -> SMALL.key(text).replace('v', 'w'))).contains(new Merged("V", "W"));
    }

    /** Whichever of them the database names first. */
    @Test
    void theOneThatMayBeTypedIsToldFirst() {
        assertThat(firstMerged(text -> text.replace("z", "!"))).contains(new Merged("z", "!"));
    }

    @Test
    void aLetterThatCountsForNothingIsFound() {
        assertThat(firstMerged(text -> text.replace("\u00ad", ""))).contains(new Merged("", "\u00ad"));
    }

    @Test
    void twoLettersThatCountAsOneAreFound() {
        assertThat(firstMerged(text -> text.equals("aa") ? A_RING : text)).contains(new Merged("aa", A_RING));
    }

    @Test
    void whatNobodyMayTypeMayBeMerged() {
        assertThat(firstMerged(text -> text.replace(A_RING, "\u00e4"))).isEmpty();
    }

    @Test
    void everyAssignedCharacterIsAskedForOnceAndEveryTwoSmallLetters() {
        Weighing store = new Weighing(SMALL::key);
        new LetterProof(SMALL, ASCII_LETTERS).firstMerged(store);
        Set<String> asked = new HashSet<>(store.asked);
        assertThat(asked.size()).as("different ones").isEqualTo(store.asked.size());
        assertThat(asked.containsAll(List.of("", "\u0001", "a", "A", "\ud83d\ude00", "az", "zz")))
                .isTrue();
        assertThat(List.of("\ud800", "\ue000", "\u0378", "aA")).noneMatch(asked::contains);
        assertThat(asked.stream()
                        .filter(text -> text.length() == 2 && ASCII_LETTERS.test(text))
                        .count())
                .isEqualTo(26 * 26);
    }

    @Test
    void ofVeryManyLettersNoPairsAreAskedFor() {
        for (int most : new int[] {LetterProof.MOST_LETTERS_IN_PAIRS, LetterProof.MOST_LETTERS_IN_PAIRS + 1}) {
            Weighing store = new Weighing(text -> text);
            int last = 0x4e00 + most;
            new LetterProof(
                            SMALL,
                            text -> !text.isEmpty() && text.codePointAt(0) >= 0x4e00 && text.codePointAt(0) < last)
                    .firstMerged(store);
            assertThat(store.asked.contains("\u4e00\u4e01")).isEqualTo(most == LetterProof.MOST_LETTERS_IN_PAIRS);
        }
    }
}
