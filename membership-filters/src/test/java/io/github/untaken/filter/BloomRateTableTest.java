package io.github.untaken.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The figures that are passed on about Bloom filters, measured on ours: most are right, one is not. */
class BloomRateTableTest {
    private static final long SEED = 20261129;
    private static final int ENTRIES = 64_000;
    private static final int QUESTIONS = 200_000;

    /** The well-known table of rates for m/n = 2 to 9 bits an entry and k = 1 to 7 probes; no cell is taken from a book. */
    @Test
    void measuredRatesFollowTheFormulaInTheWholeTable() {
        for (int bitsPerEntry = 2; bitsPerEntry <= 9; bitsPerEntry++) {
            StringBuilder row = new StringBuilder("m/n = " + bitsPerEntry + ":");
            for (int probes = 1; probes <= 7; probes++) {
                double formula = rate(bitsPerEntry, probes);
                double measured = measure(bitsPerEntry, probes);
                row.append(String.format(java.util.Locale.ROOT, "  k=%d %.4f (%.4f)", probes, measured, formula));
                assertThat(measured)
                        .as("m/n = %d, k = %d, seed %d", bitsPerEntry, probes, SEED)
                        .isCloseTo(formula, within(bound(formula, bitsPerEntry, probes)));
            }
            System.out.println(row);
        }
    }

    @ParameterizedTest
    @CsvSource({"9, 6, 0.0133, 0.00005", "8, 6, 0.0216, 0.00005", "4, 3, 0.147, 0.0005", "2, 1, 0.393, 0.0005"})
    void theQuotedCellsAreRight(int bitsPerEntry, int probes, double quoted, double rounding) {
        assertThat(rate(bitsPerEntry, probes)).isCloseTo(quoted, within(rounding));
    }

    /** One article gives k of about 4 for a rate of 0.001 at 14 bits an entry. It is 10; 4 give 3.5 times that rate. */
    @Test
    void aThousandthTakesTenProbesAndNotFour() {
        FilterSizing plan = FilterSizing.plan(FilterType.BLOOM, ENTRIES, 0.001);
        assertThat(plan.bitsPerEntry()).isCloseTo(14.4, within(0.05));
        assertThat(plan.probes()).isEqualTo(10);
        assertThat(measure(14.4, 10)).isCloseTo(0.001, within(bound(0.001, 14.4, 10)));
        assertThat(measure(14.4, 4)).isCloseTo(0.0035, within(bound(0.0035, 14.4, 4)));
        for (int probes = 1; probes <= 20; probes++) {
            assertThat(rate(14.4, probes)).isGreaterThanOrEqualTo(rate(14.4, 10));
        }
    }

    /** 4 thousand million addresses in 4.19 GiB at 1.3 %. */
    @Test
    void allMailAddressesOfTheWorldTakeFourGibibytes() {
        FilterSizing plan = FilterSizing.plan(FilterType.BLOOM, 4_000_000_000L, rate(9, 6));
        assertThat(plan.probes()).isEqualTo(6);
        assertThat(plan.bytes() / (double) (1 << 30)).isCloseTo(4.19, within(0.005));
        assertThat(plan.predictedErrorRate()).isCloseTo(0.0133, within(0.0001));
        assertThat(plan.summary())
                .matches(
                        "BLOOM: 4,000,000,000 entries in 4,500,000,\\d{3} bytes, 9\\.0 bits each, 6 probes, error rate 0\\.013"
                                + " \\(asked for 0\\.013\\)");
    }

    private static double rate(double bitsPerEntry, int probes) {
        return Math.pow(-Math.expm1(-probes / bitsPerEntry), probes);
    }

    /**
     * Five standard deviations: of the questions, which are binomial, and of the share of bits set, whose variance is below
     * that of independent bits.
     */
    private static double bound(double rate, double bitsPerEntry, int probes) {
        double questions = Math.sqrt(rate * (1 - rate) / QUESTIONS);
        double fill = -Math.expm1(-probes / bitsPerEntry);
        double bits = Math.sqrt(fill * (1 - fill) / (bitsPerEntry * ENTRIES)) * probes * rate / fill;
        return 5 * Math.hypot(questions, bits);
    }

    private static double measure(double bitsPerEntry, int probes) {
        long bits = Math.round(bitsPerEntry * ENTRIES);
        MembershipFilter filter = new BloomFilter(new FilterSizing(FilterType.BLOOM, ENTRIES, 0.5, bits, probes, 0.5));
        SplittableRandom random = new SplittableRandom(SEED);
        for (int i = 0; i < ENTRIES; i++) {
            filter.add(random.nextLong());
        }
        int wrong = 0;
        for (int i = 0; i < QUESTIONS; i++) {
            wrong += filter.mightContain(random.nextLong()) ? 1 : 0;
        }
        return (double) wrong / QUESTIONS;
    }
}
