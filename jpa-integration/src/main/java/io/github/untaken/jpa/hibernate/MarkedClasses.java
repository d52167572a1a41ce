package io.github.untaken.jpa.hibernate;

import io.github.untaken.jpa.mapping.IdentifierAttributes;
import java.util.ArrayList;
import java.util.List;
import org.hibernate.boot.Metadata;
import org.hibernate.boot.spi.MetadataImplementor;
import org.hibernate.mapping.Component;
import org.hibernate.mapping.PersistentClass;

/**
 * Whether a mapping has registered identifiers at all, told while its factory is built: what exactly is marked can be
 * read only from the finished factory. Where it cannot be told, the answer is yes.
 */
final class MarkedClasses {
    private MarkedClasses() {}

    static boolean areIn(Metadata metadata) {
        try {
            return !(metadata instanceof MetadataImplementor mapped)
                    || mapped.getEntityBindings().stream().anyMatch(MarkedClasses::isMarked)
                    || components(mapped).stream().anyMatch(MarkedClasses::isMarked);
        } catch (RuntimeException | LinkageError e) {
            return true;
        }
    }

    private static List<Component> components(MetadataImplementor metadata) {
        List<Component> components = new ArrayList<>();
        metadata.visitRegisteredComponents(components::add);
        return components;
    }

    /** A mapping without a class has nothing that could be annotated. */
    private static boolean isMarked(PersistentClass entity) {
        return entity.getClassName() != null && IdentifierAttributes.areMarkedIn(entity.getMappedClass());
    }

    private static boolean isMarked(Component embedded) {
        return embedded.getComponentClassName() != null
                && IdentifierAttributes.areMarkedIn(embedded.getComponentClass());
    }
}
