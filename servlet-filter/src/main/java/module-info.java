import org.jspecify.annotations.NullMarked;

/** The HTTP side of the availability checker. */
@NullMarked
module io.github.untaken.servlet {
    requires transitive io.github.untaken.core;
    requires transitive jakarta.servlet;
    requires static org.jspecify;

    exports io.github.untaken.http;
    exports io.github.untaken.http.spi;
    exports io.github.untaken.servlet;

    uses io.github.untaken.CheckerLookup;

    provides jakarta.servlet.ServletContainerInitializer with
            io.github.untaken.servlet.AvailabilityInitializer;
}
