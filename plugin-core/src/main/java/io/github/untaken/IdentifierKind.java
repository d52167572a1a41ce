package io.github.untaken;

import java.util.regex.Pattern;

/**
 * The namespace of an identifier, such as {@link #USERNAME}. Two identifiers of different kinds never collide.
 *
 * @param name lower-case letters, digits and {@code -}, starting with a letter, 1 to 32 characters; it appears in URLs,
 *     logs and metrics
 */
public record IdentifierKind(String name) {

    // Before the constants, whose constructor uses it.
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]{0,31}");

    /** {@code username}. */
    public static final IdentifierKind USERNAME = new IdentifierKind("username");
    /** {@code phone}; it needs a normalizer. */
    public static final IdentifierKind PHONE = new IdentifierKind("phone");
    /** {@code email}. */
    public static final IdentifierKind EMAIL = new IdentifierKind("email");

    /** @throws IllegalArgumentException if the name is not of the form stated for {@code name} */
    public IdentifierKind {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("kind must be 1 to 32 lower-case letters, digits or '-', starting with a"
                    + " letter, but was '" + name + "'");
        }
    }

    /** Same as the constructor; reads better in a builder. */
    public static IdentifierKind of(String name) {
        return new IdentifierKind(name);
    }

    @Override
    public String toString() {
        return name;
    }
}
