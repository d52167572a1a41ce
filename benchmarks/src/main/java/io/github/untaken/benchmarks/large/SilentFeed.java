package io.github.untaken.benchmarks.large;

import io.github.untaken.IdentifierKind;
import io.github.untaken.spi.ChangeFeed;
import io.github.untaken.spi.ChangeSink;
import io.github.untaken.spi.RegisteredIdentifierStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The log of a database that nobody writes: it has nothing to tell, and can be gone on with from anywhere. */
final class SilentFeed implements ChangeFeed.Resumable {
    private static final String PLACE = "0";

    private volatile Set<String> resumed = Set.of();

    @Override
    public Set<IdentifierKind> covers(Map<IdentifierKind, List<RegisteredIdentifierStore>> stores) {
        return stores.keySet();
    }

    @Override
    public void resume(Set<String> positions) {
        resumed = positions;
    }

    @Override
    public void connect(ChangeSink sink) {
        new Thread(resumed.isEmpty() ? sink::following : sink::resumed, "silent-feed").start();
    }

    @Override
    public Optional<String> position() {
        return Optional.of(PLACE);
    }

    @Override
    public void awaitMark(Duration timeout) {}

    @Override
    public void kept(Set<String> positions) {}

    @Override
    public void disconnect() {}
}
