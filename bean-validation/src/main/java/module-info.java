import org.jspecify.annotations.NullMarked;

/** The constraint of sign-up forms. */
@NullMarked
module io.github.untaken.validation {
    requires transitive io.github.untaken.core;
    requires transitive jakarta.validation;
    requires static org.jspecify;

    exports io.github.untaken.validation;
}
