package io.github.untaken.jpa.hibernate;

import io.github.untaken.IdentifierKind;
import io.github.untaken.jdbc.IdentifierColumn;
import io.github.untaken.jpa.mapping.IdentifierAttribute;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.hibernate.bytecode.enhance.spi.LazyPropertyInitializer;
import org.hibernate.collection.spi.PersistentCollection;
import org.hibernate.metamodel.mapping.AttributeMapping;
import org.hibernate.metamodel.mapping.CollectionPart;
import org.hibernate.metamodel.mapping.ModelPart;
import org.hibernate.metamodel.mapping.PluralAttributeMapping;
import org.hibernate.persister.collection.CollectionPersister;
import org.hibernate.persister.entity.EntityPersister;
import org.jspecify.annotations.Nullable;

/**
 * Reads the identifiers in one element collection of one entity. Never loads a collection: what is not loaded is not
 * written either, and loading inside a flush breaks it.
 */
final class IdentifierElements {
    private final IdentifierKind kind;
    private final CollectionPersister collection;
    private final List<AttributeMapping> steps;
    private final IdentifierColumn column;
    private final boolean written;
    private final int stateIndex;

    /** @throws IllegalStateException if its column does not hold the text itself; the message names it */
    IdentifierElements(EntityPersister persister, IdentifierAttribute attribute) {
        PluralAttributeMapping mapping =
                (PluralAttributeMapping) persister.findByPath(String.join(".", attribute.collectionPath()));
        CollectionPart element = mapping.getElementDescriptor();
        this.kind = attribute.kind();
        this.collection = mapping.getCollectionDescriptor();
        this.steps = IdentifierProperty.nested(element, attribute.elementPath(), attribute);
        ModelPart identifier = steps.isEmpty() ? element : steps.get(steps.size() - 1);
        this.column = MappedColumn.ofElements(collection, identifier, attribute);
        this.written = MappedColumn.isWrittenThrough(identifier);
        this.stateIndex = attribute.elementDepth() == 1 ? mapping.getStateArrayPosition() : -1;
    }

    IdentifierKind kind() {
        return kind;
    }

    CollectionPersister collection() {
        return collection;
    }

    IdentifierColumn column() {
        return column;
    }

    /** Whether a new value comes from here; if not, the column may be another attribute's. */
    boolean isWritten() {
        return written;
    }

    /**
     * What a stateless session is about to write, from the state of the owner. It writes no collection within an
     * embeddable, nor one that is not loaded.
     */
    List<String> inState(Object[] state) {
        Object value = stateIndex < 0 ? null : state[stateIndex];
        boolean unloaded = value == LazyPropertyInitializer.UNFETCHED_PROPERTY
                || value instanceof PersistentCollection<?> wrapper && !wrapper.wasInitialized();
        return unloaded ? List.of() : texts(value);
    }

    /** What it holds now. */
    List<String> in(PersistentCollection<?> from) {
        List<String> found = new ArrayList<>();
        for (Iterator<?> entries = from.entries(collection); entries.hasNext(); ) {
            add(found, from.getElement(entries.next()));
        }
        return found;
    }

    /** Those whose rows an update inserts or changes; all of them where it deletes all rows and inserts them again. */
    @SuppressWarnings("removal") // the collection asks for a type that nothing else hands out
    List<String> writtenIn(PersistentCollection<?> from) {
        boolean all = from.needsRecreate(collection);
        List<String> found = new ArrayList<>();
        int i = 0;
        for (Iterator<?> entries = from.entries(collection); entries.hasNext(); i++) {
            Object entry = entries.next();
            if (all
                    || from.needsInserting(entry, i, collection.getElementType())
                    || from.needsUpdating(entry, i, collection.getElementType())) {
                add(found, from.getElement(entry));
            }
        }
        return found;
    }

    private List<String> texts(@Nullable Object elements) {
        Collection<?> each;
        if (elements instanceof Map<?, ?> map) {
            each = map.values();
        } else if (elements instanceof Collection<?> plain) {
            each = plain;
        } else {
            each = elements instanceof Object[] array ? Arrays.asList(array) : List.of();
        }
        List<String> found = new ArrayList<>(each.size());
        each.forEach(element -> add(found, element));
        return found;
    }

    private void add(List<String> found, @Nullable Object element) {
        String text = IdentifierProperty.text(element, steps);
        if (text != null) {
            found.add(text);
        }
    }
}
