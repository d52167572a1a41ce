import org.jspecify.annotations.NullMarked;

/** The membership filters and the keyed hash; depends on the JDK only. */
@NullMarked
module io.github.untaken.filter {
    requires static org.jspecify;

    exports io.github.untaken.filter;
}
