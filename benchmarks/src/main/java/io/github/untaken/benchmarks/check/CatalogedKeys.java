package io.github.untaken.benchmarks.check;

import io.github.untaken.spi.RegisteredIdentifierStore;
import io.github.untaken.spi.TableCatalog;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** The same keys in a table that is looked at, as those of JDBC and JPA are, and that never changes. */
record CatalogedKeys(NumberedKeys keys, AtomicLong looks)
        implements RegisteredIdentifierStore.Counted, RegisteredIdentifierStore.Catalogued, TableCatalog {
    private static final String TABLE = "account";

    CatalogedKeys(NumberedKeys keys) {
        this(keys, new AtomicLong());
    }

    @Override
    public Presence exists(String text, Duration timeout) {
        return keys.exists(text, timeout);
    }

    @Override
    public void scan(Consumer<String> values) {
        keys.scan(values);
    }

    @Override
    public long count() {
        return keys.count();
    }

    @Override
    public TableCatalog catalog() {
        return this;
    }

    @Override
    public String catalogued() {
        return TABLE;
    }

    @Override
    public Look look() {
        return new Look(looks.incrementAndGet(), Map.of(TABLE, "the same"));
    }

    @Override
    public void onDefinition(Runnable wanted) {}

    @Override
    public void release() {}
}
