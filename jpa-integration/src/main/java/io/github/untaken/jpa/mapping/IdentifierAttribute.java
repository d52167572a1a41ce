package io.github.untaken.jpa.mapping;

import io.github.untaken.IdentifierKind;
import org.jspecify.annotations.Nullable;

/**
 * One attribute of one entity that holds identifiers. An inherited attribute is listed again for each entity that inherits it.
 *
 * @param entity the entity's class
 * @param entityName its name in queries
 * @param inherited whether a superclass that is an entity itself has the attribute too
 * @param inserted whether an insert writes it, as far as its annotation tells
 */
public record IdentifierAttribute(
        Class<?> entity, String entityName, AttributePath path, Mark mark, boolean inherited, boolean inserted) {

    /**
     * What its {@link io.github.untaken.RegisteredIdentifier} says.
     *
     * @param kind the kind of identifier it holds
     * @param comparedAs what makes two of its values one name; null if it says nothing
     * @param where which rows count; null if it says nothing
     */
    public record Mark(
            IdentifierKind kind,
            @Nullable String comparedAs,
            @Nullable String where) {}

    @Override
    public String toString() {
        return entityName + "." + path.dotted();
    }
}
