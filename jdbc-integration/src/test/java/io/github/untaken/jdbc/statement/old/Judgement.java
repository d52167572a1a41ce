package io.github.untaken.jdbc.statement.old;

import io.github.untaken.IdentifierKind;
import io.github.untaken.jdbc.IdentifierColumn;
import java.util.HashSet;
import java.util.Set;

/**
 * What one text of SQL may do to identifiers, as far as the text alone can tell.
 *
 * @param kinds whose identifiers it may write
 * @param columns the identifiers' columns that it names, in tables that it names
 * @param omitted those columns of tables it inserts into that it does not name, so that the database fills them in
 * @param untouched those columns of tables it updates that it does not set; they change all the same if the database
 *     computes them
 * @param others names of tables that hold no identifiers as far as the mapping knows, but may be parts of one that does
 * @param mistrusted whether it may define data, so that what is known of the tables may not be so afterwards
 */
public record Judgement(
        Set<IdentifierKind> kinds,
        Set<IdentifierColumn> columns,
        Set<IdentifierColumn> omitted,
        Set<IdentifierColumn> untouched,
        Set<String> others,
        boolean mistrusted) {

    static final Judgement HARMLESS = of(Set.of(), false);

    /** One of which no column is known by name. */
    static Judgement of(Set<IdentifierKind> kinds, boolean mistrusted) {
        return new Judgement(kinds, Set.of(), Set.of(), Set.of(), Set.of(), mistrusted);
    }

    /**
     * It writes no identifier and defines nothing, unless one of the others is part of a watched table, or one of
     * the untouched is computed.
     */
    public boolean isHarmless() {
        return kinds.isEmpty() && !mistrusted;
    }

    /** It writes nothing at all, and nothing that the database knows of the tables can change that. */
    public boolean isNothing() {
        return isHarmless() && others.isEmpty() && untouched.isEmpty();
    }

    /** All that either of the two may do. */
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

    /** The same, writing more kinds. */
    public Judgement writing(Set<IdentifierKind> more) {
        return new Judgement(union(kinds, more), columns, omitted, untouched, others, mistrusted);
    }

    /** The same, but for kinds of which somebody else tells. */
    public Judgement without(Set<IdentifierKind> told) {
        Set<IdentifierKind> untold = new HashSet<>(kinds);
        untold.removeAll(told);
        return new Judgement(untold, columns, omitted, untouched, others, mistrusted);
    }

    /** The same, if the database fills in these columns on that occasion. */
    public Judgement computing(Set<IdentifierKind> theirs, Set<IdentifierColumn> computed) {
        return new Judgement(union(kinds, theirs), columns, union(omitted, computed), untouched, others, mistrusted);
    }

    private static <T> Set<T> union(Set<T> some, Set<T> others) {
        Set<T> all = new HashSet<>(some);
        all.addAll(others);
        return all;
    }
}
