import org.jspecify.annotations.NullMarked;

/**
 * The checker as a bean of Jakarta CDI. Persistence and servlets are used where they are; without them nothing asks for them.
 */
@NullMarked
module io.github.untaken.cdi {
    requires transitive io.github.untaken.core;
    requires transitive jakarta.cdi;
    requires static io.github.untaken.jpa;
    requires static jakarta.persistence;
    requires static org.jspecify;

    exports io.github.untaken.cdi;

    provides io.github.untaken.CheckerLookup with
            io.github.untaken.cdi.CurrentChecker;
}
