package io.github.untaken.benchmarks.whitelist;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Names that are asked for, one request after the other: three quarters of the requests are for a name that nobody asks for again, the
 * others for one of {@code names} names, each as often as the distribution says. Names are numbers: those below {@code names} may
 * come again.
 */
enum RequestStream {
    UNIFORM("uniform", 0),
    ZIPF_08("Zipf 0.8", 0.8),
    ZIPF_11("Zipf 1.1", 1.1);

    /** Of the requests that are made, one in so many is for a name that may come again. */
    private static final int ONE_IN = 4;

    private final String title;
    private final double exponent;

    RequestStream(String title, double exponent) {
        this.title = title;
        this.exponent = exponent;
    }

    /** As many requests for names that may come again as there are such names, and three times as many others. */
    int[] requests(int names, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        double[] sums = new double[names];
        double sum = 0;
        for (int i = 0; i < names; i++) {
            sum += Math.pow(i + 1, -exponent);
            sums[i] = sum;
        }
        int[] requests = new int[names * ONE_IN];
        int once = names;
        for (int i = 0; i < requests.length; i++) {
            requests[i] = random.nextInt(ONE_IN) == 0 ? drawn(sums, random) : once++;
        }
        return requests;
    }

    private static int drawn(double[] sums, SplittableRandom random) {
        int found = Arrays.binarySearch(sums, random.nextDouble() * sums[sums.length - 1]);
        return Math.min(sums.length - 1, found < 0 ? -found - 1 : found);
    }

    @Override
    public String toString() {
        return title;
    }
}
