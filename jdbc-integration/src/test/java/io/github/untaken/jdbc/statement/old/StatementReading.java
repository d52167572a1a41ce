package io.github.untaken.jdbc.statement.old;

import io.github.untaken.IdentifierKind;
import io.github.untaken.jdbc.IdentifierColumn;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What one text of SQL writes of identifiers, with the places where their values are found.
 *
 * @param judgement what the text may do
 * @param values where the values are that it writes; none for what is null
 * @param unseen the kinds of which it may write values that are found nowhere
 * @param omitted the identifiers' columns that it leaves to the database to fill in
 */
public record StatementReading(
        Judgement judgement, List<Value> values, Set<IdentifierKind> unseen, Set<IdentifierColumn> omitted) {

    /**
     * Where one value is found.
     *
     * @param parameter the parameter that it is bound as, from 1; 0 if it stands in the text
     * @param text the value that stands in the text; null if it is bound
     */
    @SuppressWarnings("exports") // JSpecify's annotations concern no caller
    public record Value(
            IdentifierKind kind, int parameter, @Nullable String text) {
        @Override
        public String toString() {
            return kind + (text == null ? " ?" + parameter : " ***");
        }
    }

    static final StatementReading NOTHING = new StatementReading(Judgement.HARMLESS, List.of(), Set.of(), Set.of());

    /** Nothing that the database knows of the tables makes it write more. */
    public boolean isCertain() {
        return omitted.isEmpty()
                && judgement.untouched().isEmpty()
                && judgement.others().isEmpty();
    }

    /** It writes nothing at all, whatever the database knows of the tables. */
    public boolean isNothing() {
        return judgement.isNothing() && unseen.isEmpty();
    }
}
