package io.github.untaken.jpa.mapping;

import io.github.untaken.IdentifierKind;
import io.github.untaken.RegisteredIdentifier;
import jakarta.persistence.metamodel.Attribute;
import jakarta.persistence.metamodel.EntityType;
import jakarta.persistence.metamodel.IdentifiableType;
import jakarta.persistence.metamodel.ManagedType;
import jakarta.persistence.metamodel.MapAttribute;
import jakarta.persistence.metamodel.Metamodel;
import jakarta.persistence.metamodel.PluralAttribute;
import jakarta.persistence.metamodel.SingularAttribute;
import jakarta.persistence.metamodel.Type;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds every attribute marked with {@link RegisteredIdentifier}: of entities, of their mapped superclasses, of what they embed, at any
 * depth, and of the elements of their element collections.
 *
 * <p>A marked attribute that cannot be kept track of is refused by name rather than overlooked: one that is not persistent, not a
 * {@code String}, or the key of a map.
 */
public final class IdentifierAttributes {
    private final Map<Class<?>, AnnotatedMembers> members = new LinkedHashMap<>();
    private final List<IdentifierAttribute> found = new ArrayList<>();

    private IdentifierAttributes() {}

    /**
     * All of them, in no particular order; empty if nothing is marked.
     *
     * @throws IllegalStateException if a marked attribute cannot be kept track of; the message names it
     */
    public static List<IdentifierAttribute> of(Metamodel metamodel) {
        IdentifierAttributes attributes = new IdentifierAttributes();
        for (EntityType<?> entity : metamodel.getEntities()) {
            // A dynamic entity has no class that could be annotated.
            if (entity.getJavaType() != null && entity.getJavaType() != Map.class) {
                attributes.collect(entity, entity, AttributePath.NOWHERE, new HashSet<>());
            }
        }
        metamodel.getEmbeddables().forEach(embeddable -> attributes.refuseSubclass(embeddable.getJavaType()));
        return List.copyOf(attributes.found);
    }

    /**
     * Whether a class or one of its superclasses marks an attribute.
     *
     * @throws IllegalStateException if one is marked as two kinds
     */
    public static boolean areMarkedIn(Class<?> type) {
        return !new AnnotatedMembers(type).marks().isEmpty();
    }

    /** If an embeddable has subclasses, the metamodel does not list their attributes. */
    private void refuseSubclass(@Nullable Class<?> embeddable) {
        if (embeddable == null || members.containsKey(embeddable)) {
            return;
        }
        for (Class<?> embedded : Set.copyOf(members.keySet())) {
            if (embedded.isAssignableFrom(embeddable)
                    && !annotated(embedded)
                            .marks()
                            .keySet()
                            .containsAll(
                                    new AnnotatedMembers(embeddable).marks().keySet())) {
                throw new IllegalStateException(embeddable.getName()
                        + " holds a registered identifier and is a subclass of "
                        + embedded.getName() + ", which is embedded. That is not supported: keep the identifier in the"
                        + " entity itself");
            }
        }
    }

    private void collect(EntityType<?> entity, ManagedType<?> type, AttributePath parents, Set<Class<?>> nesting) {
        if (!nesting.add(type.getJavaType())) {
            return;
        }
        Map<String, RegisteredIdentifier> marks = annotated(type.getJavaType()).marks();
        Map<String, Attribute<?, ?>> attributes = attributes(type);
        for (String marked : marks.keySet()) {
            if (!attributes.containsKey(marked)) {
                throw new IllegalStateException(type.getJavaType().getName() + "." + marked
                        + " is marked as a registered identifier but is not a persistent attribute: map it, or take the"
                        + " annotation away");
            }
        }
        for (Attribute<?, ?> attribute : attributes.values()) {
            String name = attribute.getName();
            boolean inserted = !annotated(type.getJavaType()).isNotInserted(name);
            collect(entity, attribute, parents.to(name), marks.get(name), inserted, nesting);
        }
        nesting.remove(type.getJavaType());
    }

    private void collect(
            EntityType<?> entity,
            Attribute<?, ?> attribute,
            AttributePath path,
            @Nullable RegisteredIdentifier mark,
            boolean inserted,
            Set<Class<?>> nesting) {
        String where = entity.getName() + "." + path.dotted();
        boolean elements = attribute instanceof PluralAttribute<?, ?, ?> plural
                && plural.getElementType().getJavaType() == String.class;
        if (attribute instanceof MapAttribute<?, ?, ?> map
                && !annotated(map.getKeyJavaType()).marks().isEmpty()) {
            throw new IllegalStateException(where + " has keys of "
                    + map.getKeyJavaType().getName()
                    + ", which holds a registered identifier: identifiers in keys of maps are not supported, make it an"
                    + " entity of its own");
        }
        if (mark != null) {
            if (!elements && (!(attribute instanceof SingularAttribute) || attribute.getJavaType() != String.class)) {
                throw new IllegalStateException(where
                        + " is marked as a registered identifier but is neither a String nor a collection of them"
                        + " (it is "
                        + attribute.getJavaType().getName() + "): keep the identifier in a String attribute");
            }
            found.add(new IdentifierAttribute(
                    entity.getJavaType(),
                    entity.getName(),
                    elements ? path.toElements() : path,
                    new IdentifierAttribute.Mark(
                            kindOf(mark.value(), where),
                            mark.comparedAs().isBlank() ? null : mark.comparedAs(),
                            mark.where().isBlank() ? null : mark.where()),
                    inherited(entity, path.names().get(0)),
                    inserted));
        } else if (attribute instanceof SingularAttribute<?, ?> single
                && single.getType() instanceof ManagedType<?> embeddable
                && single.getType().getPersistenceType() == Type.PersistenceType.EMBEDDABLE) {
            collect(entity, embeddable, path, nesting);
        } else if (attribute instanceof PluralAttribute<?, ?, ?> plural
                && plural.getElementType() instanceof ManagedType<?> embeddable
                && plural.getElementType().getPersistenceType() == Type.PersistenceType.EMBEDDABLE) {
            collect(entity, embeddable, path.toElements(), nesting);
        }
    }

    private static IdentifierKind kindOf(String name, String where) {
        try {
            return new IdentifierKind(name);
        } catch (IllegalArgumentException e) {
            throw new IllegalStateException("The annotation of " + where + " names no kind: " + e.getMessage(), e);
        }
    }

    private AnnotatedMembers annotated(Class<?> type) {
        return members.computeIfAbsent(type, AnnotatedMembers::new);
    }

    private static Map<String, Attribute<?, ?>> attributes(ManagedType<?> type) {
        Map<String, Attribute<?, ?>> attributes = new LinkedHashMap<>();
        for (Attribute<?, ?> attribute : type.getAttributes()) {
            attributes.put(attribute.getName(), attribute);
        }
        // Not every provider lists the parts of the primary key among the attributes.
        if (type instanceof IdentifiableType<?> identifiable && !identifiable.hasSingleIdAttribute()) {
            for (Attribute<?, ?> part : identifiable.getIdClassAttributes()) {
                attributes.putIfAbsent(part.getName(), part);
            }
        }
        return attributes;
    }

    private static boolean inherited(EntityType<?> entity, String attribute) {
        for (IdentifiableType<?> type = entity.getSupertype(); type != null; type = type.getSupertype()) {
            if (type instanceof EntityType<?> parent && attributes(parent).containsKey(attribute)) {
                return true;
            }
        }
        return false;
    }
}
