package io.github.untaken.jpa.mapping;

import io.github.untaken.spi.IdentifierKind;
import java.util.List;

/**
 * One attribute of one entity that holds identifiers. An attribute inherited from a superclass is listed again for each
 * entity that inherits it.
 *
 * @param entity the entity's class
 * @param entityName its name in queries
 * @param path the attribute, and before it the embedded attributes it is nested in, outermost first
 * @param kind the kind of identifier it holds
 * @param inherited whether a superclass that is an entity itself has the attribute too
 */
public record IdentifierAttribute(
        Class<?> entity, String entityName, List<String> path, IdentifierKind kind, boolean inherited) {

    public IdentifierAttribute {
        path = List.copyOf(path);
    }

    /** The path as a query spells it, such as {@code contact.phone}. */
    public String dottedPath() {
        return String.join(".", path);
    }

    @Override
    public String toString() {
        return entityName + "." + dottedPath();
    }
}
