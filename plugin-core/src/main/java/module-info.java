import org.jspecify.annotations.NullMarked;

/** The availability checker and all its parts. Depends only on the JDK, the membership filters and Caffeine. */
@NullMarked
@SuppressWarnings("module") // some packages are exported to modules that are built later
module io.github.untaken.core {
    requires transitive io.github.untaken.filter;
    requires com.github.benmanes.caffeine;
    requires java.sql; // what a store's database says about a statement
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
