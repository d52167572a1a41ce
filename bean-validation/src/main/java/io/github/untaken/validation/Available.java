package io.github.untaken.validation;

import jakarta.validation.Constraint;
import jakarta.validation.Payload;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The text may be registered: nobody holds it, nobody is registering it, and the kind's rules allow it. For form objects:
 *
 * <pre>{@code
 * record SignUpForm(@NotBlank @Available("username") String username) {}
 * }</pre>
 *
 * <p>Null passes, and so does a text of which nobody can say whether it is free ({@code UNKNOWN}): the unique constraint decides
 * when it is registered, as it has to anyway.
 *
 * <p>Not for entities: those are validated as they are flushed, when their own name has been announced as taken, and would all be
 * refused. A validator cannot tell where its text comes from, so {@code JpaIdentifiers.of} refuses such an entity, with the rest
 * of the mapping.
 *
 * <p>Messages are those of the keys {@code io.github.untaken.validation.Available.taken}, {@code .reserved} and {@code .invalid},
 * unless {@link #message} is set.
 */
@Documented
@Constraint(validatedBy = AvailableValidator.class)
@Target({
    ElementType.FIELD,
    ElementType.METHOD,
    ElementType.PARAMETER,
    ElementType.RECORD_COMPONENT,
    ElementType.TYPE_USE,
    ElementType.ANNOTATION_TYPE
})
@Retention(RetentionPolicy.RUNTIME)
@Repeatable(Available.List.class)
public @interface Available {
    /** The name of the kind, as in {@link io.github.untaken.IdentifierKind#name}. */
    String value();

    /** One message in place of the three. */
    String message() default "{io.github.untaken.validation.Available.taken}";

    /** Groups of Bean Validation. */
    Class<?>[] groups() default {};

    /** Payload of Bean Validation. */
    Class<? extends Payload>[] payload() default {};

    /** Several on one element, of different groups. */
    @Documented
    @Target({
        ElementType.FIELD,
        ElementType.METHOD,
        ElementType.PARAMETER,
        ElementType.RECORD_COMPONENT,
        ElementType.TYPE_USE,
        ElementType.ANNOTATION_TYPE
    })
    @Retention(RetentionPolicy.RUNTIME)
    @interface List {
        /** The constraints. */
        Available[] value();
    }
}
