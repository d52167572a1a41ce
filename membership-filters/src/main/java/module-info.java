import org.jspecify.annotations.NullMarked;

/** The membership filters and the keyed hash. Depends only on the JDK. */
@NullMarked
module io.github.untaken.filter {
    requires static org.jspecify;

    exports io.github.untaken.filter;
}
