package io.github.untaken.store;

import io.github.untaken.spi.IdentifierNormalizer;
import io.github.untaken.spi.RegisteredIdentifierStore.Folding;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The few characters that keys of new names consist of, where the database may hold other texts equal to such a key. A value of these
 * characters is equal to its key and to no other. Of any other value a scan finds out what it is equal to; before that, nobody knows.
 */
public final class Alphabet {
    /** Where letters stand that differ from ASCII in an accent or in width: the first and the last of each range. */
    private static final int[][] VARIANTS = {{0xA0, 0x24F}, {0x1E00, 0x1EFF}, {0xFF01, 0xFF5E}};

    private final String characters;
    private volatile Set<Integer> variants = Set.of();

    private Alphabet(String characters) {
        this.characters = characters;
    }

    /** Empty if the normalizer has none, or no store may need it. */
    public static Optional<Alphabet> of(IdentifierNormalizer normalizer, Stores stores) {
        return stores.comparing().stream().anyMatch(Folding.class::isInstance)
                ? normalizer.alphabet().map(Alphabet::new)
                : Optional.empty();
    }

    String characters() {
        return characters;
    }

    /** Whether the database holds a value equal to its own key and to no other key of a new name. Many ignore blanks at the end. */
    public boolean holds(String value) {
        if (value.endsWith(" ")) {
            return false;
        }
        for (int i = 0; i < value.length(); ) {
            int c = value.codePointAt(i);
            int small = c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c;
            if (characters.indexOf(small) < 0 && !variants.contains(c)) {
                return false;
            }
            i += Character.charCount(c);
        }
        return true;
    }

    /**
     * Which variants of letters a database holds equal to their keys and to nothing else, in whatever way it compares, as code points. It
     * is asked for each behind its key, where one that it ignores shows too.
     */
    Set<Integer> variantsIn(Folding store, IdentifierNormalizer normalizer) {
        List<Integer> asked = new ArrayList<>();
        List<String> values = new ArrayList<>();
        List<Set<String>> expected = new ArrayList<>();
        for (int[] range : VARIANTS) {
            for (int c = range[0]; c <= range[1]; c++) {
                String variant = Character.toString(c);
                String key = normalizer.key(variant);
                if (!key.isEmpty() && key.chars().allMatch(k -> characters.indexOf(k) >= 0)) {
                    asked.add(c);
                    values.add(key + variant);
                    expected.add(Set.of(key + key));
                }
            }
        }
        List<Set<String>> equal = store.foldedEach(values);
        Set<Integer> held = new HashSet<>();
        for (int i = 0; i < asked.size(); i++) {
            if (equal.get(i).equals(expected.get(i))) {
                held.add(asked.get(i));
            }
        }
        return held;
    }

    /** From now on these belong to the alphabet, and no others: of several databases those that each holds equal to their keys. */
    void takeVariants(Set<Integer> held) {
        variants = Set.copyOf(held);
    }
}
