package io.github.untaken.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BinomialBoundTest {
    @Test
    void agreesWithTheTextbook() {
        // Of 20 fair coins at most 14 heads: 0.9793; at most 15: 0.9941.
        assertThat(BinomialBound.most(20, 0.5, 0.0208)).isEqualTo(14);
        assertThat(BinomialBound.most(20, 0.5, 0.0206)).isEqualTo(15);
        assertThat(BinomialBound.most(1, 0.5, 0.6)).isZero();
        assertThat(BinomialBound.most(1, 0.5, 0.4)).isEqualTo(1);
    }

    @Test
    void agreesWithTheNormalDistributionForManyTrials() {
        // One in a million is 4.753 standard deviations.
        double mean = 3_000;
        double normal = mean + 4.753 * Math.sqrt(mean);
        assertThat((double) BinomialBound.most(3_000_000, 0.001, 1e-6)).isBetween(normal, normal + 12);
    }
}
