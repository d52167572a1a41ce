package io.github.untaken;

import static io.github.untaken.CheckerFixture.KIND;
import static io.github.untaken.Verdict.Status.AVAILABLE;
import static io.github.untaken.Verdict.Status.TAKEN;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.spi.IdentifierWrite;
import io.github.untaken.spi.RegisteredIdentifierStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A rebuild that stands still at each of its rows, while something changes before or behind it. The
 * scan reads each row when it comes to it, by an id that never changes, so that it sees a change behind it and misses one
 * before it.
 */
class PausedScanTest {
    private static final int ROWS = 12;
    /** Two scans a position are more than come at once, and the rest is one a minute. */
    private static final Duration BETWEEN_POSITIONS = Duration.ofMinutes(2);

    private enum Change {
        INSERT,
        DELETE,
        RENAME,
        SWAP,
        DELETE_AND_REINSERT,
        UNSEEN
    }

    /** Rows by id, read where they stand. */
    private static final class LiveRows implements RegisteredIdentifierStore.Barrier {
        private final NavigableMap<Long, String> byId = new ConcurrentSkipListMap<>();
        private final AtomicReference<Gate> held = new AtomicReference<>();
        private volatile long holdBefore;

        Gate holdBefore(long id) {
            Gate gate = new Gate();
            holdBefore = id;
            held.set(gate);
            return gate;
        }

        @Override
        public Presence exists(String key, Duration timeout) {
            return Presence.of(byId.containsValue(key));
        }

        /** Each write is a transaction of its own. */
        @Override
        public boolean awaitOpenTransactions(Duration timeout) {
            return true;
        }

        @Override
        public void scan(Consumer<String> values) {
            Gate gate = held.getAndSet(null);
            for (Long id = byId.firstKey(); id != null; id = byId.higherKey(id)) {
                if (gate != null && id >= holdBefore) {
                    gate.pass();
                    gate = null;
                }
                String value = byId.get(id);
                if (value != null) {
                    values.accept(value);
                }
            }
            if (gate != null) {
                gate.pass();
            }
        }
    }

    private final LiveRows rows = new LiveRows();
    private final List<String> everUsed = new ArrayList<>();
    private long nextId;

    private String fresh() {
        String name = "name" + everUsed.size();
        everUsed.add(name);
        return name;
    }

    @ParameterizedTest
    @CsvSource({
        "INSERT, true",
        "INSERT, false",
        "DELETE, true",
        "DELETE, false",
        "RENAME, true",
        "RENAME, false",
        "SWAP, true",
        "SWAP, false",
        "DELETE_AND_REINSERT, true",
        "DELETE_AND_REINSERT, false",
        "UNSEEN, true",
        "UNSEEN, false"
    })
    void theNextGenerationAgreesWithTheStoreWhereverTheScanStoodWhenSomethingChanged(Change change, boolean before) {
        for (int i = 0; i < ROWS; i++) {
            rows.byId.put(nextId++ * 10, fresh());
        }
        try (CheckerFixture f = CheckerFixture.ready(rows)) {
            int strangers = 0;
            for (int position = 0; position < ROWS; position++) {
                List<Long> ids = List.copyOf(rows.byId.keySet());
                int at = Math.min(position, ids.size() - 1);
                Gate scan = rows.holdBefore(ids.get(at));
                f.forgetRebuilds();
                f.nanos.addAndGet(BETWEEN_POSITIONS.toNanos());
                f.checker.rescan(KIND);
                scan.awaitArrival();
                long one = before ? ids.get(at / 2) : ids.get((at + ids.size() - 1) / 2);
                long other = ids.get(ids.size() - 1 - at);
                List<String> touched = apply(f, change, one, other, before ? -position - 1 : nextId++ * 10);
                assertEveryRowIsTaken(f, position);
                scan.open();
                f.awaitRebuild();
                if (change == Change.UNSEEN) {
                    CheckerFixture.eventually(() -> f.stats().state() == KindState.READY);
                }
                assertEveryRowIsTaken(f, position);
                strangers += assertEveryOtherNameIsAvailable(f, touched, position);
            }
            assertThat(strangers).as("false positives of names nobody touched").isLessThanOrEqualTo(3);
            assertThat(f.stats().missesProved()).isZero();
            assertThat(f.stats().underWay().open()).isZero();
        }
    }

    /** The names whose copy may stay although they are gone. */
    private List<String> apply(CheckerFixture f, Change change, long one, long other, long newId) {
        IdentifierWrite t = f.begin();
        String old = rows.byId.get(one);
        List<String> touched = new ArrayList<>(List.of(old));
        switch (change) {
            case INSERT -> {
                String name = fresh();
                t.adding(KIND, name);
                rows.byId.put(newId, name);
            }
            case DELETE -> rows.byId.remove(one);
            case RENAME -> {
                String name = fresh();
                t.adding(KIND, name);
                rows.byId.put(one, name);
            }
            case SWAP -> {
                String second = rows.byId.get(other);
                t.adding(KIND, old);
                t.adding(KIND, second);
                rows.byId.put(one, second);
                rows.byId.put(other, old);
            }
            case DELETE_AND_REINSERT -> {
                t.adding(KIND, old);
                rows.byId.put(newId, old);
                rows.byId.remove(one);
            }
            case UNSEEN -> {
                t.unseen(KIND);
                rows.byId.put(one, fresh());
                rows.byId.put(newId, fresh());
            }
        }
        CheckerFixture.end(t);
        return touched;
    }

    private void assertEveryRowIsTaken(CheckerFixture f, int position) {
        for (String name : rows.byId.values()) {
            assertThat(f.checker.checkInMemory(KIND, name).status())
                    .as("%s in memory, at position %d", name, position)
                    .isNotEqualTo(AVAILABLE);
        }
        assertThat(f.checker.checkAll(KIND, rows.byId.values()))
                .as("position %d", position)
                .allMatch(verdict -> verdict.status() == TAKEN);
    }

    /** How many names that were not touched this time the filter suspects all the same. */
    private int assertEveryOtherNameIsAvailable(CheckerFixture f, List<String> touched, int position) {
        List<String> free = new ArrayList<>(everUsed);
        free.removeAll(rows.byId.values());
        assertThat(f.checker.checkAll(KIND, free))
                .as("position %d", position)
                .allMatch(verdict -> verdict.status() == AVAILABLE);
        free.removeAll(touched);
        f.checker.clearWhitelist(KIND);
        return (int) free.stream()
                .filter(name -> f.checker.checkInMemory(KIND, name).status() != AVAILABLE)
                .count();
    }
}
