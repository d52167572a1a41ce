package io.github.untaken.jpa.hibernate.statement;

import io.github.untaken.jpa.hibernate.table.IdentifierColumn;
import io.github.untaken.spi.IdentifierKind;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What one SQL text may do to identifiers, for anybody who knows nothing but the text.
 *
 * @param kinds whose identifiers it may write
 * @param columns the identifiers' columns it names, in tables it names
 * @param plain what it does if it is as simple as what Hibernate writes for one entity; null if it is not, or not surely
 * @param mistrusted whether it may end the transaction, so that a later rollback proves nothing
 */
public record Judgement(
        Set<IdentifierKind> kinds,
        Set<IdentifierColumn> columns,
        @Nullable Plain plain,
        boolean mistrusted) {

    /** One statement that touches one row by parameters: the table's bare name. */
    public record Plain(Verb verb, String table) {}

    public enum Verb {
        INSERT,
        UPDATE,
        DELETE,
        MERGE
    }

    static final Judgement HARMLESS = new Judgement(Set.of(), Set.of(), null, false);

    public boolean isHarmless() {
        return kinds.isEmpty() && !mistrusted;
    }

    /** All that either may do. */
    public Judgement or(Judgement other) {
        if (isHarmless()) {
            return other;
        }
        if (other.isHarmless()) {
            return this;
        }
        Set<IdentifierKind> allKinds = new HashSet<>(kinds);
        allKinds.addAll(other.kinds);
        Set<IdentifierColumn> allColumns = new HashSet<>(columns);
        allColumns.addAll(other.columns);
        return new Judgement(allKinds, allColumns, null, mistrusted || other.mistrusted);
    }
}
