package io.github.untaken.jdbc;

import io.github.untaken.spi.RegisteredIdentifierStore.ValuePair;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Hands on the values of one scan, and what the database holds equal to those of other characters than new names have. Where it tells
 * capitals from small letters, a new name may be equal in the one and its key in the other; so each is also asked for in small letters,
 * and if it is equal there, the name is handed on in capitals, which such a database does not find by its key.
 */
final class FoldedValues implements Consumer<String> {
    /** How many are looked up together. */
    private static final int MOST = 300;

    private final MySqlFolding folding;
    private final ColumnComparison comparison;
    private final IdentifierColumn column;
    private final FreshReads reads;
    private final Consumer<String> delivered;
    private final List<String> foreign = new ArrayList<>();

    FoldedValues(
            MySqlFolding folding,
            ColumnComparison comparison,
            IdentifierColumn column,
            FreshReads reads,
            Consumer<String> delivered) {
        this.folding = folding;
        this.comparison = comparison;
        this.column = column;
        this.reads = reads;
        this.delivered = delivered;
    }

    @Override
    public void accept(String value) {
        delivered.accept(value);
        if (folding.isForeign(value)) {
            foreign.add(value);
            if (foreign.size() == MOST) {
                lookUp();
            }
        }
    }

    /** Looks up those that are left. */
    void lookUp() {
        if (foreign.isEmpty()) {
            return;
        }
        List<String> values = List.copyOf(foreign);
        foreign.clear();
        List<Set<String>> asTheyAre = equalTo(values);
        List<Set<String>> inSmallLetters =
                equalTo(values.stream().map(FoldedValues::small).toList());
        for (int i = 0; i < values.size(); i++) {
            Set<String> equal = asTheyAre.get(i);
            equal.forEach(delivered);
            inSmallLetters.get(i).stream()
                    .filter(small -> !equal.contains(small))
                    .forEach(small -> delivered.accept(small.toUpperCase(Locale.ROOT)));
        }
    }

    /** For each value the texts of the alphabet that the database holds equal to it. */
    List<Set<String>> equalTo(List<String> values) {
        List<Set<String>> candidates =
                reads.run(column.toString(), connection -> folding.candidates(values, connection));
        List<ValuePair> pairs = new ArrayList<>();
        for (int i = 0; i < values.size(); i++) {
            String value = values.get(i);
            candidates.get(i).forEach(text -> pairs.add(new ValuePair(value, text)));
        }
        Iterator<Boolean> equal = comparison.heldEqual(pairs, column, reads).iterator();
        candidates.forEach(texts -> texts.removeIf(text -> !equal.next()));
        return candidates;
    }

    /** Also a letter beyond ASCII whose small one is within: the capital I with a dot, and the Kelvin sign, as the database may do. */
    private static String small(String value) {
        StringBuilder small = new StringBuilder(value);
        for (int i = 0; i < small.length(); i++) {
            small.setCharAt(i, Character.toLowerCase(small.charAt(i)));
        }
        return small.toString();
    }
}
