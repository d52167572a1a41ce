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
    /** The name of the kind, as in {@link io.github.untaken.IdentifierKind#name}. */
    String value();

    /**
     * Whether every value in the column is its own key, rows from before the application included. Then a name that the store does
     * not find counts as free also where memory does not know every value: while the first scan runs, and while statements that no
     * event told of wait for a scan. Without this such a name is {@code UNKNOWN}, since a row may spell it otherwise ({@code Alice},
     * full-width letters, a phone number with blanks).
     *
     * <p>A claim, not a wish: each scan and each event verifies it, and the first value that is not its key ends it, with a warning,
     * until the application starts again. A check constraint on the column makes it true for good. Where several attributes
     * share a column, all have to say it.
     */
    boolean holdsKeys() default false;
}
