package io.github.untaken.sample;

import java.util.Random;

/**
 * Where random tests begin: always at the same place, elsewhere by {@code -Dtest.seed=random}, and where a failed run began by
 * {@code -Dtest.seed=NUMBER}. It is printed either way.
 */
final class Seed {
    private static final long DEFAULT = 11;

    private Seed() {}

    /** The seed of this run, which a failing test names in its message. */
    static long ofThisRun() {
        String asked = System.getProperty("test.seed", "");
        long seed =
                asked.isEmpty() ? DEFAULT : asked.equals("random") ? new Random().nextLong() : Long.parseLong(asked);
        System.out.println("-Dtest.seed=" + seed);
        return seed;
    }
}
