package io.github.untaken.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class FilterSizingTest {

    @Test
    void aMillionEntriesTakeSeventeenBitsEachInACuckooFilter() {
        FilterSizing plan = FilterSizing.plan(FilterType.CUCKOO, 1_000_000);
        assertThat((double) plan.bits() / 1_000_000).isBetween(16.8, 17.0);
        assertThat(plan.slots()).isEqualTo(plan.bits() / 16);
        assertThat(plan.bytes()).isEqualTo(plan.bits() / 8);
        assertThat(plan.probes()).isEqualTo(2);
        assertThat(plan.predictedErrorRate()).isBetween(1.1e-4, FilterSizing.CUCKOO_ERROR_RATE);
    }

    @Test
    void aBloomFilterFollowsTheTextbook() {
        FilterSizing plan = FilterSizing.plan(FilterType.BLOOM, 1_000_000, 0.01);
        assertThat((double) plan.bits() / 1_000_000).isCloseTo(9.59, within(0.02));
        assertThat(plan.probes()).isEqualTo(7);
        assertThat(plan.predictedErrorRate()).isBetween(0.0099, 0.01);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 10, 1_000, 1_000_003, 1L << 31, 5_000_000_000L, 1L << 50})
    void everyPlanKeepsItsRateAtEverySize(long entries) {
        assertThat(FilterSizing.plan(FilterType.CUCKOO, entries).predictedErrorRate())
                .isPositive()
                .isLessThanOrEqualTo(FilterSizing.CUCKOO_ERROR_RATE);
        for (double rate : new double[] {0.999, 0.5, 0.3, 0.01, 1e-4, 1e-9, 1e-15}) {
            FilterSizing plan = FilterSizing.plan(FilterType.BLOOM, entries, rate);
            assertThat(plan.predictedErrorRate()).as("%s", plan).isPositive().isLessThanOrEqualTo(rate * 1.000_001);
            assertThat(plan.probes()).isBetween(1, 50);
            assertThat(plan.bits()).isEqualTo(plan.bytes() * 8).isGreaterThanOrEqualTo(64);
        }
    }

    @Test
    void sizesBeyondTwoToTheThirtyFirstBitsAreNotCutOff() {
        FilterSizing bloom = FilterSizing.plan(FilterType.BLOOM, 1_000_000_000, 1e-4);
        assertThat(bloom.bits()).isBetween(19_170_000_000L, 19_300_000_000L);
        assertThat(bloom.words()).isEqualTo((int) (bloom.bits() / 64));

        FilterSizing cuckoo = FilterSizing.plan(FilterType.CUCKOO, 8_000_000_000L);
        assertThat(cuckoo.bytes()).isBetween(16_800_000_000L, 16_900_000_000L);
        assertThat(cuckoo.words()).isEqualTo((int) (cuckoo.slots() / 4));

        assertThat(FilterSizing.plan(FilterType.CUCKOO, FilterSizing.MAX_ENTRIES)
                        .bits())
                .isGreaterThan(FilterSizing.MAX_ENTRIES * 16);
    }

    @Test
    void doublingTheEntriesDoublesTheBitsUpToTheLargestPlan() {
        for (FilterType type : FilterType.values()) {
            for (long entries = 1 << 20; entries < FilterSizing.MAX_ENTRIES; entries *= 2) {
                double ratio = (double) FilterSizing.plan(type, entries * 2).bits()
                        / FilterSizing.plan(type, entries).bits();
                assertThat(ratio).as("%s %d", type, entries).isCloseTo(2, within(0.001));
            }
        }
    }

    @ParameterizedTest
    @EnumSource(FilterType.class)
    void whatDoesNotFitAnArrayIsRefusedWithoutAllocating(FilterType type) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MembershipFilters.of(type, 1L << 40))
                .withMessageContaining("expectedEntries was 1099511627776")
                .withMessageContaining("one filter holds at most ")
                .withMessageContaining(" bytes; plan for fewer entries");
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MIN_VALUE, Long.MAX_VALUE, (1L << 50) + 1})
    void refusesANonsensicalNumberOfEntries(long entries) {
        for (FilterType type : FilterType.values()) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> FilterSizing.plan(type, entries))
                    .withMessage("expectedEntries must be 1 to 1125899906842624, but was " + entries);
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, -0.0, -1, 1, 1.5, 1e-16, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
    void refusesANonsensicalErrorRate(double rate) {
        for (FilterType type : FilterType.values()) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> FilterSizing.plan(type, 1_000, rate))
                    .withMessage("targetErrorRate must be 1.0E-15 or more and less than 1, but was " + rate);
        }
    }

    @Test
    void refusesARateTheCuckooFilterCannotReachAndNamesTheMemberThatCan() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FilterSizing.plan(FilterType.CUCKOO, 1_000, 1e-6))
                .withMessage("targetErrorRate of CUCKOO must be 1.2E-4 or more, since it has one shape only, but was"
                        + " 1.0E-6; BLOOM reaches it, without removal");
    }
}
