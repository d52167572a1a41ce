package io.github.untaken.filter;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CountingBloomFilterTest {
    private static final long SEED = 20261130;

    /** In sixty-four counters everything meets everything, and the counters next to each other are all in use. */
    @Test
    void countersStickAtTheirMaximumAndNeverSpillOver() {
        CountingBloomFilter filter = new CountingBloomFilter(shape(64, 4));
        SplittableRandom random = new SplittableRandom(SEED);
        List<Long> held = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            held.add(random.nextLong());
            filter.add(held.get(i));
        }
        for (int round = 0; round < 200; round++) {
            long hash = random.nextLong();
            int copies = 1 + random.nextInt(40);
            for (int i = 0; i < copies; i++) {
                assertThat(filter.add(hash)).isTrue();
                assertThat(filter.mightContain(hash)).isTrue();
            }
            assertThat(held).allMatch(filter::mightContain);
            for (int i = 0; i < copies; i++) {
                assertThat(filter.remove(hash)).isTrue();
            }
            assertThat(held).as("round %d, seed %d", round, SEED).allMatch(filter::mightContain);
        }
    }

    @Test
    void fourteenCopiesLeaveAndFifteenStayForGood() {
        for (int copies : new int[] {1, 14, 15, 16, 31, 32, 100}) {
            CountingBloomFilter filter = new CountingBloomFilter(shape(6_400, 7));
            for (int i = 0; i < copies; i++) {
                filter.add(SEED);
            }
            for (int i = 0; i < copies; i++) {
                assertThat(filter.remove(SEED)).isTrue();
            }
            assertThat(filter.mightContain(SEED)).as("%d copies", copies).isEqualTo(copies >= 15);
            assertThat(filter.entries()).isZero();
        }
    }

    /** With more probes than counters they all meet: each entry must still count once, or two copies make it stick. */
    @ParameterizedTest
    @CsvSource({"64, 1", "64, 7", "64, 64", "16, 200"})
    void probesThatMeetCountOnce(int counters, int probes) {
        CountingBloomFilter filter = new CountingBloomFilter(shape(counters, probes));
        for (int i = 0; i < 14; i++) {
            filter.add(SEED);
        }
        for (int i = 0; i < 14; i++) {
            assertThat(filter.mightContain(SEED)).isTrue();
            assertThat(filter.remove(SEED)).isTrue();
        }
        assertThat(filter.mightContain(SEED)).isFalse();
    }

    /** Who seems present is added nevertheless, as a stranger's leaving must not take him along. */
    @Test
    void whoSeemsPresentIsAddedNevertheless() {
        SplittableRandom random = new SplittableRandom(SEED);
        int pairs = 0;
        while (pairs < 1_000) {
            CountingBloomFilter filter = new CountingBloomFilter(shape(64, 2));
            long one = random.nextLong();
            filter.add(one);
            long other = random.nextLong();
            if (filter.mightContain(other)) {
                pairs++;
                filter.add(other);
                assertThat(filter.remove(pairs % 2 == 0 ? one : other)).isTrue();
                assertThat(filter.mightContain(pairs % 2 == 0 ? other : one)).isTrue();
            }
        }
    }

    @Test
    void aRemovalThatFindsAZeroLowersNothing() {
        CountingBloomFilter filter = new CountingBloomFilter(shape(256, 4));
        SplittableRandom random = new SplittableRandom(SEED);
        long[] held = random.longs(40).toArray();
        for (long hash : held) {
            filter.add(hash);
        }
        int refused = 0;
        while (refused < 10_000) {
            long hash = random.nextLong();
            if (!filter.mightContain(hash)) {
                assertThat(filter.remove(hash)).isFalse();
                refused++;
            }
        }
        assertThat(filter.entries()).isEqualTo(held.length);
        for (long hash : held) {
            assertThat(filter.remove(hash)).isTrue();
        }
        for (int i = 0; i < 10_000; i++) {
            assertThat(filter.mightContain(random.nextLong())).isFalse();
        }
    }

    /** Beside an exact multiset, in tables so small that entries share most counters. */
    @ParameterizedTest
    @ValueSource(ints = {64, 128, 1_024})
    void neverForgetsInTinyTables(int counters) {
        CountingBloomFilter filter = new CountingBloomFilter(shape(counters, 5));
        SplittableRandom random = new SplittableRandom(SEED + counters);
        List<Long> held = new ArrayList<>();
        for (int step = 0; step < 30_000; step++) {
            if (held.size() < counters / 4 && random.nextInt(2) == 0) {
                held.add(random.nextInt(5) > 0 || held.isEmpty() ? random.nextLong() : held.get(0));
                filter.add(held.get(held.size() - 1));
            } else if (!held.isEmpty()) {
                Collections.swap(held, random.nextInt(held.size()), held.size() - 1);
                assertThat(filter.remove(held.remove(held.size() - 1))).isTrue();
            }
            if (step % 200 == 0) {
                assertThat(held).as("step %d, seed %d", step, SEED).allMatch(filter::mightContain);
                assertThat(filter.entries()).isEqualTo(held.size());
            }
        }
    }

    @Test
    void showsSizeAndLoadOnly() {
        CountingBloomFilter filter = new CountingBloomFilter(shape(128, 5));
        filter.add(123_456_789);
        assertThat(filter).hasToString("CountingBloomFilter[entries=1, capacity=10, counters=128, probes=5]");
    }

    private static FilterSizing shape(int counters, int probes) {
        return new FilterSizing(FilterType.COUNTING_BLOOM, 10, 0.1, counters * 4L, probes, 0.1);
    }
}
