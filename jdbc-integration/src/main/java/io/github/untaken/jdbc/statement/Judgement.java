package io.github.untaken.jdbc.statement;

import io.github.untaken.IdentifierKind;
import io.github.untaken.jdbc.IdentifierColumn;
import java.util.HashSet;
import java.util.Set;

/**
 * What one SQL text may do to identifiers, for anybody who knows nothing but the text.
 *
 * @param kinds whose identifiers it may write
 * @param columns the identifiers' columns it names, in tables it names
 * @param omitted those of the tables it inserts into that it does not name, so that the database fills them in
 * @param untouched those of the tables it updates that it does not set, and that change all the same if the database computes them
 * @param others names of tables that hold no identifiers as far as the mapping knows, and may be parts of one that does
 * @param mistrusted whether it may end the transaction, so that a later rollback proves nothing
 */
public record Judgement(
        Set<IdentifierKind> kinds,
        Set<IdentifierColumn> columns,
        Set<IdentifierColumn> omitted,
        Set<IdentifierColumn> untouched,
        Set<String> others,
        boolean mistrusted) {

    static final Judgement HARMLESS = of(Set.of(), false);

    /** Nothing of which is known by name. */
    static Judgement of(Set<IdentifierKind> kinds, boolean mistrusted) {
        return new Judgement(kinds, Set.of(), Set.of(), Set.of(), Set.of(), mistrusted);
    }

    /**
     * It writes no identifier and ends no transaction, unless one of the others is part of a watched table, or one of the untouched
     * computed.
     */
    public boolean isHarmless() {
        return kinds.isEmpty() && !mistrusted;
    }

    /** It writes nothing at all, whatever the database does of its own accord. */
    public boolean isNothing() {
        return isHarmless() && others.isEmpty() && untouched.isEmpty();
    }

    /** All that either may do. */
    public Judgement or(Judgement other) {
        if (isNothing()) {
            return other;
        }
        if (other.isNothing()) {
            return this;
        }
        return new Judgement(
                union(kinds, other.kinds),
                union(columns, other.columns),
                union(omitted, other.omitted),
                union(untouched, other.untouched),
                union(others, other.others),
                mistrusted || other.mistrusted);
    }

    /** The same, writing more. */
    public Judgement writing(Set<IdentifierKind> more) {
        return new Judgement(union(kinds, more), columns, omitted, untouched, others, mistrusted);
    }

    /** The same, where the database fills in these columns on that occasion. */
    public Judgement computing(Set<IdentifierKind> theirs, Set<IdentifierColumn> computed) {
        return new Judgement(union(kinds, theirs), columns, union(omitted, computed), untouched, others, mistrusted);
    }

    private static <T> Set<T> union(Set<T> some, Set<T> others) {
        Set<T> all = new HashSet<>(some);
        all.addAll(others);
        return all;
    }
}
