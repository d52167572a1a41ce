package io.github.untaken.cluster.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SnapshotTest {

    @Test
    void seesWhatHadEnded() {
        Snapshot snapshot = Snapshot.of("10:20:12,15");
        assertThat(snapshot.sees(9)).isTrue();
        assertThat(snapshot.sees(12)).isFalse();
        assertThat(snapshot.sees(13)).isTrue();
        assertThat(snapshot.sees(20)).isFalse();
        assertThat(Snapshot.of("10:10:").sees(9)).isTrue();
    }

    /** The log has the lower half of a number only. */
    @Test
    void knowsTheUpperHalfOfANumber() {
        long wrapped = 1L << 32;
        Snapshot snapshot = Snapshot.of((wrapped + 1) + ":" + (wrapped + 5) + ":" + (wrapped + 3));
        assertThat(snapshot.sees(-1)).isTrue();
        assertThat(snapshot.sees(3)).isFalse();
        assertThat(snapshot.sees(4)).isTrue();
        assertThat(snapshot.sees(6)).isFalse();
        assertThat(Snapshot.of((wrapped - 5) + ":" + (wrapped - 2) + ":").sees(1))
                .isFalse();
    }

    /** Against an oracle that keeps everything: nothing is called visible too early, and all is in the end. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5, 100_000})
    void visibilityRisesOnlyOverWhatIsVisible(int capacity) {
        for (int seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            Visibility visibility = new Visibility(capacity);
            long next = (1L << 32) - 100;
            Set<Long> open = new HashSet<>();
            List<Long> told = new ArrayList<>(); // the transaction of each number
            long reached = 0;
            for (int step = 0; step < 300; step++) {
                switch (random.nextInt(4)) {
                    case 0 -> open.add(next++);
                    case 1 -> {
                        if (!open.isEmpty()) { // it stands in the log, and nobody sees it yet
                            long xid = List.copyOf(open).get(random.nextInt(open.size()));
                            for (int rows = random.nextInt(1, 4); rows > 0; rows--) {
                                told.add(xid);
                                visibility.told((int) xid, told.size());
                            }
                        }
                    }
                    case 2 -> open.removeIf(xid -> random.nextBoolean());
                    default -> {
                        OptionalLong now = visibility.settle(new Snapshot(
                                open.stream().mapToLong(Long::longValue).min().orElse(next), next, Set.copyOf(open)));
                        if (now.isPresent()) {
                            assertThat(now.getAsLong()).as("seed %s", seed).isGreaterThan(reached);
                            reached = now.getAsLong();
                            assertThat(told.subList(0, (int) reached))
                                    .as("seed %s", seed)
                                    .noneMatch(open::contains);
                        }
                    }
                }
            }
            visibility
                    .settle(new Snapshot(next, next, Set.of()))
                    .ifPresent(last -> assertThat(last).isEqualTo(told.size()));
            assertThat(visibility.settle(new Snapshot(next, next, Set.of()))).isEmpty();
        }
    }

    @Test
    void ofAnotherServerNothingIsWaitedFor() {
        Visibility visibility = new Visibility(10);
        visibility.begin(new Catalog("one", false, Snapshot.of("900:900:"), ""));
        visibility.told(900, 7);
        visibility.begin(new Catalog("one", false, Snapshot.of("900:901:900"), ""));
        assertThat(visibility.settle(Snapshot.of("900:901:900"))).isEmpty();
        visibility.begin(new Catalog("two", false, Snapshot.of("10:10:"), ""));
        visibility.told(10, 8);
        assertThat(visibility.settle(Snapshot.of("10:11:10"))).hasValue(7);
        assertThat(visibility.settle(Snapshot.of("11:11:"))).hasValue(8);
    }
}
