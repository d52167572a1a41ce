package io.github.untaken.jdbc.statement;

import io.github.untaken.IdentifierKind;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What one text of SQL may do to identifiers, judged by the last look at the catalog: nothing; or it writes known values; or what it writes
 * is unseen.
 *
 * @param kinds whose identifiers it may write
 * @param unseen those of the kinds for which it may write values that cannot be found
 * @param values where the other values are; none for null
 * @param mistrusted whether it may define data, so that what is known of the tables may no longer hold afterwards
 */
public record Judgement(Set<IdentifierKind> kinds, Set<IdentifierKind> unseen, List<Value> values, boolean mistrusted) {

    /**
     * Where one value is found.
     *
     * @param parameter the parameter it is bound to, from 1; 0 if it stands in the text
     * @param text the value in the text; null if it is bound
     * @param most how many characters a cast leaves of it; a longer one is unseen
     */
    @SuppressWarnings("exports") // callers need not see JSpecify's annotations
    public record Value(
            IdentifierKind kind, int parameter, @Nullable String text, int most) {
        @Override
        public String toString() {
            return kind + (text == null ? " ?" + parameter : " ***");
        }
    }

    static final Judgement NOTHING = unseen(Set.of(), false);

    /** A text in which no value can be found. */
    static Judgement unseen(Set<IdentifierKind> kinds, boolean mistrusted) {
        return new Judgement(kinds, kinds, List.of(), mistrusted);
    }

    /** It writes no identifier and defines nothing. */
    public boolean isNothing() {
        return kinds.isEmpty() && !mistrusted;
    }
}
