import org.jspecify.annotations.NullMarked;

/** The availability checker and everything it is made of; depends on the JDK, the membership filters and Caffeine only. */
@NullMarked
@SuppressWarnings("module") // the modules that some packages are opened to are built later
module io.github.untaken.core {
    requires transitive io.github.untaken.filter;
    requires com.github.benmanes.caffeine;
    requires java.sql; // what a store's database says of a statement
    requires static org.jspecify;

    exports io.github.untaken;
    exports io.github.untaken.fault to
            io.github.untaken.jdbc,
            io.github.untaken.servlet;
    exports io.github.untaken.feed to
            io.github.untaken.cluster.mysql,
            io.github.untaken.cluster.postgresql;
    exports io.github.untaken.normalize;
    exports io.github.untaken.spi;
}
