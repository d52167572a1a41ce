package io.github.untaken.jpa;

import io.github.untaken.jpa.mapping.IdentifierAttribute;
import jakarta.persistence.EntityListeners;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.ExcludeSuperclassListeners;
import java.lang.annotation.Annotation;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * For providers whose events are not heard: refuses entities whose writes no entity listener would tell of, or whose rows queries do not
 * show. EclipseLink is asked whom it calls. For any other provider the annotation is believed, and a listener named only in {@code orm.xml}
 * does not count. What hides rows is recognised by the names of annotations.
 */
final class ListenedEntities {
    private static final Set<String> HIDING = Set.of(
            "org.hibernate.annotations.SoftDelete",
            "org.hibernate.annotations.SQLRestriction",
            "org.hibernate.annotations.Where",
            "org.eclipse.persistence.annotations.AdditionalCriteria");

    private ListenedEntities() {}

    static void require(EntityManagerFactory factory, List<IdentifierAttribute> attributes) {
        for (IdentifierAttribute attribute : attributes) {
            Class<?> entity = attribute.entity();
            if (!(EclipseLinkListeners.areIn(factory)
                    ? EclipseLinkListeners.hear(factory, entity)
                    : isAnnotated(entity))) {
                throw new IllegalStateException("Writes of " + attribute
                        + " would go unseen, because this persistence provider does not call the entity listener: annotate "
                        + entity.getName()
                        + " with @EntityListeners(AvailabilityEntityListener.class), or use Hibernate");
            }
            if (hidesRows(entity)) {
                throw new IllegalStateException(attribute + " is in an entity with @SoftDelete or a restriction,"
                        + " and under this persistence provider its hidden rows would look free: use Hibernate");
            }
        }
    }

    private static boolean isAnnotated(Class<?> entity) {
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
