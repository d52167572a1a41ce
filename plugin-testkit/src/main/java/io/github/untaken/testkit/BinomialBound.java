package io.github.untaken.testkit;

/** How many of many independent trials may succeed by chance. */
final class BinomialBound {
    private BinomialBound() {}

    /**
     * The fewest successes that are exceeded with at most this probability.
     *
     * @param trials 1 or more
     * @param rate the probability of a success, between 0 and 1, both exclusive
     * @param chance 1e-12 to 1
     */
    static long most(long trials, double rate, double chance) {
        double logOdds = Math.log(rate) - Math.log1p(-rate);
        double log = trials * Math.log1p(-rate);
        double atMost = Math.exp(log);
        long successes = 0;
        while (1 - atMost > chance && successes < trials) {
            log += Math.log((double) (trials - successes) / (successes + 1)) + logOdds;
            successes++;
            atMost += Math.exp(log);
        }
        return successes;
    }
}
