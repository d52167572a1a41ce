package io.github.untaken.feeds;

import io.github.untaken.spi.RegisteredIdentifierStore;
import java.time.Duration;
import java.util.function.Consumer;

/** A store that a feed asks where it is, and nothing else. */
public interface UnaskedStore extends RegisteredIdentifierStore.InColumn {
    @Override
    default Presence exists(String key, Duration timeout) {
        throw new AssertionError("a feed reads no store");
    }

    @Override
    default void scan(Consumer<String> values) {
        throw new AssertionError("a feed reads no store");
    }
}
