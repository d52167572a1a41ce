package io.github.untaken.spring.boot;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Somebody was quicker: the database has refused what these fields hold. Thrown in a {@code @RestController} that answers nothing
 * else of it, it becomes a 409 with a problem detail (RFC 9457) that names them, unless the application has a handler of its own.
 */
public final class IdentifierTakenException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Set<String> fields;

    /** Without the failure itself, whose message holds what was typed. */
    IdentifierTakenException(Set<String> fields) {
        super("The unique constraint has refused what was sent as " + fields
                + ", since somebody else was quicker: answer as for any name that is taken");
        this.fields = Collections.unmodifiableSet(new LinkedHashSet<>(fields));
    }

    /** Which fields are taken, at least one. */
    public Set<String> fields() {
        return fields;
    }
}
