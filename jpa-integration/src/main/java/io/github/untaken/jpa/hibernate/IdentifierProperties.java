package io.github.untaken.jpa.hibernate;

import io.github.untaken.IdentifierKind;
import io.github.untaken.jdbc.IdentifierColumn;
import io.github.untaken.jpa.hibernate.statement.OwnStatements;
import io.github.untaken.jpa.mapping.IdentifierAttribute;
import io.github.untaken.jpa.mapping.IdentifierAttributes;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.generator.EventType;
import org.hibernate.persister.collection.CollectionPersister;
import org.hibernate.persister.entity.EntityPersister;
import org.jspecify.annotations.Nullable;

/** The identifiers of every entity of one session factory. Immutable. */
final class IdentifierProperties {
    private final Map<EntityPersister, List<IdentifierProperty>> byPersister = new HashMap<>();
    private final Map<EntityPersister, List<IdentifierElements>> byOwner = new HashMap<>();
    private final Map<CollectionPersister, List<IdentifierElements>> byCollection = new HashMap<>();
    private final Map<CollectionPersister, OwnStatements> statements = new HashMap<>();
    private final Map<IdentifierKind, Set<IdentifierColumn>> columns = new LinkedHashMap<>();
    private final Map<EntityPersister, Set<IdentifierColumn>> columnsOfPersister = new HashMap<>();
    private final Map<EventType, Map<EntityPersister, Set<IdentifierColumn>>> columnsMade =
            new EnumMap<>(EventType.class);
    private final Set<IdentifierKind> kindsMade = new HashSet<>();
    private final Set<IdentifierColumn> madeByDatabase = new HashSet<>();

    /** @throws IllegalStateException if an attribute cannot be kept track of; the message names it */
    IdentifierProperties(SessionFactoryImplementor factory) {
        for (IdentifierAttribute attribute : IdentifierAttributes.of(factory.getMetamodel())) {
            EntityPersister persister = factory.getMappingMetamodel().getEntityDescriptor(attribute.entity());
            if (persister.isAbstract()) {
                continue; // it has no rows and no events of its own, and perhaps no table
            }
            if (attribute.inCollection()) {
                note(persister, new IdentifierElements(persister, attribute));
                continue;
            }
            IdentifierColumn column = MappedColumn.of(persister, attribute);
            note(attribute.kind(), column);
            IdentifierProperty property = IdentifierProperty.of(persister, attribute);
            if (property.isOfPrimaryKey()
                    || MappedColumn.isWrittenThrough(persister.findByPath(attribute.dottedPath()))) {
                columnsOfPersister
                        .computeIfAbsent(persister, p -> new HashSet<>())
                        .add(column);
            }
            if (property.isMadeByDatabase()) {
                madeByDatabase.add(column);
            }
            for (EventType occasion : EventType.values()) {
                if (property.isMadeLate(occasion)) {
                    kindsMade.add(attribute.kind());
                    columnsMade
                            .computeIfAbsent(occasion, e -> new HashMap<>())
                            .computeIfAbsent(persister, p -> new HashSet<>())
                            .add(column);
                }
            }
            byPersister.computeIfAbsent(persister, p -> new ArrayList<>(1)).add(property);
        }
        byCollection.forEach((collection, identifiers) -> statements.put(
                collection,
                new OwnStatements(
                        collection,
                        identifiers.stream()
                                .filter(IdentifierElements::isWritten)
                                .map(IdentifierElements::column)
                                .collect(Collectors.toSet()))));
    }

    private void note(EntityPersister owner, IdentifierElements elements) {
        byOwner.computeIfAbsent(owner, p -> new ArrayList<>(1)).add(elements);
        List<IdentifierElements> known = byCollection.computeIfAbsent(elements.collection(), c -> new ArrayList<>(1));
        // A subclass lists the collection of its superclass again.
        if (known.stream().noneMatch(each -> each.column().equals(elements.column()))) {
            known.add(elements);
        }
        note(elements.kind(), elements.column());
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

    /** The kinds that are kept in a column. */
    Set<IdentifierKind> kindsOf(IdentifierColumn column) {
        Set<IdentifierKind> kinds = new HashSet<>();
        columns.forEach((kind, kept) -> {
            if (kept.contains(column)) {
                kinds.add(kind);
            }
        });
        return kinds;
    }

    /** Those of the columns of an entity whose values the database makes, or Hibernate after the PRE event. */
    Set<IdentifierColumn> columnsMadeLate(EntityPersister persister, EventType occasion) {
        return columnsMade.getOrDefault(occasion, Map.of()).getOrDefault(persister, Set.of());
    }

    /** The kinds that have such a column in any entity. */
    Set<IdentifierKind> kindsMadeLate() {
        return kindsMade;
    }

    /** The columns of which the database makes values that no text shows. */
    Set<IdentifierColumn> madeByDatabase() {
        return madeByDatabase;
    }

    /** The columns whose new values the events of an entity tell of. */
    Set<IdentifierColumn> columnsOf(EntityPersister persister) {
        return columnsOfPersister.getOrDefault(persister, Set.of());
    }

    List<IdentifierProperty> of(EntityPersister persister) {
        return byPersister.getOrDefault(persister, List.of());
    }

    /** Those in collections of an entity. */
    List<IdentifierElements> elementsOf(EntityPersister owner) {
        return byOwner.getOrDefault(owner, List.of());
    }

    List<IdentifierElements> of(@Nullable CollectionPersister collection) {
        return byCollection.getOrDefault(collection, List.of());
    }

    /** The SQL of a collection that holds identifiers. */
    Optional<OwnStatements> statementsOf(@Nullable CollectionPersister collection) {
        return Optional.ofNullable(statements.get(collection));
    }
}
