package io.github.untaken.filter;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScalableFilterTest {
    private static final long SEED = 20261202;

    /** Growths forget nothing, and however many there were, the rate stays below the target. */
    @ParameterizedTest
    @CsvSource({"1, 0.01, 20000", "1, 0.001, 20000", "100, 0.0001, 20000", "1000, 0.3, 50000", "20000, 0.001, 20000"})
    void growsWithoutForgettingAndKeepsItsRate(long first, double rate, int entries) {
        MembershipFilter filter = MembershipFilters.scalable(first, rate);
        long[] hashes = new SplittableRandom(SEED).longs(entries).toArray();
        for (int i = 0; i < entries; i++) {
            if (!filter.add(hashes[i])) {
                throw new AssertionError("refused entry " + i);
            }
            if (Integer.bitCount(i) == 1) {
                assertThat(Arrays.stream(hashes, 0, i + 1)).allMatch(filter::mightContain);
            }
        }
        boolean[] answers = new boolean[entries];
        filter.mightContainAll(hashes, answers);
        assertThat(answers).doesNotContain(false);
        assertThat(filter.entries()).isEqualTo(entries);
        assertThat(filter.capacity()).isEqualTo(first);
        assertThat(filter.wantsRebuild()).isEqualTo(entries > 7 * first);

        SplittableRandom random = new SplittableRandom(SEED + 1);
        int questions = (int) Math.min(1_000_000, 1_000 / rate);
        int wrong = 0;
        for (int i = 0; i < questions; i++) {
            wrong += filter.mightContain(random.nextLong()) ? 1 : 0;
        }
        double bound = questions * rate + 5 * Math.sqrt(questions * rate);
        System.out.printf(
                "from %d to %d entries: %.2e measured, %.2e asked for%n",
                first, entries, (double) wrong / questions, rate);
        assertThat((double) wrong).isLessThanOrEqualTo(bound);
    }

    @Test
    void eachLayerHasTwiceTheRoomAtHalfTheRateAndAllRatesTogetherStayBelowTheTarget() {
        for (double target : new double[] {0.9, 0.01, 1e-6, FilterSizing.MIN_ERROR_RATE}) {
            FilterSizing plan = FilterSizing.plan(FilterType.SCALABLE, 1_000, target);
            assertThat(plan.layer(0).bytes()).isEqualTo(plan.bytes());
            double all = 0;
            for (int i = 0; i < 30; i++) {
                FilterSizing layer = plan.layer(i);
                assertThat(layer.expectedEntries()).isEqualTo(1_000L << i);
                assertThat(layer.targetErrorRate()).isEqualTo(target / (2L << i));
                // What equal hashes add is the same for every filter of so many entries, and no matter of the layers.
                double table = layer.predictedErrorRate() - layer.expectedEntries() * 0x1p-64;
                assertThat(table).isLessThanOrEqualTo(layer.targetErrorRate() * 1.000_001);
                all += table;
            }
            assertThat(all).isLessThanOrEqualTo(target);
        }
    }

    /** The k-th allocation fails, for each k; what was there stays, and the next call succeeds. */
    @Test
    void anAllocationThatFailsInTheMiddleOfGrowthLosesNothing() {
        for (int failing = 2; failing <= 8; failing++) {
            int fails = failing;
            int[] allocations = {0};
            ScalableFilter filter = new ScalableFilter(FilterSizing.plan(FilterType.SCALABLE, 10, 0.001), plan -> {
                if (++allocations[0] == fails) {
                    throw new OutOfMemoryError("on purpose");
                }
                return new BloomFilter(plan);
            });
            SplittableRandom random = new SplittableRandom(SEED);
            List<Long> held = new ArrayList<>();
            int refused = 0;
            while (held.size() < 3_000) {
                long hash = random.nextLong();
                String before = filter.toString();
                if (filter.add(hash)) {
                    held.add(hash);
                } else {
                    refused++;
                    assertThat(filter).hasToString(before);
                    assertThat(filter.mightContain(hash)).isFalse();
                    assertThat(held).allMatch(filter::mightContain);
                }
            }
            assertThat(refused).isEqualTo(1);
            assertThat(held).allMatch(filter::mightContain);
            assertThat(filter.entries()).isEqualTo(3_000);
        }
    }

    /** Any other exception comes out, whichever growth it stops, and again nothing has changed and no lock is held. */
    @Test
    void anyOtherFailureOfGrowthComesOutAndLosesNothing() throws Exception {
        for (int failing = 2; failing <= 8; failing++) {
            int fails = failing;
            int[] allocations = {0};
            ScalableFilter filter = new ScalableFilter(FilterSizing.plan(FilterType.SCALABLE, 10, 0.001), plan -> {
                if (++allocations[0] == fails) {
                    throw new IllegalStateException("on purpose");
                }
                return new BloomFilter(plan);
            });
            SplittableRandom random = new SplittableRandom(SEED);
            List<Long> held = new ArrayList<>();
            int failures = 0;
            while (held.size() < 3_000) {
                long hash = random.nextLong();
                String before = filter.toString();
                try {
                    assertThat(filter.add(hash)).isTrue();
                } catch (IllegalStateException e) {
                    failures++;
                    assertThat(e).hasMessage("on purpose");
                    assertThat(filter).hasToString(before);
                    assertThat(filter.mightContain(hash)).isFalse();
                    assertThat(held).allMatch(filter::mightContain);
                    // The thread that failed could enter its own lock again; another one could not.
                    FutureTask<Boolean> again = new FutureTask<>(() -> filter.add(hash));
                    new Thread(again).start();
                    assertThat(again.get(20, TimeUnit.SECONDS)).isTrue();
                }
                held.add(hash);
            }
            assertThat(failures).isEqualTo(1);
            assertThat(held).allMatch(filter::mightContain);
            assertThat(filter.entries()).isEqualTo(3_000);
        }
    }

    /** A layer that no array can hold is refused for good; asked without allocating anything of that size. */
    @Test
    void aLayerTooLargeForAnArrayIsRefused() {
        FilterSizing huge = FilterSizing.plan(FilterType.SCALABLE, 5_000_000_000L, 0.001);
        assertThat(huge.layer(0).fitsAnArray()).isTrue();
        assertThat(huge.layer(1).fitsAnArray()).isFalse();
        BloomFilter tiny = new BloomFilter(FilterSizing.plan(FilterType.BLOOM, 1, 0.001));
        ScalableFilter filter = new ScalableFilter(huge, plan -> tiny);
        assertThat(filter.add(1)).isTrue();
        for (int i = 0; i < 1_000; i++) {
            assertThat(filter.add(2)).isFalse();
        }
        assertThat(filter.mightContain(1)).isTrue();
        assertThat(filter.entries()).isEqualTo(1);
    }

    @Test
    void showsSizeAndLoadOnly() {
        MembershipFilter filter = MembershipFilters.scalable(2, 0.01);
        for (int i = 0; i < 7; i++) {
            filter.add(123_456_789);
        }
        assertThat(filter).hasToString("ScalableFilter[entries=7, capacity=2, layers=3]");
    }
}
