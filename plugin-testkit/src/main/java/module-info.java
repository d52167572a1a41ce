import org.jspecify.annotations.NullMarked;

/** Contract tests and test doubles for authors of filters, stores and adapters. */
@NullMarked
module io.github.untaken.testkit {
    requires transitive io.github.untaken.core;
    requires transitive org.junit.jupiter.api;
    requires transitive org.assertj.core;
    requires static org.jspecify;

    exports io.github.untaken.testkit;
}
