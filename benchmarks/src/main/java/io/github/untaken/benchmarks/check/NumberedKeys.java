package io.github.untaken.benchmarks.check;

import io.github.untaken.benchmarks.Keys;
import io.github.untaken.spi.RegisteredIdentifierStore;
import java.time.Duration;
import java.util.function.Consumer;

/** A store of the keys of the numbers below a bound. It always tells the truth, and holds none of them. */
record NumberedKeys(Keys keys, long count) implements RegisteredIdentifierStore.Counted {
    @Override
    public Presence exists(String text, Duration timeout) {
        long number = keys.number(text);
        return Presence.of(number >= 0 && number < count);
    }

    @Override
    public void scan(Consumer<String> values) {
        for (long number = 0; number < count; number++) {
            values.accept(keys.key(number));
        }
    }
}
