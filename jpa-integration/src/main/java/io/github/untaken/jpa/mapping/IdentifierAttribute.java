package io.github.untaken.jpa.mapping;

import io.github.untaken.IdentifierKind;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One attribute of one entity that holds identifiers. An inherited attribute is listed again for each entity that inherits it.
 *
 * @param entity the entity's class
 * @param entityName its name in queries
 * @param path the attribute, preceded by the embedded attributes it is nested in, outermost first
 * @param elementDepth how many names of the path lead to the collection whose elements hold the identifiers; 0 if the entity holds one
 *     itself
 * @param kind the kind of identifier it holds
 * @param comparedAs what makes two of its values one name, as the annotation says; null if it says nothing
 * @param where which rows count, as the annotation says; null if it says nothing
 * @param inherited whether a superclass that is an entity itself has the attribute too
 * @param inserted whether an insert writes it, as far as its annotation tells
 */
public record IdentifierAttribute(
        Class<?> entity,
        String entityName,
        List<String> path,
        int elementDepth,
        IdentifierKind kind,
        @Nullable String comparedAs,
        @Nullable String where,
        boolean inherited,
        boolean inserted) {

    public IdentifierAttribute {
        path = List.copyOf(path);
    }

    /** Whether the elements of a collection hold the identifiers, not the entity itself. */
    public boolean inCollection() {
        return elementDepth > 0;
    }

    /** The path to the collection. */
    public List<String> collectionPath() {
        return path.subList(0, elementDepth);
    }

    /** The path from an element to its identifier, empty if the element is the identifier. */
    public List<String> elementPath() {
        return path.subList(elementDepth, path.size());
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
