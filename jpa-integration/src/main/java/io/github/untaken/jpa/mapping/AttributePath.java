package io.github.untaken.jpa.mapping;

import java.util.List;
import java.util.stream.Stream;

/**
 * The way from an entity to one of its attributes.
 *
 * @param names the attribute, preceded by the embedded attributes it is nested in, outermost first
 * @param elementDepth how many of them lead to the collection whose elements hold the attribute; 0 if the entity holds it itself
 */
public record AttributePath(List<String> names, int elementDepth) {
    static final AttributePath NOWHERE = new AttributePath(List.of(), 0);

    public AttributePath {
        names = List.copyOf(names);
    }

    /** One step further. */
    AttributePath to(String name) {
        return new AttributePath(Stream.concat(names.stream(), Stream.of(name)).toList(), elementDepth);
    }

    /** From this collection to its elements. */
    AttributePath toElements() {
        return new AttributePath(names, names.size());
    }

    /** Whether the elements of a collection hold the attribute, not the entity itself. */
    public boolean inCollection() {
        return elementDepth > 0;
    }

    /** The names that lead to the collection. */
    public List<String> ofCollection() {
        return names.subList(0, elementDepth);
    }

    /** The names that lead on from an element, none if the element is the identifier. */
    public List<String> ofElement() {
        return names.subList(elementDepth, names.size());
    }

    /** As a query spells it, such as {@code contact.phone}. */
    public String dotted() {
        return String.join(".", names);
    }
}
