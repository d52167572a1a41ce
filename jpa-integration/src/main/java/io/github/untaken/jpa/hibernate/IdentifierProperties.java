package io.github.untaken.jpa.hibernate;

import io.github.untaken.jpa.mapping.IdentifierAttribute;
import io.github.untaken.jpa.mapping.IdentifierAttributes;
import io.github.untaken.spi.IdentifierKind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.persister.entity.EntityPersister;

/** The identifiers of every entity of one session factory. Immutable. */
final class IdentifierProperties {
    private final Map<EntityPersister, List<IdentifierProperty>> byPersister = new HashMap<>();
    private final Map<IdentifierKind, Set<IdentifierColumn>> columns = new LinkedHashMap<>();
    private final Map<EntityPersister, Set<IdentifierColumn>> columnsOfPersister = new HashMap<>();

    /** @throws IllegalStateException if an attribute cannot be kept track of; the message names it */
    IdentifierProperties(SessionFactoryImplementor factory) {
        for (IdentifierAttribute attribute : IdentifierAttributes.of(factory.getMetamodel())) {
            EntityPersister persister = factory.getMappingMetamodel().getEntityDescriptor(attribute.entity());
            if (persister.isAbstract()) {
                continue; // it has no rows and no events of its own, and perhaps no table
            }
            IdentifierColumn column = IdentifierColumn.of(persister, attribute);
            columns.computeIfAbsent(attribute.kind(), kind -> new LinkedHashSet<>())
                    .add(column);
            columnsOfPersister.computeIfAbsent(persister, p -> new HashSet<>()).add(column);
            byPersister
                    .computeIfAbsent(persister, p -> new ArrayList<>(1))
                    .add(IdentifierProperty.of(persister, attribute, RowCountProof.of(persister, column)));
        }
    }

    /** The physical columns of each kind, each once, however many entities share it. */
    Map<IdentifierKind, Set<IdentifierColumn>> columns() {
        return columns;
    }

    /** The columns whose values are read from the events of an entity. */
    Set<IdentifierColumn> columnsOf(EntityPersister persister) {
        return columnsOfPersister.getOrDefault(persister, Set.of());
    }

    List<IdentifierProperty> of(EntityPersister persister) {
        return byPersister.getOrDefault(persister, List.of());
    }
}
