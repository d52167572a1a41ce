package io.github.untaken.jpa.hibernate;

import io.github.untaken.IdentifierKind;
import io.github.untaken.jdbc.column.IdentifierColumn;
import io.github.untaken.jpa.mapping.IdentifierAttribute;
import io.github.untaken.jpa.mapping.IdentifierAttributes;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.generator.Generator;
import org.hibernate.metamodel.mapping.AttributeMapping;
import org.hibernate.metamodel.mapping.PluralAttributeMapping;
import org.hibernate.persister.entity.EntityPersister;

/** Where the entities of one session factory keep their identifiers. Immutable. */
final class MappedIdentifiers {
    private final Map<IdentifierKind, Set<IdentifierColumn>> columns = new LinkedHashMap<>();
    private final Set<IdentifierColumn> made = new HashSet<>();

    /** @throws IllegalStateException if the column of a marked attribute does not hold its text; the message names it */
    MappedIdentifiers(SessionFactoryImplementor factory) {
        for (IdentifierAttribute attribute : IdentifierAttributes.of(factory.getMetamodel())) {
            EntityPersister persister = factory.getMappingMetamodel().getEntityDescriptor(attribute.entity());
            if (persister.isAbstract()) {
                continue; // it has no rows of its own, and perhaps no table
            }
            if (attribute.path().inCollection()) {
                PluralAttributeMapping collection = (PluralAttributeMapping)
                        persister.findByPath(String.join(".", attribute.path().ofCollection()));
                note(attribute.mark().kind(), MappedColumn.ofElements(collection, attribute));
                continue;
            }
            IdentifierColumn column = MappedColumn.of(persister, attribute);
            note(attribute.mark().kind(), column);
            if (isMadeByDatabase(persister, attribute)) {
                made.add(column);
            }
        }
    }

    private static boolean isMadeByDatabase(EntityPersister persister, IdentifierAttribute attribute) {
        AttributeMapping mapping =
                persister.findAttributeMapping(attribute.path().names().get(0));
        Generator generator = mapping == null ? null : mapping.getGenerator(); // a primary key has none
        return generator != null && generator.generatedOnExecution();
    }

    private void note(IdentifierKind kind, IdentifierColumn column) {
        Set<IdentifierColumn> known = columns.computeIfAbsent(kind, k -> new LinkedHashSet<>());
        IdentifierColumn before =
                known.stream().filter(column::equals).findFirst().orElse(column);
        known.remove(before);
        known.add(before.and(column));
    }

    /** The physical columns of each kind, each once, however many entities share it. */
    Map<IdentifierKind, Set<IdentifierColumn>> columns() {
        return columns;
    }

    /** The kinds kept in a column. */
    Set<IdentifierKind> kindsOf(IdentifierColumn column) {
        Set<IdentifierKind> kinds = new HashSet<>();
        columns.forEach((kind, kept) -> {
            if (kept.contains(column)) {
                kinds.add(kind);
            }
        });
        return kinds;
    }

    /** The columns whose values the database makes, as by a trigger, which no text shows. */
    Set<IdentifierColumn> madeByDatabase() {
        return made;
    }
}
