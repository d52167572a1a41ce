package io.github.untaken.spring.boot;

import io.github.untaken.IdentifierKind;
import io.github.untaken.spi.IdentifierSource;
import io.github.untaken.spi.RegisteredIdentifierStore;
import io.github.untaken.spi.WriteSink;
import io.github.untaken.testkit.InMemoryIdentifierStore;
import java.util.List;
import java.util.Map;

/** A source of an application's own, which has the user name {@code former}. */
public record FormerNames(InMemoryIdentifierStore store) implements IdentifierSource {

    public FormerNames() {
        this(new InMemoryIdentifierStore());
        store.add("former");
    }

    @Override
    public Map<IdentifierKind, List<RegisteredIdentifierStore>> stores() {
        return Map.of(IdentifierKind.USERNAME, List.of(store));
    }

    @Override
    public void connect(WriteSink sink) {}

    @Override
    public void disconnect() {}
}
