package io.github.untaken.filter;

/** Computes the error rate of a {@link BlockedBloomFilter}. */
/*
 * The number j of entries in a block is Poisson distributed. A query looks at one bit in each of its words, which one
 * entry leaves 0 with probability 63/64, or at two independent ones. Given j, the eight words are independent, so the
 * rate is the mean over j of the eighth power of one word's rate.
 */
final class BlockRate {
    private static final double BIT = 1.0 / Long.SIZE;

    private BlockRate() {}

    /**
     * The share of false "maybe".
     *
     * @param perBlock mean number of entries in a block
     * @param bitsAWord 1 or 2
     */
    static double of(double perBlock, int bitsAWord) {
        double rate = 0;
        double logFactorial = 0;
        int most = (int) (perBlock + 12 * Math.sqrt(perBlock) + 40);
        for (int j = 0; j <= most; j++) {
            logFactorial += j == 0 ? 0 : Math.log(j);
            double weight = Math.exp(j * Math.log(perBlock) - perBlock - logFactorial);
            rate += weight * Math.pow(bitsAWord == 1 ? oneBit(j) : twoBits(j), BlockedBloomFilter.BLOCK_WORDS);
        }
        return Math.min(1, rate);
    }

    /** The mean number of entries a block may have for at most this rate, to about nine digits. */
    static double entriesForRate(double rate, int bitsAWord) {
        double low = 1e-9;
        double high = 2_000;
        for (int i = 0; i < 80; i++) {
            double middle = Math.sqrt(low * high);
            if (of(middle, bitsAWord) <= rate) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private static double oneBit(int entries) {
        return 1 - Math.pow(1 - BIT, entries);
    }

    private static double twoBits(int entries) {
        double oneIsZero = Math.pow(1 - BIT, 2.0 * entries);
        double bothAreZero = Math.pow(1 - 2 * BIT, 2.0 * entries);
        double different = 1 - 2 * oneIsZero + bothAreZero;
        return (1 - BIT) * Math.max(0, different) + BIT * (1 - oneIsZero);
    }
}
