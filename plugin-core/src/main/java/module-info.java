import org.jspecify.annotations.NullMarked;

/** The availability checker and everything it is made of; depends on the JDK and Caffeine only. */
@NullMarked
@SuppressWarnings("module") // the modules that one package is opened to are built later
module io.github.untaken.core {
    requires com.github.benmanes.caffeine;
    requires static org.jspecify;

    exports io.github.untaken;
    exports io.github.untaken.fault to
            io.github.untaken.jdbc,
            io.github.untaken.servlet;
    exports io.github.untaken.filter;
    exports io.github.untaken.normalize;
    exports io.github.untaken.spi;
}
