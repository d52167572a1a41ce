package io.github.untaken.filter;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Measured beside declared: at most 1.1 times, at the planned size. */
class ErrorRateTest {
    private static final long SEED = 20261125;

    @ParameterizedTest
    @CsvSource({
        "CUCKOO,    1000, 1.2e-4, 20",
        "CUCKOO,  100000, 1.2e-4, 4",
        "CUCKOO, 1000000, 1.2e-4, 2",
        "BLOOM,     1000, 1.2e-4, 20",
        "BLOOM,   100000, 1.2e-4, 4",
        "BLOOM,  1000000, 1.2e-4, 2",
        "BLOOM,     1000, 0.01, 20",
        "BLOOM,   100000, 0.01, 2",
        "BLOOM,  1000000, 0.2, 1"
    })
    void staysWithinATenthOfTheDeclaredRate(FilterType type, int entries, double rate, int filters) {
        SplittableRandom random = new SplittableRandom(SEED);
        int probes = 12_000_000 / filters;
        long wrong = 0;
        for (int i = 0; i < filters; i++) {
            MembershipFilter filter = type == FilterType.CUCKOO
                    ? MembershipFilters.cuckoo(entries)
                    : MembershipFilters.bloom(entries, rate);
            for (int k = 0; k < entries; k++) {
                assertThat(filter.add(random.nextLong())).isTrue();
            }
            for (int k = 0; k < probes; k++) {
                if (filter.mightContain(random.nextLong())) {
                    wrong++;
                }
            }
        }
        double measured = (double) wrong / ((long) probes * filters);
        System.out.printf(
                "%s %d entries: measured %.3e, declared %.1e, seed %d%n", type, entries, measured, rate, SEED);
        assertThat(measured).isBetween(rate * 0.8, rate * 1.1);
    }
}
