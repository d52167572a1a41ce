package io.github.untaken.store;

import io.github.untaken.spi.IdentifierNormalizer;
import io.github.untaken.spi.RegisteredIdentifierStore.Grouping;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Has a database whose collation merges more than case sort every character there is, so that nothing rests on a list of differences:
 * whatever it holds equal to a letter that new names may have, or to nothing at all, must have the same key. A collation may take two
 * letters for one, as Danish takes {@code aa}, and one for two; so every two letters are sorted along where they are few.
 *
 * <p>That every letter agrees, and every two of them, is taken to mean that every name does.
 */
final class LetterProof {
    /** More would make more than 160,000 pairs. */
    static final int MOST_LETTERS_IN_PAIRS = 400;

    private final IdentifierNormalizer normalizer;
    private final Predicate<String> mayBeTyped;

    /** @param mayBeTyped whether a text may stand in a new name */
    LetterProof(IdentifierNormalizer normalizer, Predicate<String> mayBeTyped) {
        this.normalizer = normalizer;
        this.mayBeTyped = mayBeTyped;
    }

    /** Two texts that the database holds equal although their keys differ, one of which may stand in a new name. */
    record Merged(String typed, String other) {}

    Optional<Merged> firstMerged(Grouping store) {
        List<String> texts = new ArrayList<>(List.of(""));
        List<String> letters = new ArrayList<>();
        for (int c = 1; c <= Character.MAX_CODE_POINT; c++) {
            if (isAssigned(c)) {
                String text = Character.toString(c);
                texts.add(text);
                if (letters.size() <= MOST_LETTERS_IN_PAIRS
                        && normalizer.key(text).equals(text)
                        && mayBeTyped.test(text)) {
                    letters.add(text);
                }
            }
        }
        if (letters.size() <= MOST_LETTERS_IN_PAIRS) {
            for (String first : letters) {
                letters.forEach(second -> texts.add(first + second));
            }
        }
        return store.heldEqualAmong(texts).stream()
                .map(group -> merged(group.stream().map(texts::get).toList()))
                .flatMap(Optional::stream)
                .findFirst();
    }

    private static boolean isAssigned(int c) {
        int type = Character.getType(c);
        return type != Character.UNASSIGNED && type != Character.SURROGATE && type != Character.PRIVATE_USE;
    }

    private Optional<Merged> merged(List<String> group) {
        String key = normalizer.key(group.get(0));
        Optional<String> other =
                group.stream().filter(text -> !normalizer.key(text).equals(key)).findFirst();
        if (other.isEmpty()) {
            return Optional.empty();
        }
        return group.stream().filter(mayBeTyped).findFirst().map(typed -> {
            boolean likeTheFirst = normalizer.key(typed).equals(key);
            return new Merged(typed, likeTheFirst ? other.get() : group.get(0));
        });
    }
}
