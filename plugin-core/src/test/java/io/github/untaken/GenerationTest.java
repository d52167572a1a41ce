package io.github.untaken;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.filter.FilterType;
import io.github.untaken.filter.KeyHasher;
import io.github.untaken.filter.MembershipFilters;
import io.github.untaken.memory.Generation;
import io.github.untaken.memory.Spelling;
import java.util.BitSet;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** It only grows, and nobody need know whether a name was there. */
class GenerationTest {
    private static final long SEED = Seed.of(GenerationTest.class, 20261122);

    private static Generation of(FilterType type, long planned, int maxOverflow) {
        return new Generation(KeyHasher.of(SEED, 2), MembershipFilters.of(type, planned), false, 100, maxOverflow);
    }

    @Test
    void whatIsToldAgainStoresNothing() {
        Generation generation = of(FilterType.CUCKOO, 1_000, 100);
        for (int i = 0; i < 10_000; i++) {
            assertThat(generation.add("alice", Spelling.KEY)).isTrue();
        }
        assertThat(generation.entries()).isEqualTo(1);
        assertThat(generation.wantsRebuild(0.1)).isFalse();
    }

    /** Also of names that were never added, for an addition that stored nothing has seen one of those. */
    @ParameterizedTest
    @EnumSource(FilterType.class)
    void onceMaybeIsAlwaysMaybe(FilterType type) {
        Generation generation = of(type, 1_000, 50);
        BitSet maybe = new BitSet();
        SplittableRandom random = new SplittableRandom(SEED);
        int refused = 0;
        for (int i = 0; i < 9_000; i++) {
            int added = random.nextInt(20_000);
            if (generation.add("name" + added, Spelling.KEY)) {
                maybe.set(added);
            } else {
                refused++;
            }
            if (i % 300 == 0) {
                for (int name = 0; name < 20_000; name++) {
                    boolean now = generation.mightContain("name" + name);
                    assertThat(now || !maybe.get(name))
                            .as("name%d after %d additions, seed %d", name, i, SEED)
                            .isTrue();
                    maybe.set(name, now);
                }
            }
        }
        assertThat(refused).as("of 9,000").isLessThan(9_000);
    }

    @Test
    void whatFindsNoRoomAnywhereIsRefusedAndWhatIsThereIsNot() {
        Generation generation = of(FilterType.CUCKOO, 10, 5);
        int added = 0;
        while (added < 1_000_000 && generation.add("name" + added, Spelling.KEY)) {
            added++;
        }
        assertThat(added).as("the filter grows to eight times its size").isLessThan(100_000);
        for (int i = 0; i < added; i++) {
            assertThat(generation.add("name" + i, Spelling.KEY)).isTrue();
            assertThat(generation.mightContain("name" + i)).isTrue();
        }
        assertThat(generation.wantsRebuild(0.1)).isTrue();
    }

    @Test
    void keepsTheKeyOfAnOddValueExactly() {
        Generation generation = of(FilterType.CUCKOO, 1_000, 100);
        assertThat(generation.add("alice", Spelling.KEY)).isTrue();
        assertThat(generation.isOdd("alice")).isFalse();
        assertThat(generation.add("alice", Spelling.ASCII_CASE)).isTrue();
        assertThat(generation.add("bob", Spelling.OTHER)).isTrue();
        assertThat(generation.isOdd("alice")).isTrue();
        assertThat(generation.isOdd("bob")).isTrue();
        assertThat(generation.isOdd("carol")).isFalse();
    }
}
