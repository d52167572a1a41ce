package io.github.untaken.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BlockedBloomFilterTest {
    private static final long SEED = 20261203;

    /** The prediction is computed and not fitted, so the measured rate is at it, not only below. */
    @ParameterizedTest
    @CsvSource({"0.5, 8", "0.1, 8", "0.01, 8", "0.001, 8", "1.2e-4, 16", "1e-5, 16"})
    void measuresWhatItPredicts(double rate, int probes) {
        int entries = 50_000;
        FilterSizing plan = FilterSizing.plan(FilterType.BLOCKED_BLOOM, entries, rate);
        assertThat(plan.probes()).isEqualTo(probes);
        assertThat(plan.predictedErrorRate()).isBetween(rate * 0.98, rate);
        MembershipFilter filter = MembershipFilters.blockedBloom(entries, rate);
        SplittableRandom random = new SplittableRandom(SEED);
        for (int i = 0; i < entries; i++) {
            filter.add(random.nextLong());
        }
        int questions = (int) Math.min(4_000_000, 10_000 / rate);
        int wrong = 0;
        for (int i = 0; i < questions; i++) {
            wrong += filter.mightContain(random.nextLong()) ? 1 : 0;
        }
        double expected = plan.predictedErrorRate() * questions;
        System.out.printf(
                "%.1f bits, %d probes: %.3e measured, %.3e predicted%n",
                plan.bitsPerEntry(), probes, (double) wrong / questions, plan.predictedErrorRate());
        assertThat((double) wrong).isCloseTo(expected, within(5 * Math.sqrt(expected) + 0.02 * expected));
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.5, 0.001, 1e-6})
    void neverForgetsFarBeyondItsCapacity(double rate) {
        MembershipFilter filter = MembershipFilters.blockedBloom(5_000, rate);
        long[] hashes = new SplittableRandom(SEED).longs(20_000).toArray();
        for (long hash : hashes) {
            assertThat(filter.add(hash)).isTrue();
            assertThat(filter.mightContain(hash)).isTrue();
        }
        assertThat(Arrays.stream(hashes)).allMatch(filter::mightContain);
    }

    @Test
    void aBlockOfItsOwnIsComputedByHand() {
        // One entry in a block for certain is not Poisson; many blocks with few entries are.
        double lambda = 1e-4;
        assertThat(BlockRate.of(lambda, 1)).isCloseTo(lambda * Math.pow(64, -8), within(1e-20));
        assertThat(BlockRate.of(500, 1)).isGreaterThan(0.99);
        assertThat(BlockRate.entriesForRate(BlockRate.of(20, 1), 1)).isCloseTo(20, within(1e-6));
        assertThat(BlockRate.entriesForRate(BlockRate.of(12, 2), 2)).isCloseTo(12, within(1e-6));
    }

    /** All bits of an entry lie in one block: two entries of different blocks share none. */
    @Test
    void anEntryIsKeptInOneBlock() {
        FilterSizing two = new FilterSizing(FilterType.BLOCKED_BLOOM, 100, 0.01, 1_024, 8, 0.01);
        BlockedBloomFilter filter = new BlockedBloomFilter(two);
        SplittableRandom random = new SplittableRandom(SEED);
        for (int i = 0; i < 5_000; i++) {
            filter.add(random.nextLong() >>> 1);
        }
        for (int i = 0; i < 5_000; i++) {
            assertThat(filter.mightContain(random.nextLong() >>> 1)).isTrue();
            assertThat(filter.mightContain(random.nextLong() | Long.MIN_VALUE)).isFalse();
        }
    }

    @Test
    void showsSizeAndLoadOnly() {
        MembershipFilter filter = MembershipFilters.blockedBloom(1_000, 0.01);
        filter.add(123_456_789);
        assertThat(filter.toString())
                .startsWith("BlockedBloomFilter[entries=1, capacity=1000, bits=")
                .endsWith("probes=8]");
    }
}
