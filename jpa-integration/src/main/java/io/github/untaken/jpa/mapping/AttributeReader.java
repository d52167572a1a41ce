package io.github.untaken.jpa.mapping;

import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Reads one identifier from an entity by reflection: through getters where they exist, since some providers load a value only then, else
 * from the fields. The entity's package must be open to this module. Thread-safe.
 */
public final class AttributeReader {
    private final IdentifierAttribute attribute;
    private final List<Member> steps = new ArrayList<>();

    /** @throws IllegalStateException if an attribute of the path cannot be reached; the message names it */
    public AttributeReader(IdentifierAttribute attribute) {
        this.attribute = attribute;
        Class<?> type = attribute.entity();
        for (String name : attribute.path().names()) {
            Member step = member(type, name);
            steps.add(step);
            type = step instanceof Method method ? method.getReturnType() : ((Field) step).getType();
        }
    }

    public IdentifierAttribute attribute() {
        return attribute;
    }

    private Member member(Class<?> type, String name) {
        try {
            Member member = find(type, name);
            ((AccessibleObject) member).setAccessible(true);
            return member;
        } catch (NoSuchFieldException | RuntimeException e) {
            throw new IllegalStateException(
                    attribute + " cannot be read: " + type.getName() + "." + name
                            + " has neither a getter nor a field that can be reached; open its package to io.github.untaken.jpa",
                    e);
        }
    }

    private static Member find(Class<?> type, String name) throws NoSuchFieldException {
        String getter = "get" + name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1);
        for (Class<?> c = type; c != null; c = c.getSuperclass()) {
            for (Method method : c.getDeclaredMethods()) {
                if (method.getName().equals(getter) && method.getParameterCount() == 0) {
                    return method;
                }
            }
        }
        for (Class<?> c = type; c != null; c = c.getSuperclass()) {
            for (Field field : c.getDeclaredFields()) {
                if (field.getName().equals(name)) {
                    return field;
                }
            }
        }
        throw new NoSuchFieldException(name);
    }

    /** The identifier; null if it, or something it is embedded in, is null. */
    public @Nullable String read(Object entity) {
        Object value = entity;
        try {
            for (Member step : steps) {
                if (value == null) {
                    return null;
                }
                value = step instanceof Method method ? method.invoke(value) : ((Field) step).get(value);
            }
        } catch (IllegalAccessException | InvocationTargetException e) {
            throw new IllegalStateException(attribute + " could not be read", e);
        }
        return (String) value;
    }
}
