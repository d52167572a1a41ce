package io.github.untaken.jdbc.statement;

import io.github.untaken.jdbc.IdentifierColumn;
import io.github.untaken.spi.IdentifierKind;
import java.util.HashSet;
import java.util.Set;

/**
 * What one SQL text may do to identifiers, for anybody who knows nothing but the text.
 *
 * @param kinds whose identifiers it may write
 * @param columns the identifiers' columns it names, in tables it names
 * @param omitted those of the tables it inserts into that it does not name, so that the database fills them in
 * @param others names of tables that hold no identifiers as far as the mapping knows, and may be parts of one that does
 * @param mistrusted whether it may end the transaction, so that a later rollback proves nothing
 */
public record Judgement(
        Set<IdentifierKind> kinds,
        Set<IdentifierColumn> columns,
        Set<IdentifierColumn> omitted,
        Set<String> others,
        boolean mistrusted) {

    static final Judgement HARMLESS = new Judgement(Set.of(), Set.of(), Set.of(), Set.of(), false);

    /** It writes no identifier and ends no transaction, unless one of the others is part of a watched table. */
    public boolean isHarmless() {
        return kinds.isEmpty() && !mistrusted;
    }

    /** It writes nothing at all. */
    boolean isNothing() {
        return isHarmless() && others.isEmpty();
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
                union(others, other.others),
                mistrusted || other.mistrusted);
    }

    /** The same, writing more. */
    public Judgement writing(Set<IdentifierKind> more) {
        return new Judgement(union(kinds, more), columns, omitted, others, mistrusted);
    }

    private static <T> Set<T> union(Set<T> some, Set<T> others) {
        Set<T> all = new HashSet<>(some);
        all.addAll(others);
        return all;
    }
}
