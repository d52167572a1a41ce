package io.github.untaken;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks an entity attribute whose values are identifiers of a kind, such as a user name. With the JPA integration on the
 * class path this is all an entity needs: what is inserted, renamed or deleted is known to the checker.
 *
 * <p>The attribute is a {@code String} and holds the key itself, that is, the normalised form; a display form belongs in
 * another attribute. Null is no identifier. An entity may have several, and several entities may share a kind.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.FIELD, ElementType.METHOD})
public @interface RegisteredIdentifier {
    /** The name of the kind, as in {@link io.github.untaken.spi.IdentifierKind#name}. */
    String value();
}
