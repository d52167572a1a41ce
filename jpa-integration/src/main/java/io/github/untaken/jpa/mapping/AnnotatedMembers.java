package io.github.untaken.jpa.mapping;

import io.github.untaken.RegisteredIdentifier;
import jakarta.persistence.Column;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * The attributes that a class and its superclasses mark with the annotation. Both fields and getters count, whichever the provider reads:
 * the annotation marks the attribute.
 */
final class AnnotatedMembers {
    private final Map<String, RegisteredIdentifier> marks = new HashMap<>();
    private final Set<String> notInserted = new HashSet<>();

    AnnotatedMembers(Class<?> type) {
        for (Class<?> c = type; c != null && c != Object.class; c = c.getSuperclass()) {
            for (Field field : c.getDeclaredFields()) {
                note(type, field.getName(), field);
            }
            for (Method method : c.getDeclaredMethods()) {
                if (method.getParameterCount() == 0) {
                    note(type, attributeOf(method.getName()), method);
                }
            }
        }
    }

    private void note(Class<?> type, String attribute, AnnotatedElement member) {
        RegisteredIdentifier annotation = member.getAnnotation(RegisteredIdentifier.class);
        if (annotation == null) {
            return;
        }
        Column column = member.getAnnotation(Column.class);
        if (column != null && !column.insertable()) {
            notInserted.add(attribute);
        }
        RegisteredIdentifier before = marks.putIfAbsent(attribute, annotation);
        if (before != null && !before.value().equals(annotation.value())) {
            throw new IllegalStateException(
                    type.getName() + "." + attribute + " is marked as a registered identifier of two" + " kinds, '"
                            + before.value() + "' and '" + annotation.value() + "': keep one of the annotations");
        }
    }

    private static String attributeOf(String method) {
        if (method.startsWith("get") && method.length() > 3) {
            return decapitalized(method.substring(3));
        }
        return method;
    }

    private static String decapitalized(String name) {
        boolean acronym = name.length() > 1 && Character.isUpperCase(name.charAt(1));
        return acronym ? name : name.substring(0, 1).toLowerCase(Locale.ROOT) + name.substring(1);
    }

    /** The annotation by the name of its attribute. If a field and its getter both have one, they name the same kind. */
    Map<String, RegisteredIdentifier> marks() {
        return marks;
    }

    /** Whether an annotation says that an insert leaves the attribute out, so that its value comes from elsewhere. */
    boolean isNotInserted(String attribute) {
        return notInserted.contains(attribute);
    }
}
