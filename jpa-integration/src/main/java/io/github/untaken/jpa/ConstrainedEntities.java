package io.github.untaken.jpa;

import jakarta.persistence.metamodel.ManagedType;
import jakarta.persistence.metamodel.Metamodel;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.util.stream.Stream;

/**
 * Refuses the constraint {@code @Available} on what is mapped. An entity is validated as it is flushed, after its own name was announced as
 * taken. The validator cannot tell, since it does not learn which object a text belongs to.
 */
final class ConstrainedEntities {
    /** By name: the constraint's module need not be there. */
    private static final String AVAILABLE = "io.github.untaken.validation.Available";

    private ConstrainedEntities() {}

    static void refuse(Metamodel metamodel) {
        for (ManagedType<?> type : metamodel.getManagedTypes()) {
            if (isConstrained(type.getJavaType())) {
                throw new IllegalStateException("@Available stands on the entity "
                        + type.getJavaType().getName()
                        + ", which is validated after its own name was announced as taken, so every sign-up would"
                        + " be refused: put @Available on the form object that the controller takes, and leave"
                        + " the entity to"
                        + " its unique constraint");
            }
        }
    }

    private static boolean isConstrained(Class<?> type) {
        for (Class<?> c = type; c != null && c != Object.class; c = c.getSuperclass()) {
            if (Stream.<AnnotatedElement>concat(Stream.of(c.getDeclaredFields()), Stream.of(c.getDeclaredMethods()))
                    .flatMap(member -> Stream.of(member.getAnnotations()))
                    .map(Annotation::annotationType)
                    .anyMatch(annotation -> annotation.getName().equals(AVAILABLE))) {
                return true;
            }
        }
        return false;
    }
}
