package io.github.untaken.jpa;

import io.github.untaken.jpa.mapping.IdentifierAttribute;
import jakarta.persistence.EntityListeners;
import jakarta.persistence.ExcludeSuperclassListeners;
import java.lang.annotation.Annotation;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * Refuses, under a Hibernate that is not heard, entities whose writes would go unseen or whose rows queries do not
 * show. Looks at annotations alone, by their names where they are Hibernate's.
 */
final class ListenedEntities {
    private static final Set<String> HIDING = Set.of(
            "org.hibernate.annotations.SoftDelete",
            "org.hibernate.annotations.SQLRestriction",
            "org.hibernate.annotations.Where");

    private ListenedEntities() {}

    static void require(List<IdentifierAttribute> attributes) {
        for (IdentifierAttribute attribute : attributes) {
            if (!isListenedTo(attribute.entity())) {
                throw new IllegalStateException("Writes of " + attribute
                        + " would go unseen under this version of Hibernate: annotate "
                        + attribute.entity().getName()
                        + " with @EntityListeners(AvailabilityEntityListener.class), or use Hibernate 7.2, 7.3 or 7.4");
            }
            if (hidesRows(attribute.entity())) {
                throw new IllegalStateException(attribute + " is in an entity with @SoftDelete or a restriction, whose"
                        + " hidden rows cannot be found under this version of Hibernate although they hold their names:"
                        + " use Hibernate 7.2, 7.3 or 7.4");
            }
        }
    }

    private static boolean isListenedTo(Class<?> entity) {
        for (Class<?> c = entity; c != null; c = c.getSuperclass()) {
            EntityListeners listeners = c.getDeclaredAnnotation(EntityListeners.class);
            if (listeners != null && Arrays.asList(listeners.value()).contains(AvailabilityEntityListener.class)) {
                return true;
            }
            if (c.isAnnotationPresent(ExcludeSuperclassListeners.class)) {
                return false;
            }
        }
        return false;
    }

    private static boolean hidesRows(Class<?> entity) {
        for (Class<?> c = entity; c != null; c = c.getSuperclass()) {
            for (Annotation annotation : c.getDeclaredAnnotations()) {
                if (HIDING.contains(annotation.annotationType().getName())) {
                    return true;
                }
            }
        }
        return false;
    }
}
