package io.github.untaken.filter;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Measured beside declared: at most 1.1 times, at the planned size. */
@Tag("ci")
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
        "BLOOM,  1000000, 0.2, 1",
        "BLOCKED_BLOOM,   1000, 1.2e-4, 20",
        "BLOCKED_BLOOM, 100000, 1.2e-4, 4",
        "BLOCKED_BLOOM, 100000, 0.01, 2",
        "COUNTING_BLOOM, 10000, 1.2e-4, 4",
        "COUNTING_BLOOM, 10000, 0.2, 4",
        "SCALABLE, 10000, 1.2e-4, 4"
    })
    void staysWithinATenthOfTheDeclaredRate(FilterType type, int entries, double rate, int filters) {
        SplittableRandom random = new SplittableRandom(SEED);
        int probes = (int) Math.min(12_000_000, 20_000 / rate) / filters;
        long wrong = 0;
        for (int i = 0; i < filters; i++) {
            MembershipFilter filter = filter(type, entries, rate);
            for (int k = 0; k < entries; k++) {
                filter.add(random.nextLong());
            }
            assertThat(filter.entries()).isEqualTo(entries);
            for (int k = 0; k < probes; k++) {
                if (filter.mightContain(random.nextLong())) {
                    wrong++;
                }
            }
        }
        double measured = (double) wrong / ((long) probes * filters);
        System.out.printf(
                "%s %d entries: measured %.3e, declared %.1e, seed %d%n", type, entries, measured, rate, SEED);
        assertThat(measured).isBetween(rate * least(type), rate * 1.1);
    }

    private static MembershipFilter filter(FilterType type, int entries, double rate) {
        return switch (type) {
            case CUCKOO -> MembershipFilters.cuckoo(entries);
            case BLOOM -> MembershipFilters.bloom(entries, rate);
            case BLOCKED_BLOOM -> MembershipFilters.blockedBloom(entries, rate);
            case COUNTING_BLOOM -> MembershipFilters.countingBloom(entries, rate);
            case D_LEFT_COUNTING_BLOOM -> MembershipFilters.dLeftCountingBloom(entries);
            // Its layers together keep the rate, so it is to be seen with several of them.
            case SCALABLE -> MembershipFilters.scalable(entries / 15, rate);
        };
    }

    /** A filter much better than asked for wastes memory. */
    private static double least(FilterType type) {
        return type == FilterType.SCALABLE ? 0.5 : 0.8;
    }
}
