package io.github.untaken;

import io.github.untaken.spi.RegisteredIdentifierStore;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.Consumer;

/** Committed rows in memory and nothing more; a test adds the ability it is about. */
public class RowsStore implements RegisteredIdentifierStore {
    public final Set<String> rows = new ConcurrentSkipListSet<>();

    @Override
    public Presence exists(String text, Duration timeout) {
        return Presence.of(rows.contains(text));
    }

    @Override
    public void scan(Consumer<String> values) {
        rows.forEach(values);
    }
}
