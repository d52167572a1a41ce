package io.github.untaken.jdbc.statement;

import io.github.untaken.IdentifierKind;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What one text of SQL may do to identifiers, by what was seen last of the catalog: nothing; or it writes values that are known; or what
 * it writes is unseen.
 *
 * @param kinds whose identifiers it may write
 * @param unseen those of the kinds of which it may write values that are found nowhere
 * @param values where the others are; none for what is null
 * @param mistrusted whether it may define data, so that what is known of the tables may not be so afterwards
 */
public record Judgement(Set<IdentifierKind> kinds, Set<IdentifierKind> unseen, List<Value> values, boolean mistrusted) {

    /**
     * Where one value is found.
     *
     * @param parameter the parameter that it is bound as, from 1; 0 if it stands in the text
     * @param text the value that stands in the text; null if it is bound
     * @param most how many characters a cast leaves of it; a longer one is unseen
     */
    @SuppressWarnings("exports") // JSpecify's annotations concern no caller
    public record Value(
            IdentifierKind kind, int parameter, @Nullable String text, int most) {
        @Override
        public String toString() {
            return kind + (text == null ? " ?" + parameter : " ***");
        }
    }

    static final Judgement NOTHING = unseen(Set.of(), false);

    /** One of which no value is found. */
    static Judgement unseen(Set<IdentifierKind> kinds, boolean mistrusted) {
        return new Judgement(kinds, kinds, List.of(), mistrusted);
    }

    /** It writes no identifier and defines nothing. */
    public boolean isNothing() {
        return kinds.isEmpty() && !mistrusted;
    }
}
