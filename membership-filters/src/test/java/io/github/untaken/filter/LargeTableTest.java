package io.github.untaken.filter;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tables of more than 2^31 bits, really allocated and written all over: where an index of 32 bits is used, entries meet that
 * should not, or nothing is ever found. About 270 MiB of heap; {@code -Dlarge.exponent=32} for twice that, where an index that
 * is taken for unsigned ends as well.
 */
class LargeTableTest {
    private static final long SEED = 20261204;
    private static final long BITS = 1L << Integer.getInteger("large.exponent", 31);

    /** All present, spread over the whole table, and next to no false answers, as it is far from full. */
    @Test
    @Tag("ci")
    void moreThanTwoGibibitsAreUsedToTheLast() {
        int entries = Integer.getInteger("large.entries", 2_000_000);
        FilterSizing plan = FilterSizing.plan(FilterType.BLOOM, BITS / 18, 1e-4);
        assertThat(plan.bits()).isGreaterThan(BITS);
        BloomFilter filter = new BloomFilter(plan);
        fillAndAskForAll(filter, entries);

        long[] ones = filter.onesByRegion(1_024);
        double expected = Arrays.stream(ones).average().orElseThrow();
        double chiSquare = 0;
        for (long region : ones) {
            chiSquare += (region - expected) * (region - expected) / expected;
        }
        // 1,023 degrees of freedom: p = 0.001 at 1,168.
        assertThat(chiSquare).as("seed %d", SEED).isBetween(800.0, 1_168.0);
        assertThat(filter.estimatedEntries()).isBetween(entries * 0.998, entries * 1.002);
        assertThat(wrong(filter, 1_000_000)).isZero();
    }

    /** Filled to the planned size: fifty to a hundred million entries, or twice that. */
    @ParameterizedTest
    @Tag("nightly")
    @EnumSource(
            value = FilterType.class,
            names = {"CUCKOO", "BLOCKED_BLOOM", "D_LEFT_COUNTING_BLOOM"})
    void moreThanTwoGibibitsFilledAsPlannedKeepEveryEntryAndTheRate(FilterType type) {
        int entries = 1;
        while (FilterSizing.plan(type, entries).bits() <= BITS) {
            entries += 1_000_000;
        }
        FilterSizing plan = FilterSizing.plan(type, entries);
        MembershipFilter filter = MembershipFilters.of(type, entries);
        fillAndAskForAll(filter, entries);
        int questions = 20_000_000;
        double expected = plan.predictedErrorRate() * questions;
        int wrong = wrong(filter, questions);
        System.out.printf("%s, %d false of %d, %.1f predicted%n", plan.summary(), wrong, questions, expected);
        assertThat((double) wrong).isLessThanOrEqualTo(1.1 * expected + 20);
    }

    private static void fillAndAskForAll(MembershipFilter filter, int entries) {
        SplittableRandom random = new SplittableRandom(SEED);
        for (int i = 0; i < entries; i++) {
            if (!filter.add(random.nextLong())) {
                throw new AssertionError("refused entry " + i);
            }
        }
        random = new SplittableRandom(SEED);
        int missing = 0;
        for (int i = 0; i < entries; i++) {
            missing += filter.mightContain(random.nextLong()) ? 0 : 1;
        }
        assertThat(missing).as("missing of %d, seed %d", entries, SEED).isZero();
    }

    private static int wrong(MembershipFilter filter, int questions) {
        SplittableRandom random = new SplittableRandom(SEED + 1);
        int wrong = 0;
        for (int i = 0; i < questions; i++) {
            wrong += filter.mightContain(random.nextLong()) ? 1 : 0;
        }
        return wrong;
    }
}
