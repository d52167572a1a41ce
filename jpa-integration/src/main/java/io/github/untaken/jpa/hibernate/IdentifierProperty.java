package io.github.untaken.jpa.hibernate;

import io.github.untaken.IdentifierKind;
import io.github.untaken.jpa.mapping.IdentifierAttribute;
import java.util.ArrayList;
import java.util.List;
import org.hibernate.bytecode.enhance.spi.LazyPropertyInitializer;
import org.hibernate.generator.EventType;
import org.hibernate.generator.Generator;
import org.hibernate.metamodel.mapping.AttributeMapping;
import org.hibernate.metamodel.mapping.CompositeIdentifierMapping;
import org.hibernate.metamodel.mapping.EmbeddableMappingType;
import org.hibernate.metamodel.mapping.EmbeddableValuedModelPart;
import org.hibernate.metamodel.mapping.ModelPart;
import org.hibernate.persister.entity.EntityPersister;
import org.jspecify.annotations.Nullable;

/**
 * Reads one identifier from the state arrays that an event carries: the one property it needs and nothing else, since
 * other properties may be lazy. What is not loaded reads as null.
 */
final class IdentifierProperty {
    /** Instead of an index: the value is, or is part of, the primary key. */
    private static final int PRIMARY_KEY = -1;

    private final IdentifierKind kind;
    private final int index;
    private final List<AttributeMapping> nested;
    private final boolean writtenBack;
    private final @Nullable Generator maker;

    private IdentifierProperty(
            EntityPersister persister, IdentifierKind kind, int index, List<AttributeMapping> nested) {
        this.kind = kind;
        this.index = index;
        this.nested = nested;
        this.writtenBack = index != PRIMARY_KEY && writtenBack(persister, index, !nested.isEmpty());
        this.maker = index == PRIMARY_KEY
                ? null
                : persister.getAttributeMapping(index).getGenerator();
    }

    /**
     * Whether an update that changes something else sends this one too. A version does not keep a stale copy from being
     * written, for bulk statements and other programs rename a row without raising it. An embeddable is sent whole.
     */
    private static boolean writtenBack(EntityPersister persister, int index, boolean embedded) {
        return persister.getPropertyUpdateability()[index] && (embedded || !persister.isDynamicUpdate());
    }

    static IdentifierProperty of(EntityPersister persister, IdentifierAttribute attribute) {
        List<String> path = attribute.path();
        String first = path.get(0);
        List<String> rest = path.subList(1, path.size());
        AttributeMapping mapping = persister.findAttributeMapping(first);
        if (mapping != null) {
            return new IdentifierProperty(
                    persister, attribute.kind(), mapping.getStateArrayPosition(), nested(mapping, rest, attribute));
        }
        if (persister.getIdentifierMapping() instanceof CompositeIdentifierMapping composite) {
            EmbeddableMappingType id = composite.getMappedIdEmbeddableTypeDescriptor();
            boolean named = first.equals(persister.getIdentifierPropertyName());
            List<String> parts = named ? rest : path;
            return new IdentifierProperty(persister, attribute.kind(), PRIMARY_KEY, steps(id, parts, attribute));
        }
        return new IdentifierProperty(persister, attribute.kind(), PRIMARY_KEY, List.of());
    }

    /** The way from an entity or an element into the embeddables that hold an identifier. */
    static List<AttributeMapping> nested(ModelPart part, List<String> rest, IdentifierAttribute attribute) {
        if (rest.isEmpty()) {
            return List.of();
        }
        return steps(((EmbeddableValuedModelPart) part).getEmbeddableTypeDescriptor(), rest, attribute);
    }

    private static List<AttributeMapping> steps(
            EmbeddableMappingType type, List<String> names, IdentifierAttribute attribute) {
        if (type.isPolymorphic()) {
            throw new IllegalStateException(attribute + " is nested in an embeddable with subclasses, which is not"
                    + " supported: keep the identifier in the entity itself");
        }
        AttributeMapping step = type.findAttributeMapping(names.get(0));
        List<AttributeMapping> steps = new ArrayList<>(List.of(step));
        steps.addAll(nested(step, names.subList(1, names.size()), attribute));
        return List.copyOf(steps);
    }

    IdentifierKind kind() {
        return kind;
    }

    /** Whether it is read from the primary key, which is exactly what is written. */
    boolean isOfPrimaryKey() {
        return index == PRIMARY_KEY;
    }

    /** Whether an update of other attributes writes the identifier too, as it was when the entity was read. */
    boolean isWrittenBack() {
        return writtenBack;
    }

    /**
     * Whether on this occasion the value is made by the database, or by a generator after the PRE event, so that only
     * the POST event tells of it.
     */
    boolean isMadeLate(EventType occasion) {
        return maker != null && maker.getEventTypes().contains(occasion);
    }

    boolean isMadeByDatabase() {
        return maker != null && maker.generatedOnExecution();
    }

    /** The identifier, or null if there is none, or none is known. */
    @Nullable String read(Object @Nullable [] state, @Nullable Object id) {
        Object value;
        if (index == PRIMARY_KEY) {
            value = id;
        } else {
            value = state == null ? null : state[index];
        }
        return text(value, nested);
    }

    /** What the steps lead to, or null if something on the way is null or not loaded. */
    static @Nullable String text(@Nullable Object from, List<AttributeMapping> steps) {
        Object value = from;
        for (int i = 0; i < steps.size() && value != null && isLoaded(value); i++) {
            value = steps.get(i).getValue(value);
        }
        return value != null && isLoaded(value) ? (String) value : null;
    }

    private static boolean isLoaded(Object value) {
        return value != LazyPropertyInitializer.UNFETCHED_PROPERTY;
    }
}
