package io.github.untaken.filter;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class StashTest {
    private static final long SEED = Seed.of(StashTest.class, 20261123);

    @Test
    void countsLikeAnExactMultiset() {
        SplittableRandom random = new SplittableRandom(SEED);
        Map<Long, Integer> oracle = new HashMap<>();
        Stash stash = Stash.EMPTY;
        for (int i = 0; i < 50_000; i++) {
            long hash = random.nextInt(400) * 0x1_0000_0000L;
            if (random.nextBoolean() && stash.hasRoomFor(hash)) {
                stash = stash.plus(hash);
                oracle.merge(hash, 1, Integer::sum);
            } else if (oracle.containsKey(hash)) {
                stash = stash.minus(hash);
                oracle.computeIfPresent(hash, (key, count) -> count == 1 ? null : count - 1);
            }
            assertThat(stash.holds(hash)).isEqualTo(oracle.containsKey(hash));
            assertThat(stash.different()).isEqualTo(oracle.size());
        }
        for (int i = 0; i < 400; i++) {
            assertThat(stash.holds(i * 0x1_0000_0000L)).isEqualTo(oracle.containsKey(i * 0x1_0000_0000L));
        }
    }

    @Test
    void emptiesToTheOneEmptyStash() {
        assertThat(Stash.EMPTY.plus(0).plus(0).minus(0).minus(0)).isSameAs(Stash.EMPTY);
    }

    @Test
    void neverChangesASnapshot() {
        Stash before = Stash.EMPTY.plus(7);
        before.plus(8);
        before.minus(7);
        assertThat(before.holds(7)).isTrue();
        assertThat(before.holds(8)).isFalse();
    }

    @Test
    void holdsTheHashesZeroAndMinusOne() {
        Stash stash = Stash.EMPTY.plus(0).plus(-1);
        assertThat(stash.holds(0)).isTrue();
        assertThat(stash.holds(-1)).isTrue();
        assertThat(stash.minus(0).holds(0)).isFalse();
        assertThat(stash.minus(0).holds(-1)).isTrue();
    }

    @Test
    void aCountAtItsMaximumIsNeverLoweredAgain() {
        Stash stash = Stash.EMPTY;
        for (int i = 0; i < Stash.STUCK + 10; i++) {
            stash = stash.plus(7);
        }
        assertThat(stash.plus(7)).isSameAs(stash);
        for (int i = 0; i < Stash.STUCK + 20; i++) {
            stash = stash.minus(7);
        }
        assertThat(stash.holds(7)).isTrue();
    }

    @Test
    void isFullAtItsLimitExceptForWhatItHolds() {
        Stash stash = Stash.EMPTY;
        for (long hash = 0; hash < Stash.LIMIT; hash++) {
            assertThat(stash.hasRoomFor(hash)).isTrue();
            stash = stash.plus(hash);
        }
        assertThat(stash.hasRoomFor(Stash.LIMIT)).isFalse();
        assertThat(stash.hasRoomFor(3)).isTrue();
    }
}
