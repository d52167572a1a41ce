package io.github.untaken.kind;

import io.github.untaken.spi.RegisteredIdentifierStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * The committed rows, and the oracle: each row knows when it was committed. The model checker treats every method as one
 * step, except {@link #exists} and {@link #scan}, which take their snapshot in one step and answer in a later one.
 */
final class ModelRows implements RegisteredIdentifierStore.Barrier {
    static final int ABSENT = -1;

    private final TreeMap<String, Integer> committedAt = new TreeMap<>();
    private int clock;

    void commit(String row) {
        committedAt.put(row, ++clock);
    }

    void delete(String row) {
        committedAt.remove(row);
    }

    /** When the row that is there now was committed. */
    int committedAt(String row) {
        Integer at = committedAt.get(row);
        return at == null ? ABSENT : at;
    }

    List<String> snapshot() {
        return new ArrayList<>(committedAt.keySet());
    }

    @Override
    public Presence exists(String text, Duration timeout) {
        return Presence.of(committedAt(text) != ABSENT);
    }

    /** Rows are there once they are committed, and not before. */
    @Override
    public boolean awaitOpenTransactions(Duration timeout) {
        return true;
    }

    @Override
    public void scan(Consumer<String> values) {
        snapshot().forEach(values);
    }
}
