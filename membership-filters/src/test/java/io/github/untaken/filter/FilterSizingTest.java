package io.github.untaken.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.within;

import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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
    @ValueSource(longs = {1, 2, 3, 10, 1_000, 1_000_003, 1L << 31, 5_000_000_000L, 1L << 40})
    void everyPlanKeepsItsRateAtEverySize(long entries) {
        assertThat(FilterSizing.plan(FilterType.CUCKOO, entries).predictedErrorRate())
                .isPositive()
                .isLessThanOrEqualTo(FilterSizing.CUCKOO_ERROR_RATE);
        for (double rate : new double[] {0.999, 0.5, 0.3, 0.01, 1e-4, 1e-9, 1e-15}) {
            if (rate < 2 * entries * 0x1p-64) {
                continue;
            }
            FilterSizing plan = FilterSizing.plan(FilterType.BLOOM, entries, rate);
            assertThat(plan.predictedErrorRate()).as("%s", plan).isPositive().isLessThanOrEqualTo(rate * 1.000_001);
            assertThat(plan.probes()).isBetween(1, 50);
            assertThat(plan.bits()).isEqualTo(plan.bytes() * 8).isGreaterThanOrEqualTo(64);
        }
    }

    @Test
    void everyMemberPlansForEverySizeAndEveryRateItReaches() {
        for (long entries : new long[] {1, 2, 3, 10, 1_000, 1_000_003, 1L << 31, 5_000_000_000L, 1L << 40}) {
            for (double rate : new double[] {0.999, 0.5, 0.01, 1.2e-4, 1.8e-7, 1e-9, 1e-15}) {
                if (rate < 2 * entries * 0x1p-64) {
                    continue;
                }
                List<FilterSizing> plans = FilterSizing.compare(entries, rate);
                assertThat(plans).isSortedAccordingTo(Comparator.comparingLong(FilterSizing::bytes));
                for (FilterSizing plan : plans) {
                    assertThat(plan.predictedErrorRate())
                            .as("%s", plan)
                            .isPositive()
                            .isLessThanOrEqualTo(rate * 1.000_001);
                    assertThat(plan.bits()).isEqualTo(plan.bytes() * 8).isGreaterThanOrEqualTo(64);
                    // No set with this error rate can do with fewer bits.
                    assertThat(plan.bitsPerEntry())
                            .isGreaterThan(-Math.log(plan.predictedErrorRate()) / Math.log(2) * 0.999);
                    assertThat(plan.slots()).isBetween(1L, plan.bits());
                    assertThat(plan.probes()).isBetween(1, 51);
                }
                if (rate >= FilterSizing.CUCKOO_ERROR_RATE) {
                    assertThat(plans).extracting(FilterSizing::type).contains(FilterType.values());
                }
            }
        }
    }

    /** What a rate costs, and what removal, growth or speed cost on top: bits for each of a million entries. */
    @ParameterizedTest
    @CsvSource({
        "0.01,   9.6, 10.1, 38.3, 11.0, 16.8, 42.7",
        "1.2e-4, 18.8, 22.4, 75.2, 20.2, 16.8, 42.7",
        "1e-6,   28.8, 39.0, 115.0, 30.2, 0, 42.7",
        "1e-9,   43.1, 85.8, 172.6, 44.6, 0, 0",
        "1e-12,  57.6, 0, 230.5, 59.2, 0, 0"
    })
    void saysWhatARateCosts(
            double rate, double bloom, double blocked, double counting, double scalable, double cuckoo, double dLeft) {
        Map<FilterType, Double> told = new EnumMap<>(FilterType.class);
        told.put(FilterType.BLOOM, bloom);
        told.put(FilterType.BLOCKED_BLOOM, blocked);
        told.put(FilterType.COUNTING_BLOOM, counting);
        told.put(FilterType.SCALABLE, scalable);
        told.put(FilterType.CUCKOO, cuckoo);
        told.put(FilterType.D_LEFT_COUNTING_BLOOM, dLeft);
        told.values().removeIf(bits -> bits == 0);

        List<FilterSizing> plans = FilterSizing.compare(1_000_000, rate);

        assertThat(plans).extracting(FilterSizing::type).containsExactlyInAnyOrderElementsOf(told.keySet());
        for (FilterSizing plan : plans) {
            System.out.println(plan.summary());
            assertThat(plan.bitsPerEntry()).as(plan.summary()).isCloseTo(told.get(plan.type()), within(0.25));
        }
    }

    @Test
    void aFilterIsAsLargeAsItsPlan() {
        for (FilterType type : FilterType.values()) {
            for (int entries : new int[] {1, 1_000, 1_000_000}) {
                FilterSizing plan = FilterSizing.plan(type, entries);
                MembershipFilter filter = MembershipFilters.of(type, entries);
                assertThat(filter.bytes()).as("%s", plan).isBetween(plan.bytes(), plan.bytes() + 16_384);
                assertThat(filter.capacity()).isEqualTo(entries);
            }
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

        FilterSizing dLeft = FilterSizing.plan(FilterType.D_LEFT_COUNTING_BLOOM, 3_000_000_000L);
        assertThat(dLeft.bytes()).isEqualTo(3_000_000_000L / 24 * 128);
        assertThat(dLeft.words()).isEqualTo(2_000_000_000);
        FilterSizing counting = FilterSizing.plan(FilterType.COUNTING_BLOOM, 1_000_000_000, 1e-4);
        assertThat(counting.slots()).isEqualTo(bloom.bits());
        assertThat(counting.bits()).isEqualTo(bloom.bits() * 4);
        FilterSizing blocked = FilterSizing.plan(FilterType.BLOCKED_BLOOM, 5_000_000_000L, 1e-4);
        assertThat(blocked.bits()).isBetween(114_000_000_000L, 115_000_000_000L);
        assertThat(blocked.words() % 8).isZero();

        assertThat(FilterSizing.plan(FilterType.CUCKOO, FilterSizing.MAX_ENTRIES)
                        .bits())
                .isGreaterThan(FilterSizing.MAX_ENTRIES * 16);
        assertThat(FilterSizing.plan(FilterType.COUNTING_BLOOM, FilterSizing.MAX_ENTRIES, 1.2e-7)
                        .bits())
                .isGreaterThan(FilterSizing.MAX_ENTRIES * 132);
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
    @ValueSource(longs = {0, -1, Long.MIN_VALUE, Long.MAX_VALUE, (1L << 40) + 1})
    void refusesANonsensicalNumberOfEntries(long entries) {
        for (FilterType type : FilterType.values()) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> FilterSizing.plan(type, entries))
                    .withMessage("expectedEntries must be 1 to 1099511627776, but was " + entries);
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

    /** No filter of 64-bit hashes can tell strangers with equal hashes apart, whatever its table promises. */
    @ParameterizedTest
    @EnumSource(FilterType.class)
    void refusesARateThatTheHashItselfCannotKeep(FilterType type) {
        if (type == FilterType.CUCKOO || type == FilterType.D_LEFT_COUNTING_BLOOM) {
            assertThat(FilterSizing.plan(type, FilterSizing.MAX_ENTRIES).predictedErrorRate())
                    .isGreaterThan(FilterSizing.MAX_ENTRIES * 0x1p-64);
            return;
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FilterSizing.plan(type, 10_000_000_000L, 1e-9))
                .withMessage(
                        "targetErrorRate must be 1.0842021724855044E-9 or more for 10000000000 entries, since 64-bit"
                                + " hashes collide that often, but was 1.0E-9");
        assertThat(FilterSizing.plan(type, 10_000_000_000L, 1.09e-9).predictedErrorRate())
                .isBetween(0.5e-9, 1.09e-9 * 1.000_001);
    }

    @Test
    void refusesARateAMemberCannotReachAndNamesThoseThatCan() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FilterSizing.plan(FilterType.CUCKOO, 1_000, 1e-6))
                .withMessage("targetErrorRate of CUCKOO must be 1.2E-4 or more, since it has one shape only, but was"
                        + " 1.0E-6; D_LEFT_COUNTING_BLOOM reaches it, and BLOOM with fewer bits but without removal");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FilterSizing.plan(FilterType.CUCKOO, 1_000, 1e-8))
                .withMessageEndingWith("COUNTING_BLOOM reaches it, and BLOOM with fewer bits but without removal");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FilterSizing.plan(FilterType.D_LEFT_COUNTING_BLOOM, 1_000, 1e-8))
                .withMessage("targetErrorRate of D_LEFT_COUNTING_BLOOM must be 1.8E-7 or more, since it has one shape"
                        + " only, but was 1.0E-8; COUNTING_BLOOM reaches it, and BLOOM with fewer bits but without"
                        + " removal");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MembershipFilters.blockedBloom(1_000, 1e-10))
                .withMessageStartingWith("targetErrorRate of BLOCKED_BLOOM must be 1.0E-9 or more")
                .withMessageContaining("but was 1.0E-10; COUNTING_BLOOM reaches it, and BLOOM");
    }

    /** Whoever is named can be planned. */
    @Test
    void theMembersNamedDoReachIt() {
        for (double rate : new double[] {1.19e-4, 1e-5, 1.8e-7, 1.79e-7, 1e-12, 1e-15}) {
            IllegalArgumentException refusal = catchThrowableOfType(
                    IllegalArgumentException.class, () -> FilterSizing.plan(FilterType.CUCKOO, 1_000, rate));
            for (FilterType type : FilterType.values()) {
                if (refusal.getMessage().contains(" " + type + " reaches it")
                        || refusal.getMessage().contains("and " + type + " with")) {
                    assertThat(FilterSizing.plan(type, 1_000, rate).predictedErrorRate())
                            .isLessThanOrEqualTo(rate * 1.000_001);
                }
            }
        }
    }

    @Test
    void comparingRefusesNonsenseToo() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FilterSizing.compare(0, 0.1))
                .withMessageContaining("expectedEntries");
        for (double rate : new double[] {0, -1, 1, Double.NaN, 1e-300, Double.MIN_VALUE}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> FilterSizing.compare(10, rate))
                    .withMessageContaining("targetErrorRate must be 1.0E-15 or more and less than 1, but was " + rate);
        }
    }
}
